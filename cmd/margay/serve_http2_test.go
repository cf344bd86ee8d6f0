package main

import (
	"bytes"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// downgrade is a request of HTTP/2 that would be two, or another one, if it were
// written as HTTP/1.1 as it is. Fields are added to those of a sound request, or
// take the place of its pseudo-headers.
type downgrade struct {
	fields  [][2]string
	body    string
	trailer [][2]string
	// seen is what the backend is to see, none where it is refused.
	seen string
}

var downgrades = map[string]downgrade{
	"H2.CL, shorter":           {fields: [][2]string{{":method", "POST"}, {"content-length", "0"}}, body: hidden},
	"H2.CL, longer":            {fields: [][2]string{{":method", "POST"}, {"content-length", "500"}}, body: "hello"},
	"H2.CL, twice":             {fields: [][2]string{{":method", "POST"}, {"content-length", "5"}, {"content-length", "0"}}, body: "hello", seen: `POST /r0/x "hello"`},
	"H2.TE":                    {fields: [][2]string{{":method", "POST"}, {"transfer-encoding", "chunked"}}, body: "0\r\n\r\n" + hidden},
	"H2.TE, upper case":        {fields: [][2]string{{":method", "POST"}, {"Transfer-Encoding", "chunked"}}, body: "0\r\n\r\n" + hidden},
	"connection":               {fields: [][2]string{{"connection", "x-user"}}},
	"line break in a value":    {fields: [][2]string{{"x", "y\r\nTransfer-Encoding: chunked"}}},
	"line break in a name":     {fields: [][2]string{{"x: y\r\ntransfer-encoding", "chunked"}}},
	"colon in a name":          {fields: [][2]string{{"transfer-encoding: chunked", "x"}}},
	"NUL in a value":           {fields: [][2]string{{"x", "y\x00"}}},
	"line break in the method": {fields: [][2]string{{":method", "GET /r0/hidden HTTP/1.1\r\nHost: x\r\n\r\nGET"}}},
	"space in the method":      {fields: [][2]string{{":method", "GET /r0/hidden"}}},
	"line break in the path":   {fields: [][2]string{{":path", "/r0/x HTTP/1.1\r\nHost: x\r\n\r\nGET /r0/hidden"}}},
	"space in the path":        {fields: [][2]string{{":path", "/r0/x HTTP/1.1"}}},
	"no slash in the path":     {fields: [][2]string{{":path", "r0/x"}}},
	"line break in the host":   {fields: [][2]string{{":authority", "x\r\nX: y"}}},
	"space in the host":        {fields: [][2]string{{":authority", "x y"}}},

	"a body":                  {fields: [][2]string{{":method", "POST"}}, body: hidden, seen: `POST /r0/x "` + strings.ReplaceAll(hidden, "\r\n", `\r\n`) + `"`},
	"a body with its length":  {fields: [][2]string{{":method", "POST"}, {"content-length", "5"}}, body: "hello", seen: `POST /r0/x "hello"`},
	"framing behind the body": {fields: [][2]string{{":method", "POST"}}, body: "hello", trailer: [][2]string{{"content-length", "9"}, {"host", "y"}}, seen: `POST /r0/x "hello"`},
}

// TestHTTP2HidesNoRequests sends requests of HTTP/2 that backends get by HTTP/1.1,
// by both transports.
func TestHTTP2HidesNoRequests(t *testing.T) {
	backend := newWitness(t)
	dir := t.TempDir()
	gatewayOf(t, filepath.Join(dir, "ocelot.json"), 1, 0)
	for _, transport := range []string{"own", "library"} {
		t.Run(transport, func(t *testing.T) {
			gateway := running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "off", "--h2c", "--transport", transport, "--backend", "*="+backend.addr(), "ocelot.json")
			for name, d := range downgrades {
				d.send(t, gateway.listen)
				whole, messages, wrong := backend.take()
				want := strings.TrimPrefix(d.seen+", "+`GET /r0/last ""`, ", ")
				if got := strings.Join(whole, ", "); got != want || len(wrong) > 0 {
					t.Errorf("%s: the backend saw %q, want %q, and could not take %q", name, got, want, wrong)
				}
				for _, message := range messages {
					message = strings.ToLower(message)
					if strings.Count(message, "\r\ncontent-length:")+strings.Count(message, "\r\ntransfer-encoding:") > 1 {
						t.Errorf("%s: two framings: %q", name, message)
					}
				}
			}
			if strings.Contains(gateway.said(), "OnCircuitOpened") {
				t.Error("a client opened a circuit")
			}
		})
	}
}

// send sends the request, waits until it is answered or refused, and sends a
// sound one behind it, so that the gateway is known to be through with both.
func (d downgrade) send(t *testing.T, addr string) {
	t.Helper()
	fields := [][2]string{{":method", "GET"}, {":scheme", "http"}, {":authority", "x"}, {":path", "/r0/x"}}
	for _, f := range d.fields {
		if i := pseudo(f[0]); i >= 0 {
			fields[i] = f
		} else {
			fields = append(fields, f)
		}
	}
	askHTTP2(t, addr, fields, d.body, d.trailer)
	askHTTP2(t, addr, [][2]string{{":method", "GET"}, {":scheme", "http"}, {":authority", "x"}, {":path", "/r0/last"}}, "", nil)
}

func pseudo(name string) int {
	switch name {
	case ":method":
		return 0
	case ":authority":
		return 2
	case ":path":
		return 3
	}
	return -1
}

// askHTTP2 sends one request by HTTP/2 without TLS and reads until it is over.
func askHTTP2(t *testing.T, addr string, fields [][2]string, body string, trailer [][2]string) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	_, _ = io.WriteString(c, http2.ClientPreface)
	framer := http2.NewFramer(c, c)
	framer.AllowIllegalWrites = true
	_ = framer.WriteSettings()
	_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: packed(fields), EndStream: body == "", EndHeaders: true})
	if body != "" {
		_ = framer.WriteData(1, trailer == nil, []byte(body))
	}
	if trailer != nil {
		_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: packed(trailer), EndStream: true, EndHeaders: true})
	}
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				_ = framer.WriteSettingsAck()
			}
		case *http2.RSTStreamFrame, *http2.GoAwayFrame:
			return
		case *http2.HeadersFrame:
			if f.StreamEnded() {
				return
			}
		case *http2.DataFrame:
			if f.StreamEnded() {
				return
			}
		}
	}
}

// packed writes fields as they are.
func packed(fields [][2]string) []byte {
	var b bytes.Buffer
	encoder := hpack.NewEncoder(&b)
	for _, f := range fields {
		_ = encoder.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]})
	}
	return b.Bytes()
}
