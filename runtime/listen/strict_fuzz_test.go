package listen

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/framing"
)

// pieces is a connection on which bytes come a few at a time.
type pieces struct {
	net.Conn
	rest []byte
	size int
}

func (c *pieces) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.rest[:min(c.size, len(c.rest))])
	c.rest = c.rest[n:]
	return n, nil
}

func (c *pieces) SetReadDeadline(time.Time) error { return nil }
func (c *pieces) RemoteAddr() net.Addr            { return &net.TCPAddr{} }

// expected reads the requests of a connection without net/http, up to one that
// is refused.
func expected(text []byte) (all []string) {
	for {
		s := framing.Scanner{}
		whole, refused := s.Scan(text)
		if refused != 0 {
			return append(all, fmt.Sprintf("GET /%d HTTP/1.9 0", refused.Status()))
		}
		if !whole {
			return all
		}
		head := s.Head()
		body := framing.NewBody(head, 0)
		n, _ := body.Pass(text[head.Size:])
		if !body.Ended() {
			return all
		}
		line, _, _ := bytes.Cut(text[head.Skip:], []byte("\r\n"))
		all = append(all, fmt.Sprintf("%s %d", line, n))
		text = text[head.Size+n:]
	}
}

// FuzzStrict reads whole connections as net/http does, with a byte ahead while a
// request is handled: it gets the requests that stand there and a refusal in
// place of what is none, whatever the pieces are.
func FuzzStrict(f *testing.F) {
	for _, text := range []string{
		"GET /1 HTTP/1.1\r\nHost: x\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /2 HTTP/1.1\nHost: x\r\n\r\n",
		"POST /1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
		"POST /1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /1 HTTP/1.1\r\nHost: x\r\nUpgrade: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: y\r\n\r\n\x00",
	} {
		f.Add([]byte(text), uint8(7), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, size uint8, ahead bool) {
		c := newStrict(&pieces{rest: text, size: int(size) + 1}, &rules{})
		want := expected(text)
		var early []byte
		r := bufio.NewReader(io.MultiReader(c))
		for i := 0; ; i++ {
			req, err := http.ReadRequest(r)
			if err != nil {
				return // it is answered 400, or nothing more has come, and the connection ends
			}
			body, err := io.ReadAll(req.Body)
			if err != nil {
				return
			}
			got := fmt.Sprintf("%s %s %s", req.Method, req.RequestURI, req.Proto)
			if i >= len(want) {
				t.Fatalf("got %q with %q behind %q", got, body, want)
			}
			line := want[i][:strings.LastIndexByte(want[i], ' ')]
			if refusal, ok := strings.CutPrefix(line, "GET "); ok && strings.HasSuffix(line, "HTTP/1.9") {
				if !strings.HasSuffix(got, refusal) || req.Method != string(early)+"GET" {
					t.Fatalf("got %q, want %q", got, line)
				}
				return
			}
			if got != line {
				t.Fatalf("got %q, want %q", got, line)
			}
			if early = nil; ahead && r.Buffered() == 0 {
				one := make([]byte, 1)
				n, _ := c.Read(one)
				early = one[:n]
				r = bufio.NewReader(io.MultiReader(bytes.NewReader(early), c))
			}
		}
	})
}
