package proxy_test

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/testdata/oracletest"
)

// stage is the upstreams of one case at a time. Each follows the script and
// notes what reaches it.
type stage struct {
	addresses map[string]string // "UP1" to port
	listeners []net.Listener
	network   *network // nil: the system's
	recorded  []byte   // the recordings

	mu       sync.Mutex
	script   script     // guarded by mu
	used     int        // guarded by mu: answers given by the script
	contacts []*contact // guarded by mu, as is what they point at
}

func newStage(t testing.TB) *stage {
	t.Helper()
	return newStageOn(t, nil, oracletest.Bytes(t, routingFile))
}

func newStageOn(t testing.TB, n *network, recorded []byte) *stage {
	t.Helper()
	s := &stage{addresses: map[string]string{}, network: n, recorded: recorded}
	h2 := s.listen(t)
	s.addresses["UPH2"] = port(h2)
	go s.serveHTTP2(h2)
	for _, name := range []string{"UP1", "UP2", "UP3", "UP4", "UPW", "DEFAULT"} {
		l := s.listen(t)
		s.addresses[name] = port(l)
		go s.accept(name, l)
	}
	s.addresses["DEAD"] = s.closedPort(t)
	return s
}

// serveHTTP2 is an upstream that speaks HTTP/2 without TLS, and tells those who
// don't so, as Kestrel does.
func (s *stage) serveHTTP2(l net.Listener) {
	protocols := &http.Protocols{}
	protocols.SetUnencryptedHTTP2(true)
	protocols.SetHTTP1(true)
	server := http.Server{Protocols: protocols, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		if r.ProtoMajor < 2 {
			io.Copy(io.Discard, r.Body) // or the answer may be there before the request is whole
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, "An HTTP/1.x request was sent to an HTTP/2 only endpoint.")
			return
		}
		c := &contact{Upstream: "UPH2", Method: r.Method, Target: r.RequestURI, Version: "HTTP/2", Host: r.Host, Framing: "none"}
		for name, values := range r.Header {
			for _, v := range values {
				c.Headers = append(c.Headers, [2]string{name, v})
			}
		}
		body, _ := io.ReadAll(r.Body)
		if len(body) > 0 {
			c.Framing = "stream"
			if length := r.Header.Get("Content-Length"); length != "" {
				c.Framing = "length:" + length
			}
		}
		text := string(body)
		c.Body, c.BodyLen, c.BodySHA = &text, len(body), sum(body)
		s.note(c)
		w.Header().Set("X-Up", "UPH2")
		fmt.Fprintf(w, "UPH2 %s %s", r.Method, r.RequestURI)
	})}
	_ = server.Serve(l)
}

func port(l net.Listener) string { return strconv.Itoa(l.Addr().(*net.TCPAddr).Port) }

func (s *stage) close() {
	for _, l := range s.listeners {
		l.Close()
	}
}

// ports puts port numbers in place of their names, and back.
func (s *stage) ports(text string) string {
	for name, port := range s.addresses {
		text = strings.ReplaceAll(text, "{{"+name+"}}", port)
	}
	return text
}

func (s *stage) names(text string) string {
	for name, port := range s.addresses {
		text = strings.ReplaceAll(text, port, "{{"+name+"}}")
	}
	return text
}

// play sets the script of the next request.
func (s *stage) play(what script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script, s.used, s.contacts = what, 0, nil
}

// seen returns what has reached the upstreams since the last play.
func (s *stage) seen() []contact {
	s.mu.Lock()
	defer s.mu.Unlock()
	var seen []contact
	for _, c := range s.contacts {
		seen = append(seen, *c)
	}
	return seen
}

func (s *stage) accept(name string, l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			r := bufio.NewReader(conn)
			for s.serve(name, conn, r) {
			}
		}()
	}
}

