package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/framing"
)

// witness is a backend that reads what it is sent byte by byte, and takes
// nothing that has two readings.
type witness struct {
	listener net.Listener
	mu       sync.Mutex
	whole    []string // guarded by mu: requests that came whole, as `POST /r0/x "hello"`
	messages []string // guarded by mu: their bytes
	wrong    []string // guarded by mu: what it could not take
}

func newWitness(t *testing.T) *witness {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &witness{listener: l}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.listen(c)
		}
	}()
	return w
}

func (w *witness) addr() string { return w.listener.Addr().String() }

// listen takes one request after the other and answers each.
func (w *witness) listen(c net.Conn) {
	defer c.Close()
	var got []byte
	for {
		n, err := w.message(c, &got)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				w.mu.Lock()
				w.wrong = append(w.wrong, fmt.Sprintf("%q: %v", got, err))
				w.mu.Unlock()
			}
			return
		}
		got = got[n:]
		if _, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"); err != nil {
			return
		}
	}
}

// message reads one request, with what has come of it, and returns its size.
func (w *witness) message(c net.Conn, got *[]byte) (int, error) {
	scanner := framing.Scanner{}
	for {
		whole, refused := scanner.Scan(*got)
		if refused != 0 {
			return 0, refused
		}
		if whole {
			break
		}
		if err := more(c, got); err != nil {
			return 0, err
		}
	}
	head := scanner.Head()
	body, at := framing.NewBody(head, 0), head.Size
	for {
		n, refused := body.Pass((*got)[at:])
		if at += n; refused != 0 {
			return 0, refused
		}
		if body.Ended() {
			break
		}
		if err := more(c, got); err != nil {
			return 0, io.EOF // broken off: nobody takes it for a request
		}
	}
	req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader((*got)[:at])))
	if err != nil {
		return 0, err
	}
	content, err := io.ReadAll(req.Body)
	if err != nil {
		return 0, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.whole = append(w.whole, fmt.Sprintf("%s %s %q", req.Method, req.RequestURI, content))
	w.messages = append(w.messages, string((*got)[:at]))
	return at, nil
}

func more(c net.Conn, to *[]byte) error {
	p := make([]byte, 4096)
	n, err := c.Read(p)
	*to = append(*to, p[:n]...)
	if n > 0 {
		return nil
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return io.EOF // reset: it is the same to us
	}
	return err
}

func (w *witness) take() (whole, messages, wrong []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	whole, messages, wrong = w.whole, w.messages, w.wrong
	w.whole, w.messages, w.wrong = nil, nil, nil
	return whole, messages, wrong
}

// hidden is what an attacker wants the backend to see behind another request.
const hidden = "GET /r0/hidden HTTP/1.1\r\nHost: x\r\n\r\n"

// post is the head of a request up to the headers in question.
const post = "POST /r0/x HTTP/1.1\r\nHost: x\r\n"

// attack is one way to send a request with two readings.
type attack struct {
	send string
	// seen are the requests that the backend is to see, as `POST /r0/x "hello"`;
	// none where it is refused.
	seen []string
	// status is that of the refusal, 400 if it is 0.
	status int
}

