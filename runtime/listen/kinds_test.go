package listen_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
)

// seen is a handler that remembers the requests that it gets, with their bodies.
type seen struct {
	mu   sync.Mutex
	all  []string      // guarded by mu
	hold chan struct{} // nil: nobody waits
}

func (s *seen) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if s.hold != nil {
		<-s.hold
	}
	s.mu.Lock()
	s.all = append(s.all, fmt.Sprintf("%s %s %s %v", r.Method, r.RequestURI, body, r.TransferEncoding))
	s.mu.Unlock()
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	fmt.Fprint(w, r.RequestURI)
}

func (s *seen) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.all
	s.all = nil
	return all
}

// dialer opens connections to a server of a kind.
type dialer func() net.Conn

// eachKind runs a test with plain connections and with TLS.
func eachKind(t *testing.T, h http.Handler, o listen.Options, f func(t *testing.T, dial dialer)) {
	for _, kind := range []string{"plain", "TLS"} {
		t.Run(kind, func(t *testing.T) {
			if kind == "TLS" {
				o.Certificates = certificate(t)
			}
			_, addr := start(t, h, o)
			f(t, func() net.Conn {
				c, err := net.Dial("tcp", addr)
				if err != nil {
					t.Fatal(err)
				}
				if kind == "TLS" {
					c = tls.Client(c, &tls.Config{InsecureSkipVerify: true})
				}
				_ = c.SetDeadline(time.Now().Add(patience))
				return c
			})
		})
	}
}

func certificate(t *testing.T) *listen.Certificates {
	t.Helper()
	pair := pairIn(t.TempDir(), "a")
	issue(t, pair, "a.example", 1)
	certificates, err := listen.ReadCertificates(pair)
	if err != nil {
		t.Fatal(err)
	}
	return certificates
}

// say sends a text in pieces of a size and returns what comes until the
// connection ends.
func say(t *testing.T, dial dialer, text string, size int) string {
	t.Helper()
	c := dial()
	defer c.Close()
	for len(text) > 0 {
		n := min(size, len(text))
		if _, err := io.WriteString(c, text[:n]); err != nil {
			break
		}
		text = text[n:]
	}
	got, err := io.ReadAll(c)
	if isTimeout(err) {
		t.Errorf("the connection does not end behind %.200q", got)
	}
	return string(got)
}
