package proxy_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// raise lets an upstream take connections.
func (y *player) raise(name string) {
	l := y.network.listen(fmt.Sprintf("127.0.0.1:%d", tracePort(name)))
	y.mu.Lock()
	y.down[name] = l
	y.mu.Unlock()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			y.mu.Lock()
			y.open[name] = append(y.open[name], conn.(*memoryConn))
			y.mu.Unlock()
			go y.serve(name, conn.(*memoryConn))
		}
	}()
}

// sink has an upstream take no more of them.
func (y *player) sink(name string) {
	y.mu.Lock()
	l, conns := y.down[name], y.open[name]
	delete(y.down, name)
	delete(y.open, name)
	y.mu.Unlock()
	if l != nil {
		l.Close()
	}
	for _, c := range conns {
		c.Close()
	}
}

// serve answers the requests of a connection by the script of the step that is
// played when they come.
func (y *player) serve(name string, conn *memoryConn) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for {
		c, err := readHead(r)
		if err != nil {
			return
		}
		what := y.contact(name)
		if err := readBody(r, c); err != nil {
			return
		}
		if !respondTrace(conn, r, name, c, &what) {
			return
		}
	}
}

func (y *player) contact(name string) traceScript {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.contacts[y.current][name]++
	var by map[string]json.RawMessage
	raw := y.rec.Steps[y.current].Upstream
	json.Unmarshal(raw, &by)
	if own, ok := by[name]; ok {
		raw = own
	}
	var what traceScript
	json.Unmarshal(raw, &what)
	if n := len(what.Sequence); n > 0 {
		i := y.used[y.current]
		y.used[y.current]++
		what = what.Sequence[min(i, n-1)]
	}
	return what
}

// respondTrace does what the script says, and reports whether the connection
// goes on.
func respondTrace(conn *memoryConn, r *bufio.Reader, name string, c *contact, what *traceScript) bool {
	pause(what.Delay)
	switch {
	case what.Hang:
		io.Copy(io.Discard, r)
		return false
	case what.Close == "before-headers":
		return false
	case what.Reset == "before-headers":
		conn.Reset()
		return false
	case what.Garbage:
		io.WriteString(conn, "this is not HTTP\r\n\r\n")
		return false
	case what.Reset == "in-headers":
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-")
		time.Sleep(time.Millisecond)
		conn.Reset()
		return false
	case what.Accept && header(c.Headers, "upgrade") != "":
		pause(what.WSDelay)
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		return false
	}
	status := cmp.Or(what.Status, 200)
	body := fmt.Sprintf("upstream %s %d", name, status)
	if what.Body != nil {
		body = *what.Body
	}
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, cmp.Or(what.Reason, "Reason"))
	if what.Headers["Content-Type"] == "" && status != 204 {
		b.WriteString("Content-Type: text/plain\r\n")
	}
	for _, h := range slices.Sorted(maps.Keys(what.Headers)) {
		fmt.Fprintf(&b, "%s: %s\r\n", h, what.Headers[h])
	}
	none := c.Method == "HEAD" || status == 204 || status == 304
	switch {
	case what.Chunked:
		b.WriteString("Transfer-Encoding: chunked\r\n\r\n")
	case what.Close == "in-body" || what.Reset == "in-body":
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(body)+1000)
	case status != 204:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(body))
	default:
		b.WriteString("\r\n")
	}
	io.WriteString(conn, b.String())
	if none {
		return true
	}
	return sendTraceBody(conn, what, body)
}

// sendTraceBody sends a body in two parts.
func sendTraceBody(conn *memoryConn, what *traceScript, body string) bool {
	half := min(len(body), len("upstream "))
	part := func(text string) {
		if what.Chunked && text != "" {
			text = fmt.Sprintf("%x\r\n%s\r\n", len(text), text)
		}
		io.WriteString(conn, text)
	}
	part(body[:half])
	switch {
	case what.Close == "in-body":
		return false
	case what.Reset == "in-body":
		time.Sleep(10 * time.Millisecond) // what was sent arrives before
		conn.Reset()
		return false
	}
	pause(what.BodyDelay)
	part(body[half:])
	if what.Chunked {
		io.WriteString(conn, "0\r\n\r\n")
	}
	return true
}
