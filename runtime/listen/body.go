package listen

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"
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
				_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(limits.Grace)) // for what the server still reads
				return
			}
			r.Body = http.MaxBytesReader(w, r.Body, limits.BodyBytes)
		}
		watched := watchedBody{ReadCloser: r.Body}
		watched.judge, _ = r.Context().Value(connKey{}).(judge)
		if limits.BodyRate <= 0 {
			r.Body = watched
			next.ServeHTTP(w, r)
			return
		}
		body := &slowBody{watchedBody: watched, client: http.NewResponseController(w), rate: limits.BodyRate, credit: limits.Grace,
			grace: limits.Grace, most: saving * limits.Grace}
		defer body.leave()
		r.Body = body
		next.ServeHTTP(w, r)
	})
}

// judge knows what a client did wrong.
type judge interface{ Fault() error }

// watchedBody is a body that tells whose fault it is that it cannot be read.
type watchedBody struct {
	io.ReadCloser
	judge judge // nil: nobody knows
}

// Fault returns what the client did wrong, other than to go away; nil if nothing.
// It is known before the context of the request ends for that reason.
func (b watchedBody) Fault() error {
	if b.judge == nil {
		return nil
	}
	return b.judge.Fault()
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
	watchedBody
	client *http.ResponseController
	rate   int // bytes a second
	// credit is how long the client may let us wait from now on.
	credit time.Duration
	// most bounds what a client can earn by being fast before.
	most time.Duration
	// grace is how long what is left may take to come when nobody reads it.
	grace time.Duration

	reading sync.Mutex // held while the body is read
	late    bool       // guarded by reading: the client has let us wait for too long
	ended   atomic.Bool
	left    atomic.Bool // nobody is to read any more
}

// saving is the number of times the grace that a client can have in hand.
const saving = 6

func (b *slowBody) Read(p []byte) (int, error) {
	b.reading.Lock()
	defer b.reading.Unlock()
	start := time.Now()
	// A connection without deadlines has no slow clients either.
	_ = b.client.SetReadDeadline(start.Add(max(b.credit, time.Millisecond)))
	if b.left.Load() { // looked at behind the deadline, which leave takes back
		return 0, http.ErrBodyReadAfterClose
	}
	n, err := b.ReadCloser.Read(p)
	earned := time.Duration(n) * time.Second / time.Duration(b.rate)
	b.credit = min(b.credit+earned-time.Since(start), b.most)
	b.late = b.late || err != nil && isTimeout(err)
	if err == io.EOF {
		b.ended.Store(true)
		// The server now waits for the client to go away, for as long as it takes.
		_ = b.client.SetReadDeadline(time.Time{})
	}
	return n, err
}

// leave ends a read that is going on and allows no other. What is left of the
// body is for the server to take, which must not wait for it without end.
func (b *slowBody) leave() {
	if b.ended.Load() || b.left.Swap(true) {
		return
	}
	_ = b.client.SetReadDeadline(time.Unix(1, 0))
	b.reading.Lock()
	defer b.reading.Unlock()
	if !b.ended.Load() && !b.late {
		_ = b.client.SetReadDeadline(time.Now().Add(b.grace))
	}
}

// Close takes what is left of the body, within the grace.
func (b *slowBody) Close() error {
	b.leave()
	return b.ReadCloser.Close()
}
