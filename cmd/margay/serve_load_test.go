package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// traffic asks for URLs over a few connections until it is stopped, and counts.
type traffic struct {
	client   *http.Client
	stopping chan struct{}
	group    sync.WaitGroup
	answered atomic.Int64

	mu   sync.Mutex
	lost []string // guarded by mu: the first few answers that are not 200
	bad  int      // guarded by mu: how many there are
}

// begin asks with some clients at a time for what next says.
func begin(clients int, next func(client, n int) string) *traffic {
	l := &traffic{stopping: make(chan struct{}), client: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: time.Minute,
	}}
	for i := range clients {
		l.group.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-l.stopping:
					return
				default:
					l.ask(next(i, n))
				}
			}
		})
	}
	return l
}

func (l *traffic) ask(url string) {
	resp, err := l.client.Get(url)
	what := ""
	if err != nil {
		what = err.Error()
	} else {
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || err != nil {
			what = fmt.Sprintf("%s: %s %v %.200s", url, resp.Status, err, text)
		}
	}
	if what == "" {
		l.answered.Add(1)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bad++; len(l.lost) < 5 {
		l.lost = append(l.lost, what)
	}
}

// end stops asking and fails the test if anything was lost.
func (l *traffic) end(t *testing.T) {
	t.Helper()
	close(l.stopping)
	l.group.Wait()
	l.client.CloseIdleConnections()
	for _, what := range l.lost {
		t.Error("lost: ", what)
	}
	if l.answered.Load() == 0 {
		t.Error("nothing was answered")
	}
	t.Logf("%d requests answered, %d lost", l.answered.Load(), l.bad)
}

// generation returns how often the gateway with an admin has loaded.
func generation(t *testing.T, admin string) (n int) {
	t.Helper()
	resp, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	_, after, _ := strings.Cut(string(text), "\nmargay_reloads_total ")
	if _, err := fmt.Sscan(after, &n); err != nil {
		t.Fatalf("no margay_reloads_total: %v", err)
	}
	return n
}

// TestReloadsUnderLoadLoseNothing replaces the file again and again while
// requests come: some times, and a thousand times in a soak.
func TestReloadsUnderLoadLoseNothing(t *testing.T) {
	many := 30
	if os.Getenv("MARGAY_SOAK") != "" {
		many = 1000
	}
	for _, tc := range []struct{ routes, reloads int }{{20, many}, {10_000, 1}} {
		t.Run(fmt.Sprint(tc.routes, " routes"), func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "ocelot.json")
			gatewayOf(t, file, tc.routes, 0)
			backend := running(t, dir, "demo", "--listen", "127.0.0.1:0")
			gateway := running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--no-watch", "--backend", "*="+backend.listen, "ocelot.json")
			requests := begin(8, func(client, n int) string {
				return fmt.Sprintf("http://%s/r%d/%d", gateway.listen, (client*7919+n)%tc.routes, n)
			})
			for version := range tc.reloads {
				loaded := generation(t, gateway.admin)
				gatewayOf(t, file, tc.routes, version+1)
				if err := gateway.cmd.Process.Signal(syscall.SIGHUP); err != nil {
					t.Fatal(err)
				}
				eventually(t, "it is reloaded", func() bool { return generation(t, gateway.admin) > loaded })
			}
			requests.end(t)
			if err := gateway.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}