// serve answers one request, and reports whether the connection goes on.
func (s *stage) serve(name string, conn net.Conn, r *bufio.Reader) bool {
	c, err := readHead(r)
	if err != nil {
		return false
	}
	c.Upstream = name
	noted, what := s.note(c)
	if what.Action == "reset_before_body" {
		return reset(conn)
	}
	if header(c.Headers, "expect") != "" && (what.Continue == nil || *what.Continue) {
		io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n")
		c.Sent100 = true
	}
	if what.Early != "" {
		io.WriteString(conn, what.Early)
		if !strings.HasPrefix(what.Early, "HTTP/1.1 1") {
			io.Copy(io.Discard, r) // a reset would overtake the answer: the library may see it first
			return false
		}
	}
	if err := readBody(r, c); err != nil {
		if what.Action != "reset_before_body" {
			s.renote(noted, c)
		}
		return false
	}
	s.renote(noted, c)
	return s.answer(conn, what, name, c)
}

// note adds a contact and returns what to do with it. The recorder knows the
// framing of a body that it would read. What is noted later belongs to the same
// play, though another one may have begun.
func (s *stage) note(c *contact) (*contact, script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what := s.next(c)
	noted := *c
	if what.Action == "reset_before_body" {
		noted.Framing = "none"
	}
	s.contacts = append(s.contacts, &noted)
	return &noted, what
}

// next takes what the script does with a contact. mu is held.
func (s *stage) next(c *contact) script {
	what := s.script
	path, _, _ := strings.Cut(c.Target, "?")
	if what.ByPath != nil {
		one, ok := what.ByPath[path]
		if !ok {
			one = what.ByPath["*"]
		}
		what = one
	}
	if what.ByUpstream != nil {
		one, ok := what.ByUpstream[c.Upstream]
		if !ok {
			one = what.ByUpstream["*"]
		}
		what = one
	}
	if s.used++; what.Then != nil && s.used > what.Times {
		what = *what.Then
	}
	return what
}

func (s *stage) renote(noted, c *contact) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*noted = *c
}

// TestALateBodyBelongsToItsOwnPlay: what a contact of an earlier play comes to
// changes nothing that the present one has seen.
func TestALateBodyBelongsToItsOwnPlay(t *testing.T) {
	s := &stage{}
	s.play(script{})
	late, _ := s.note(&contact{Target: "/late"})
	s.play(script{})
	s.note(&contact{Target: "/own"})
	s.renote(late, &contact{Target: "/late", BodyLen: 5})
	if seen := s.seen(); len(seen) != 1 || seen[0].Target != "/own" {
		t.Errorf("got %+v", seen)
	}
}

func reset(conn net.Conn) bool {
	if c, ok := conn.(*memoryConn); ok {
		c.Reset()
		return false
	}
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
	return false
}

// answer does what the script says, and reports whether the connection goes on.
func (s *stage) answer(conn net.Conn, what script, name string, c *contact) bool {
	pause(what.Delay)
	switch what.Action {
	case "close":
		return false
	case "reset":
		return reset(conn)
	case "hang":
		io.Copy(io.Discard, conn) // until the gateway gives up
		return false
	}
	if what.Raw != nil {
		io.WriteString(conn, strings.ReplaceAll(*what.Raw, "{{SELF}}", s.addresses[name]))
		if what.ThenReset {
			time.Sleep(20 * time.Millisecond)
			return reset(conn)
		}
		return !what.ThenClose
	}
	return s.respond(conn, what, name, c)
}

func (s *stage) respond(conn net.Conn, what script, name string, c *contact) bool {
	status := cmp.Or(what.Status, 200)
	var head bytes.Buffer
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", status, cmp.Or(what.Reason, reasons[status], "Status"))
	fmt.Fprintf(&head, "X-Up: %s\r\n", name)
	headers := what.Headers
	if headers == nil {
		headers = [][2]string{{"Content-Type", "text/plain"}}
	}
	for _, h := range headers {
		fmt.Fprintf(&head, "%s: %s\r\n", h[0], s.ports(strings.ReplaceAll(h[1], "{{SELF}}", s.addresses[name])))
	}
	body := what.body(name, c)
	none := c.Method == "HEAD" || status == 204 || status == 304
	switch {
	case what.Framing == "chunked":
		head.WriteString("Transfer-Encoding: chunked\r\n")
	case what.Framing == "close":
	case header(headers, "content-length") == "" && status != 204 && status != 304:
		fmt.Fprintf(&head, "Content-Length: %d\r\n", len(body))
	}
	head.WriteString("\r\n")
	conn.Write(head.Bytes())
	if none {
		return true
	}
	return s.sendBody(conn, what, body)
}