// attacks are the known ways by which two programs are made to see the ends of
// requests in different places. All have a request behind them.
var attacks = map[string]attack{
	"CL.TE":                       {send: post + "Content-Length: 41\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
	"TE.CL":                       {send: post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n24\r\n"},
	"CL.TE, agreeing":             {send: post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
	"CL 0.TE":                     {send: post + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, unknown":              {send: post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, two lines":            {send: post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n"},
	"TE.TE, twice":                {send: post + "Transfer-Encoding: chunked\r\nTransfer-encoding: chunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, list":                 {send: post + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, not last":             {send: post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"},
	"TE.TE, gzip":                 {send: post + "Transfer-Encoding: gzip\r\n\r\n"},
	"TE.TE, empty":                {send: post + "Transfer-Encoding:\r\n\r\n"},
	"TE.TE, quotes":               {send: post + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n"},
	"TE.TE, parameter":            {send: post + "Transfer-Encoding: chunked;a=b\r\n\r\n0\r\n\r\n"},
	"TE.TE, space before colon":   {send: post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, vertical tab":         {send: post + "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, NUL":                  {send: post + "Transfer-Encoding: chunked\x00\r\n\r\n0\r\n\r\n"},
	"TE.TE, folded":               {send: post + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, behind a fold":        {send: post + "X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, behind a bare CR":     {send: post + "X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, behind a bare LF":     {send: post + "X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
	"TE.TE, first header folded":  {send: "POST /r0/x HTTP/1.1\r\n Transfer-Encoding: chunked\r\nHost: x\r\n\r\n0\r\n\r\n"},
	"TE, name with NUL":           {send: post + "Transfer-Encoding\x00: chunked\r\n\r\n0\r\n\r\n"},
	"TE, name with a letter":      {send: post + "Transfer-\xc4ncoding: chunked\r\n\r\n0\r\n\r\n"},
	"TE of HTTP/1.0":              {send: "POST /r0/x HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
	"no length in HTTP/1.0":       {send: "POST /r0/x HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"},
	"CL, plus":                    {send: post + "Content-Length: +5\r\n\r\nhello"},
	"CL, minus":                   {send: post + "Content-Length: -5\r\n\r\nhello"},
	"CL, hexadecimal":             {send: post + "Content-Length: 0x5\r\n\r\nhello"},
	"CL, list":                    {send: post + "Content-Length: 5, 5\r\n\r\nhello"},
	"CL, twice":                   {send: post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"},
	"CL, differing":               {send: post + "Content-Length: 5\r\ncontent-length: 0\r\n\r\nhello"},
	"CL, empty":                   {send: post + "Content-Length:\r\n\r\nhello"},
	"CL, beyond counting":         {send: post + "Content-Length: 18446744073709551621\r\n\r\nhello"},
	"CL, two numbers":             {send: post + "Content-Length: 5 0\r\n\r\nhello"},
	"CL, space before colon":      {send: post + "Content-Length : 5\r\n\r\nhello"},
	"line feeds alone":            {send: "POST /r0/x HTTP/1.1\nHost: x\nContent-Length: 5\n\nhello"},
	"line feed ends the headers":  {send: post + "X: y\r\n\nhello"},
	"two spaces":                  {send: "GET  /r0/x HTTP/1.1\r\nHost: x\r\n\r\n"},
	"tab for a space":             {send: "GET\t/r0/x\tHTTP/1.1\r\nHost: x\r\n\r\n"},
	"space in the target":         {send: "GET /r0/x y HTTP/1.1\r\nHost: x\r\n\r\n"},
	"space behind the version":    {send: "GET /r0/x HTTP/1.1 \r\nHost: x\r\n\r\n"},
	"NUL in the target":           {send: "GET /r0/\x00 HTTP/1.1\r\nHost: x\r\n\r\n"},
	"CR in the target":            {send: "GET /r0/\rx HTTP/1.1\r\nHost: x\r\n\r\n"},
	"no version":                  {send: "GET /r0/x\r\n"},
	"HTTP/0.9":                    {send: "GET /r0/x HTTP/0.9\r\nHost: x\r\n\r\n", status: 505},
	"HTTP/1.2":                    {send: "GET /r0/x HTTP/1.2\r\nHost: x\r\n\r\n", status: 505},
	"preface of HTTP/2":           {send: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 505},
	"other host in the target":    {send: "GET http://y/r0/x HTTP/1.1\r\nHost: x\r\n\r\n"},
	"user in the target":          {send: "GET http://x@y/r0/x HTTP/1.1\r\nHost: x\r\n\r\n"},
	"no host":                     {send: "GET /r0/x HTTP/1.1\r\n\r\n"},
	"two hosts":                   {send: "GET /r0/x HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n"},
	"host with a space":           {send: "GET /r0/x HTTP/1.1\r\nHost: x y\r\n\r\n"},
	"chunk, line feed alone":      {send: post + "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n"},
	"chunk, extension with LF":    {send: post + "Transfer-Encoding: chunked\r\n\r\n5;a\nhello\r\n0\r\n\r\n"},
	"chunk, extension with CR":    {send: post + "Transfer-Encoding: chunked\r\n\r\n5;a\rb\r\nhello\r\n0\r\n\r\n"},
	"chunk, extension with NUL":   {send: post + "Transfer-Encoding: chunked\r\n\r\n5;\x00\r\nhello\r\n0\r\n\r\n"},
	"chunk, endless extension":    {send: post + "Transfer-Encoding: chunked\r\n\r\n5;" + strings.Repeat("a", 4000) + "\r\nhello\r\n0\r\n\r\n"},
	"chunk, beyond counting":      {send: post + "Transfer-Encoding: chunked\r\n\r\n10000000000000005\r\nhello\r\n0\r\n\r\n"},
	"chunk, largest size":         {send: post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nhello\r\n0\r\n\r\n"},
	"chunk, hexadecimal prefix":   {send: post + "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n"},
	"chunk, minus":                {send: post + "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n"},
	"chunk, space behind":         {send: post + "Transfer-Encoding: chunked\r\n\r\n5 \r\nhello\r\n0\r\n\r\n"},
	"chunk, longer than it says":  {send: post + "Transfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n"},
	"chunk, two bytes for CR LF":  {send: post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloxx0\r\n\r\n"},
	"chunk, bare end":             {send: post + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\n"},
	"chunk, empty size":           {send: post + "Transfer-Encoding: chunked\r\n\r\n\r\n"},
	"trailer, line feed alone":    {send: post + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\n\r\n"},
	"trailer, space before colon": {send: post + "Transfer-Encoding: chunked\r\n\r\n0\r\nX : y\r\n\r\n"},
	"trailer, a request":          {send: post + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + hidden},

	// What has one reading, however odd, the backend gets with one framing.
	"CL.0":                  {send: post + "Content-Length: 5\r\n\r\nhello", seen: []string{`POST /r0/x "hello"`}},
	"CL of GET":             {send: "GET /r0/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", seen: []string{`GET /r0/x "hello"`}},
	"CL, zeros":             {send: post + "Content-Length: 0005\r\n\r\nhello", seen: []string{`POST /r0/x "hello"`}},
	"CL, named by another":  {send: post + "Connection: Content-Length\r\nContent-Length: 5\r\n\r\nhello", seen: []string{`POST /r0/x "hello"`}},
	"CL, underscore":        {send: post + "Content_Length: 5\r\n\r\n", seen: []string{`POST /r0/x ""`}},
	"CL, encoded":           {send: post + "Content-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello", seen: []string{`POST /r0/x "hello"`}},
	"TE, underscore":        {send: post + "Transfer_Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", seen: []string{`POST /r0/x "0\r\n\r\n"`}},
	"TE, letter case":       {send: post + "tRANSFER-eNCODING: cHUNKED\r\n\r\n5\r\nhello\r\n0\r\n\r\n", seen: []string{`POST /r0/x "hello"`}},
	"TE, named by another":  {send: post + "Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", seen: []string{`POST /r0/x "hello"`}},
	"TE, trailers":          {send: post + "TE: trailers, chunked\r\nContent-Length: 5\r\n\r\nhello", seen: []string{`POST /r0/x "hello"`}},
	"chunk, extension":      {send: post + "Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0;c\r\n\r\n", seen: []string{`POST /r0/x "hello"`}},
	"chunk, zeros":          {send: post + "Transfer-Encoding: chunked\r\n\r\n00005\r\nhello\r\n000\r\n\r\n", seen: []string{`POST /r0/x "hello"`}},
	"trailer of framing":    {send: post + "Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5\r\nhello\r\n0\r\nContent-Length: 9\r\nTransfer-Encoding: x\r\nHost: y\r\n\r\n", seen: []string{`POST /r0/x "hello"`}},
	"line break, encoded":   {send: "GET /r0/x%0d%0aHost:%20y HTTP/1.1\r\nHost: x\r\n\r\n", seen: []string{`GET /r0/x%0D%0AHost:%20y ""`}},
	"empty lines in front":  {send: "\r\n\r\nGET /r0/x HTTP/1.1\r\nHost: x\r\n\r\n", seen: []string{`GET /r0/x ""`}},
	"host in the target":    {send: "GET http://x/r0/x HTTP/1.1\r\nHost: x\r\n\r\n", seen: []string{`GET /r0/x ""`}},
	"h2c":                   {send: "GET /r0/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", seen: []string{`GET /r0/x ""`}},
	"websocket with a body": {send: post + "Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n\r\nhello", seen: []string{`POST /r0/x "hello"`}},
}

// TestRequestsCannotBeHidden sends every attack to a whole gateway, plain and
// with TLS, to backends by both transports. What is refused is answered once,
// the connection ends, and the backend sees nothing of it. What is passed on is
// one request, and the one behind it another.
func TestRequestsCannotBeHidden(t *testing.T) {
	backend := newWitness(t)
	dir := t.TempDir()
	gatewayOf(t, filepath.Join(dir, "ocelot.json"), 1, 0)
	newAuthority(t, dir).issue("front", "localhost")
	for name, args := range map[string][]string{
		"own": nil, "library": {"--transport", "library"}, "TLS": {"--tls-cert", "front.crt", "--tls-key", "front.key"},
	} {
		t.Run(name, func(t *testing.T) {
			gateway := running(t, dir, append([]string{"serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--backend", "*=" + backend.addr(), "ocelot.json"}, args...)...)
			for name, a := range attacks {
				got := sayAll(t, gateway.listen, args != nil && strings.HasPrefix(args[0], "--tls"), a.send)
				whole, messages, wrong := backend.take()
				a.judge(t, name, got, whole, messages, wrong)
			}
			if strings.Contains(gateway.said(), "OnCircuitOpened") {
				t.Error("a client opened a circuit")
			}
			if metrics := fetched(t, "http://"+gateway.admin+"/metrics"); !strings.Contains(metrics, `margay_requests_refused_total{reason="length-beside-coding"} 4`) {
				t.Errorf("the metrics do not count what was refused: %s", metrics)
			}
		})
	}
}

func fetched(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// judge checks what the client got and the backend saw.
func (a attack) judge(t *testing.T, name, got string, whole, messages, wrong []string) {
	t.Helper()
	status := "HTTP/1.1 200 "
	if a.seen == nil {
		status = fmt.Sprintf("HTTP/1.1 %d ", max(a.status, 400))
	}
	want := a.seen
	answers := 1
	if want != nil {
		want = append(append([]string{}, want...), `GET /r0/hidden ""`, `GET /r0/last ""`)
		answers = 3
	}
	if n := strings.Count(got, "HTTP/1.1 "); n != answers || !strings.HasPrefix(got, status) {
		t.Errorf("%s: got %d answers, want %d with %s: %.300q", name, n, answers, status, got)
	}
	if strings.Join(whole, ", ") != strings.Join(want, ", ") || len(wrong) > 0 {
		t.Errorf("%s: the backend saw %q, want %q, and could not take %q", name, whole, want, wrong)
	}
	for _, message := range messages {
		message = strings.ToLower(message)
		if strings.Count(message, "\r\ncontent-length:")+strings.Count(message, "\r\ntransfer-encoding:") > 1 {
			t.Errorf("%s: two framings: %q", name, message)
		}
	}
}

// sayAll sends a text, a hidden request and a last one to a gateway, and returns
// everything that comes back until the connection ends.
func sayAll(t *testing.T, addr string, secure bool, text string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	if secure {
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true})
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	// Who is refused early, and cut off, cannot write the rest; the answer says it.
	_, _ = io.WriteString(c, text+hidden+"GET /r0/last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	got, _ := io.ReadAll(c)
	return string(got)
}
