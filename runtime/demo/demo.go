// Package demo is a backend that behaves as badly as it is told to: slow,
// failing, hanging, resetting connections. It answers every request with a
// small JSON object about it.
//
// [New] returns its http.Handler. How it behaves is set by [Knobs], at the
// start and at run time through [ControlPath]. Chance comes from a seed: the
// n-th request of two runs meets the same fate.
package demo

import (
	"cmp"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// ControlPath is where the knobs are read and turned. GET returns those in
// force, and in X-Requests how many requests came, POST sets the ones that its query names, for the prefix of paths that
// "path" names, and DELETE puts back those of the start.
const ControlPath = "/.demo"

// Backend is the demo backend. Make one with New.
type Backend struct {
	name  string
	seed  uint64
	first []Knobs
	count atomic.Uint64

	mu    sync.RWMutex
	rules []Knobs // guarded by mu; the longest path first
}

// New returns a backend with a name that its answers show. Knobs for longer
// paths win.
func New(name string, seed uint64, knobs ...Knobs) *Backend {
	b := &Backend{name: name, seed: seed, first: knobs}
	b.reset()
	return b
}

func (b *Backend) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rules = slices.Clone(b.first)
	b.sort()
}

// sort puts the rules into the order in which they are asked. mu is held.
func (b *Backend) sort() {
	slices.SortStableFunc(b.rules, func(x, y Knobs) int { return cmp.Compare(len(y.Path), len(x.Path)) })
}

// knobs returns those for a path.
func (b *Backend) knobs(path string) Knobs {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, k := range b.rules {
		if strings.HasPrefix(path, k.Path) {
			return k
		}
	}
	return Knobs{}
}

// ServeHTTP answers one request as the knobs have it.
func (b *Backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == ControlPath {
		b.control(w, r)
		return
	}
	n := b.count.Add(1)
	k := b.knobs(r.URL.Path)
	chance := rand.New(rand.NewPCG(b.seed, n))
	received, _ := io.Copy(io.Discard, r.Body)
	if !wait(r, k.delay(chance.Float64())) {
		return
	}
	switch {
	case chance.Float64() < k.HangRate:
		<-r.Context().Done()
	case chance.Float64() < k.ResetRate:
		cut(w)
	case chance.Float64() < k.ErrorRate:
		b.answer(w, r, k, answer{Request: n, Received: received, Status: cmp.Or(k.Status, http.StatusServiceUnavailable)})
	default:
		b.answer(w, r, k, answer{Request: n, Received: received, Status: http.StatusOK})
	}
}

// answer is what the backend says of a request.
type answer struct {
	Backend  string `json:"backend"`
	Request  uint64 `json:"request"` // its number
	Method   string `json:"method"`
	Target   string `json:"target"`
	Host     string `json:"host"`
	Status   int    `json:"status"`
	Received int64  `json:"received"` // bytes of its body
	Filler   string `json:"filler,omitempty"`
}

func (b *Backend) answer(w http.ResponseWriter, r *http.Request, k Knobs, a answer) {
	a.Backend, a.Method, a.Target, a.Host = b.name, r.Method, r.RequestURI, r.Host
	text, _ := json.Marshal(a)
	if missing := k.Size - len(text) - len(`,"filler":""`); missing > 0 {
		a.Filler = strings.Repeat(".", missing)
		text, _ = json.Marshal(a)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)+1))
	w.WriteHeader(a.Status)
	_, _ = w.Write(append(text, '\n'))
}

// wait waits for a time, and reports whether the client is still there.
func wait(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// cut resets the connection, or the stream where the connection has more.
func cut(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	for {
		inner, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			break
		}
		conn = inner.NetConn()
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	conn.Close()
}
