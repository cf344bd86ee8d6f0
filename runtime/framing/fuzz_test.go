package framing_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/framing"
)

var seeds = []string{
	"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	"\r\n\r\nGET / HTTP/1.0\r\n\r\nGET /2 HTTP/1.0\r\n\r\n",
	"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1\r\n",
	"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: 1\r\n\r\nGET /",
	"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
	"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0000\r\n\r\n\r\n",
	"GET http://x:80/a HTTP/1.1\r\nHost: X\r\nUpgrade: h2c\r\n\r\n",
	"POST / HTTP/1.0\r\nContent-Length: 003\r\n\r\nabc",
	"GET / HTTP/1.1\nHost: x\n\n", "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n",
	"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;\x7f\r\nhello\r\n0\r\n\r\n", // net/http takes it
}

// FuzzOneReading holds the package against net/http: what is let through is
// read there as the same message, of the same number of bytes; and how a message
// is cut into pieces makes no difference.
func FuzzOneReading(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		head, whole, refused := scan(t, text, 1<<20)
		piecewise, whole2, refused2 := scan(t, text, int(size)+1)
		if whole != whole2 || whole && head != piecewise || refused != 0 && refused2 == 0 {
			t.Fatalf("at once %+v %v %v, in pieces %+v %v %v", head, whole, refused, piecewise, whole2, refused2)
		}
		if !whole {
			return
		}
		body := text[head.Size:]
		n, ended, wrong := pass(head, body, 1<<20)
		if n2, ended2, wrong2 := pass(head, body, int(size)+1); n != n2 || ended != ended2 || wrong != wrong2 {
			t.Fatalf("at once %d %v %v, in pieces %d %v %v", n, ended, wrong, n2, ended2, wrong2)
		}
		agree(t, text[head.Skip:], head, n, ended, wrong)
	})
}

// agree reads a message by net/http, which may refuse more. Of a body that is
// refused it gets what stands before the wrong byte, as it does from a listener:
// that must not look whole to it.
func agree(t *testing.T, text string, head framing.Head, bodySize int, ended bool, wrong framing.Refusal) {
	if wrong != 0 {
		text = text[:head.Size-head.Skip+bodySize]
	}
	rest := strings.NewReader(text)
	r := bufio.NewReader(rest)
	behind := func() int { return len(text) - rest.Len() - r.Buffered() }
	req, err := http.ReadRequest(r)
	if err != nil {
		return
	}
	size := head.Size - head.Skip
	if behind() != size || req.ContentLength != head.Length && !h2Preface(req) {
		t.Fatalf("net/http reads a head of %d bytes with a body of %d, want %d and %d", behind(), req.ContentLength, size, head.Length)
	}
	if req.ProtoMajor != 1 || req.ProtoMinor > 1 {
		t.Fatalf("got %s", req.Proto)
	}
	if _, err := io.Copy(io.Discard, req.Body); err != nil {
		return // it is answered 400, and the connection ends
	}
	if !ended || behind() != size+bodySize {
		t.Fatalf("net/http reads a body of %d bytes, want %d, ended %v", behind()-size, bodySize, ended)
	}
}

// h2Preface reports whether net/http takes a request for the start of HTTP/2.
func h2Preface(r *http.Request) bool { return r.Method == "PRI" && r.ProtoMajor == 2 }
