package listen

import (
	"context"
	"io"
	"iter"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/framing"
)

// Refusal is a request that was refused before the handler saw it.
type Refusal struct {
	// Remote is the address of the client's connection.
	Remote string
	// Proto, Method, Host and Target are those of the request; empty for one of
	// HTTP/1, of which nothing can be relied upon.
	Proto, Method, Host, Target string
	Why                         framing.Refusal
}

// refusals count the requests that were refused, by what was wrong with them.
type refusals [framing.Kinds]atomic.Int64

func (r *refusals) count(why framing.Refusal) { r[why].Add(1) }

// Refused returns how many requests were refused since the server was made, by
// what was wrong with them.
func (s *Server) Refused() iter.Seq2[framing.Refusal, int64] {
	return func(yield func(framing.Refusal, int64) bool) {
		for why := range framing.All() {
			if !yield(why, s.rules.refused[why].Load()) {
				return
			}
		}
	}
}

// lawful answers what the strict connection of a request refuses, and requests
// of HTTP/2 beyond the limits.
func lawful(next http.Handler, rules *rules) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor == 1 && r.ProtoMinor > 1 {
			status, _ := strconv.Atoi(r.RequestURI[1:])
			refuse(w, status)
			return
		}
		if r.ProtoMajor > 1 {
			refused := framing.OfRequest(r)
			if refused == 0 && sizeOf(r.Header) > rules.fieldBytes {
				refused = framing.LargeFields
			}
			if refused != 0 {
				rules.refused.count(refused)
				rules.tell(Refusal{Remote: r.RemoteAddr, Proto: r.Proto, Method: r.Method, Host: r.Host, Target: r.RequestURI, Why: refused})
				w.WriteHeader(refused.Status())
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// tell tells whoever wants to know of a refusal.
func (r *rules) tell(of Refusal) {
	if r.onRefused != nil {
		r.onRefused(of)
	}
}

// sizeOf returns the number of bytes that headers would have as lines.
func sizeOf(h http.Header) int {
	n := 0
	for name, values := range h {
		for _, v := range values {
			n += len(name) + len(v) + len(": \r\n")
		}
	}
	return n
}

// refuse answers in place of a request that nobody should see, and ends the
// connection.
func refuse(w http.ResponseWriter, status int) {
	w.Header()["Connection"] = []string{"close"}
	w.Header()["Content-Length"] = []string{"0"}
	w.WriteHeader(status)
}

// connKey is the key of the connection in the context of its requests.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// What a client that is refused may still send, so that the answer is not lost
// to it: to close a connection with bytes that nobody read is to reset it.
const (
	lingerTime  = time.Second
	lingerBytes = 1 << 20
)

// Close ends the connection: where the client was refused something, once it
// has had the time to stop by itself.
func (c *strict) Close() error {
	if c.refused.Swap(false) && !c.rules.closed.Load() {
		_ = c.CloseWrite()
		_ = c.Conn.SetReadDeadline(time.Now().Add(lingerTime))
		_, _ = io.CopyN(io.Discard, c.Conn, lingerBytes)
	}
	return c.Conn.Close()
}

// CloseWrite ends what is sent, while the client may go on.
func (c *strict) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return net.ErrClosed
}