func (s *stage) sendBody(conn net.Conn, what script, body []byte) bool {
	n := max(what.Chunks, 1)
	if what.Cut != "" {
		body, n = body[:len(body)/2], max(n/2, 1)
	}
	size := max((len(body)+n-1)/n, 1)
	for i := 0; len(body) > 0; i++ {
		if i > 0 {
			pause(what.ChunkDelay)
		}
		part := body[:min(size, len(body))]
		body = body[len(part):]
		if what.Framing == "chunked" {
			fmt.Fprintf(conn, "%x\r\n%s\r\n", len(part), part)
		} else {
			conn.Write(part)
		}
	}
	switch what.Cut {
	case "close":
		return false
	case "reset":
		time.Sleep(50 * time.Millisecond) // what was sent arrives before
		return reset(conn)
	}
	if what.Framing == "chunked" {
		io.WriteString(conn, "0\r\n")
		for _, h := range what.Trailers {
			fmt.Fprintf(conn, "%s: %s\r\n", h[0], h[1])
		}
		io.WriteString(conn, "\r\n")
	}
	return what.Framing != "close" && !what.ThenClose
}

// reasons are the phrases that the recorder knows.
var reasons = map[int]string{200: "OK", 201: "Created", 204: "No Content", 301: "Moved Permanently", 302: "Found",
	304: "Not Modified", 400: "Bad Request", 404: "Not Found", 500: "Internal Server Error", 503: "Service Unavailable"}

func pause(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }

// readHead reads the head of a request.
func readHead(r *bufio.Reader) (*contact, error) {
	line, err := textproto.NewReader(r).ReadLine()
	if err != nil {
		return nil, err
	}
	parts := strings.SplitN(line, " ", 3)
	// A TLS greeting is some 1 500 random bytes: now and then they hold two
	// spaces and an empty line, but never the version.
	if len(parts) != 3 || !strings.HasPrefix(parts[2], "HTTP/1.") {
		return nil, fmt.Errorf("request line %q", line)
	}
	c := &contact{Method: parts[0], Target: parts[1], Version: parts[2], Headers: [][2]string{}, Framing: "none"}
	headers, err := readHeaders(r)
	for _, h := range headers {
		if strings.EqualFold(h[0], "host") {
			c.Host = h[1]
		} else {
			c.Headers = append(c.Headers, h)
		}
	}
	switch length := header(c.Headers, "content-length"); {
	case strings.EqualFold(header(c.Headers, "transfer-encoding"), "chunked"):
		c.Framing = "chunked"
	case length != "":
		c.Framing = "length:" + length
	}
	return c, err
}

func readHeaders(r *bufio.Reader) (out [][2]string, err error) {
	for {
		line, err := textproto.NewReader(r).ReadLine()
		if err != nil || line == "" {
			return out, err
		}
		name, value, _ := strings.Cut(line, ":")
		out = append(out, [2]string{name, strings.TrimSpace(value)})
	}
}

func header(all [][2]string, name string) string {
	for _, h := range all {
		if strings.EqualFold(h[0], name) {
			return h[1]
		}
	}
	return ""
}

// readBody reads the body of a request.
func readBody(r *bufio.Reader, c *contact) (err error) {
	var body []byte
	switch length := header(c.Headers, "content-length"); {
	case c.Framing == "chunked":
		body, c.Trailers, err = readChunks(r)
	case length != "":
		n, _ := strconv.Atoi(length)
		body = make([]byte, n)
		n, err = io.ReadFull(r, body)
		body = body[:n]
	}
	c.BodyLen = len(body)
	text := string(body)
	c.Body, c.BodySHA = &text, sum(body)
	return err
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func readChunks(r *bufio.Reader) (body []byte, trailers [][2]string, err error) {
	for {
		line, err := textproto.NewReader(r).ReadLine()
		if err != nil {
			return body, nil, err
		}
		digits, _, _ := strings.Cut(line, ";")
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 16, 32)
		if err != nil {
			return body, nil, err
		}
		if n == 0 {
			trailers, err = readHeaders(r)
			return body, trailers, err
		}
		part := make([]byte, n+2)
		k, err := io.ReadFull(r, part)
		body = append(body, part[:min(k, int(n))]...)
		if err != nil {
			return body, nil, err
		}
	}
}
