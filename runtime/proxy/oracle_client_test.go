package proxy_test

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// answer is what the client got.
type answer struct {
	status   int
	reason   string
	headers  [][2]string
	framing  string
	body     []byte
	trailers [][2]string
	interim  []int
	end      string // "": complete
}

// patience is how long a client waits for an answer.
const patience = time.Minute

// ask sends a recorded request and reads the answer.
func (s *stage) ask(address string, q *recordedRequest, replace func(string) string) (*answer, error) {
	conn, err := s.connect(address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if q.AbortAfter != nil {
		t := time.AfterFunc(time.Duration(*q.AbortAfter)*time.Millisecond, func() { reset(conn) })
		defer t.Stop()
	}
	r := bufio.NewReader(conn)
	a := &answer{}
	done := make(chan struct{})
	go func() { defer close(done); send(conn, r, a, q, replace) }()
	if q.WaitFor100 {
		<-done
	}
	a.read(r, q)
	if q.AbortAfter != nil && a.end != "" {
		a.end = "client_aborted"
	}
	if q.CutAt != nil && !q.HalfClose {
		<-done
		a.end = "client_closed"
	}
	return a, nil
}

// send writes a request.
func send(conn net.Conn, r *bufio.Reader, a *answer, q *recordedRequest, replace func(string) string) {
	if q.Raw != nil {
		io.WriteString(conn, replace(*q.Raw))
		if q.HalfClose {
			conn.(interface{ CloseWrite() error }).CloseWrite()
		}
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s\r\n", q.Method, q.Target, cmp.Or(q.Version, "HTTP/1.1"))
	for _, h := range q.Headers {
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], replace(h[1]))
	}
	b.WriteString("\r\n")
	body := ""
	switch {
	case q.Body != nil:
		body = *q.Body
	case q.PatternLen > 0:
		body = string(pattern(q.PatternLen))
	}
	for _, chunk := range q.Chunks {
		body += fmt.Sprintf("%x\r\n%s\r\n", len(chunk), chunk)
	}
	if q.Chunks != nil {
		body += "0\r\n"
		for _, h := range q.Trailers {
			body += h[0] + ": " + h[1] + "\r\n"
		}
		body += "\r\n"
	}
	switch {
	case q.WaitFor100:
		io.WriteString(conn, b.String())
		a.readInterim(r)
		io.WriteString(conn, body)
	case q.TwoPartsDelay > 0:
		io.WriteString(conn, b.String())
		pause(q.TwoPartsDelay)
		io.WriteString(conn, body[:len(body)/2])
		pause(q.TwoPartsDelay)
		io.WriteString(conn, body[len(body)/2:])
	case q.CutAt != nil:
		io.WriteString(conn, b.String()+body[:*q.CutAt])
		if q.HalfClose {
			conn.(interface{ CloseWrite() error }).CloseWrite()
		} else {
			pause(100)
			conn.Close()
		}
	default:
		io.WriteString(conn, b.String()+body)
	}
}

// readInterim reads one response with 1xx.
func (a *answer) readInterim(r *bufio.Reader) {
	status, _, _, err := readStatus(r)
	if err == nil {
		a.interim = append(a.interim, status)
	}
}

func readStatus(r *bufio.Reader) (status int, reason string, headers [][2]string, err error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return 0, "", nil, err
	}
	parts := strings.SplitN(strings.TrimRight(line, "\r\n"), " ", 3)
	if len(parts) < 2 {
		return 0, "", nil, fmt.Errorf("status line %q", line)
	}
	if len(parts) == 3 {
		reason = parts[2]
	}
	status, _ = strconv.Atoi(parts[1])
	headers, err = readHeaders(r)
	return status, reason, headers, err
}

// read reads the answer.
func (a *answer) read(r *bufio.Reader, q *recordedRequest) {
	a.framing = "none"
	for {
		status, reason, headers, err := readStatus(r)
		if err != nil {
			a.end = "closed_no_response"
			return
		}
		if status >= 100 && status < 200 && status != 101 {
			a.interim = append(a.interim, status)
			continue
		}
		a.status, a.reason, a.headers = status, reason, headers
		break
	}
	a.readBody(r, q)
}

func (a *answer) readBody(r *bufio.Reader, q *recordedRequest) {
	var err error
	length := header(a.headers, "content-length")
	method := q.Method
	if q.Raw != nil {
		method, _, _ = strings.Cut(*q.Raw, " ")
	}
	switch {
	case method == "HEAD", a.status == 204, a.status == 304, a.status == 101:
		return
	case strings.EqualFold(header(a.headers, "transfer-encoding"), "chunked"):
		a.framing = "chunked"
		a.body, a.trailers, err = readChunks(r)
	case length != "":
		a.framing = "length:" + length
		n, _ := strconv.Atoi(length)
		a.body = make([]byte, n)
		n, err = io.ReadFull(r, a.body)
		a.body = a.body[:n]
	default:
		a.framing = "close"
		a.body, err = io.ReadAll(r)
	}
	switch {
	case err == nil:
	case errors.Is(err, syscall.ECONNRESET):
		a.end = "closed_in_body"
	default:
		a.end = "closed_in_body"
	}
}
