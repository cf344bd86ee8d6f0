package listen_test

import (
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/margay-dev/margay/runtime/framing"
	"github.com/margay-dev/margay/runtime/listen"
)

// TestRefusalsAreTold: of every request that the handler does not see, and of no
// other.
func TestRefusalsAreTold(t *testing.T) {
	var mu sync.Mutex
	var told []string
	_, addr := start(t, echo, listen.Options{PlainHTTP2: true, OnRefused: func(r listen.Refusal) {
		mu.Lock()
		defer mu.Unlock()
		if host, _, err := net.SplitHostPort(r.Remote); err != nil || host != "127.0.0.1" {
			t.Errorf("got a remote %q", r.Remote)
		}
		told = append(told, fmt.Sprintf("%s %q", r.Why.Name(), []string{r.Proto, r.Method, r.Host, r.Target}))
	}})
	raw(t, addr, "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n")
	raw(t, addr, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nx")
	raw(t, addr, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	protocols := &http.Protocols{}
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: protocols}
	defer transport.CloseIdleConnections()
	req, err := http.NewRequest("GET", "http://"+addr+"/large", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Large", strings.Repeat("x", 33<<10))
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	mu.Lock()
	defer mu.Unlock()
	want := []string{`bad-length ["" "" "" ""]`, fmt.Sprintf(`%s ["HTTP/2.0" "GET" %q "/large"]`, framing.LargeFields.Name(), addr)}
	if !slices.Equal(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
}

// TestRefusalsAreCountedAndLogged, on the level Debug, without what the client
// sent.
func TestRefusalsAreCountedAndLogged(t *testing.T) {
	var log lines
	s, addr := start(t, echo, listen.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	raw(t, addr, "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n")
	raw(t, addr, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nx")
	if got := log.String(); !strings.Contains(got, `why="the Content-Length is no number of bytes"`) || !strings.Contains(got, "client=127.0.0.1:") {
		t.Errorf("got %q", got)
	}
	got := map[string]int64{}
	for why, n := range s.Refused() {
		if n > 0 {
			got[why.Name()] = n
		}
	}
	if want := map[string]int64{"bad-length": 1, "chunk-size": 1}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// lines is a log that is written to while it is read.
type lines struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
