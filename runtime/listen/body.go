package listen

import (
	"io"
	"net/http"
	"time"
)

// bounded holds the bodies of requests to the limits.
func bounded(next http.Handler, limits Limits) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == 0 {
			next.ServeHTTP(w, r)
			return
		}
		if limits.BodyBytes > 0 {
			if r.ContentLength > limits.BodyBytes {
				r.Body = oversized{r.Body, limits.BodyBytes}
				next.ServeHTTP(w, r)
				return
			}
			r.Body = http.MaxBytesReader(w, r.Body, limits.BodyBytes)
		}
		if limits.BodyRate > 0 {
			r.Body = &slowBody{ReadCloser: r.Body, client: http.NewResponseController(w), rate: limits.BodyRate, credit: limits.Grace, most: saving * limits.Grace}
		}
		next.ServeHTTP(w, r)
	})
}

// oversized is a body whose length is above the limit. It is not read: whoever
// is asked for it says so, once it is clear that somebody would read it.
type oversized struct {
	io.ReadCloser
	limit int64
}

// Read refuses.
func (b oversized) Read([]byte) (int, error) { return 0, &http.MaxBytesError{Limit: b.limit} }

// Oversized says that the body is not going to be read.
func (b oversized) Oversized() error { return &http.MaxBytesError{Limit: b.limit} }

// slowBody is a body whose client has to keep up a rate. Only the time spent
// waiting for the client counts: when a backend takes its time, nobody is to
// blame on this side.
type slowBody struct {
	io.ReadCloser
	client *http.ResponseController
	rate   int // bytes a second
	// credit is how long the client may let us wait from now on.
	credit time.Duration
	// most bounds what a client can earn by being fast before.
	most time.Duration
}

// saving is the number of times the grace that a client can have in hand.
const saving = 6

func (b *slowBody) Read(p []byte) (int, error) {
	start := time.Now()
	// A connection without deadlines has no slow clients either.
	_ = b.client.SetReadDeadline(start.Add(max(b.credit, time.Millisecond)))
	n, err := b.ReadCloser.Read(p)
	earned := time.Duration(n) * time.Second / time.Duration(b.rate)
	b.credit = min(b.credit+earned-time.Since(start), b.most)
	if err == io.EOF {
		// The server now waits for the client to go away, for as long as it takes.
		_ = b.client.SetReadDeadline(time.Time{})
	}
	return n, err
}
