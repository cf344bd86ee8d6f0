package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSoak serves for as long as MARGAY_SOAK says (30m by `.ci/soak`), while
// the configuration is replaced all the time, backends fail and recover, and
// clients go away; without it, for two seconds. Requests of a route that is
// well are all answered; goroutines and memory stay flat.
func TestSoak(t *testing.T) {
	length := 2 * time.Second
	if text := os.Getenv("MARGAY_SOAK"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	s := newSoak(t)
	healthy := begin(6, func(client, n int) string {
		return fmt.Sprintf("http://%s/r%d/%d", s.gateway.listen, 1+(client+n)%(soakRoutes-1), n)
	})
	failing := begin(2, func(_, n int) string { return fmt.Sprintf("http://%s/r0/%d", s.gateway.listen, n) })
	stop := make(chan struct{})
	leaving := make(chan struct{})
	go s.leave(stop, leaving)

	var early, late vitals
	warm := time.Now().Add(length / 4)
	reloads := 0
	for end := time.Now().Add(length); time.Now().Before(end) || early == (vitals{}); reloads++ {
		s.write(t, reloads)
		if reloads%10 == 9 {
			if err := writeFile(s.file, []byte("{ broken")); err != nil {
				t.Fatal(err)
			}
		}
		s.turn(t, reloads)
		time.Sleep(40 * time.Millisecond)
		if early == (vitals{}) && time.Now().After(warm) {
			early = s.vitals(t)
		}
	}
	late = s.vitals(t)
	close(stop)
	<-leaving
	healthy.end(t)
	close(failing.stopping)
	failing.group.Wait()
	s.write(t, reloads)
	t.Logf("%v: %d files written, %d generations loaded, %d calls to a failing backend answered 200 and %d otherwise; goroutines %d → %d, heap %d → %d MiB",
		length, reloads, generation(t, s.gateway.admin), failing.answered.Load(), failing.bad, early.goroutines, late.goroutines, early.heap>>20, late.heap>>20)
	if late.goroutines > 2*early.goroutines+50 {
		t.Errorf("goroutines grow: %d, then %d", early.goroutines, late.goroutines)
	}
	if late.heap > 2*early.heap+32<<20 {
		t.Errorf("memory grows: %d MiB, then %d", early.heap>>20, late.heap>>20)
	}
	if err := s.gateway.stop(); err != nil {
		t.Error(err)
	}
}

// soakRoutes is the number of routes, of which the first one's backend fails.
const soakRoutes = 20

type soak struct {
	file             string
	backend, gateway *process
}

func newSoak(t *testing.T) *soak {
	t.Helper()
	dir := t.TempDir()
	s := &soak{file: filepath.Join(dir, "ocelot.json")}
	s.write(t, 0)
	s.backend = running(t, dir, "demo", "--listen", "127.0.0.1:0", "--latency", "1ms", "--jitter", "2ms")
	s.gateway = running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--backend", "*="+s.backend.listen, "ocelot.json")
	return s
}

// write writes a version of the gateway. Calls to the backend that fails may
// hang for a second.
func (s *soak) write(t *testing.T, version int) {
	t.Helper()
	gatewayWith(t, s.file, soakRoutes, version, time.Second)
}

// turn lets the first route's backend fail in one way after the other, and
// recover in between.
func (s *soak) turn(t *testing.T, n int) {
	t.Helper()
	knobs := []string{"error-rate=1", "error-rate=0", "reset-rate=1", "reset-rate=0", "hang-rate=0.1", "hang-rate=0"}
	resp, err := http.Post("http://"+s.backend.listen+"/.demo?path=/r0&"+knobs[n%len(knobs)], "", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
}

// leave makes requests whose client goes away in the middle.
func (s *soak) leave(stop <-chan struct{}, done chan<- struct{}) {
	defer close(done)
	client := &http.Client{Timeout: 2 * time.Millisecond}
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-time.After(20 * time.Millisecond):
			if resp, err := client.Get(fmt.Sprintf("http://%s/r1/%d", s.gateway.listen, n)); err == nil {
				resp.Body.Close()
			}
		}
	}
}

// vitals are what must not grow.
type vitals struct{ goroutines, heap int }

func (s *soak) vitals(t *testing.T) (v vitals) {
	t.Helper()
	resp, err := http.Get("http://" + s.gateway.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	number := func(name string) int {
		var f float64
		_, after, _ := strings.Cut(string(text), "\n"+name+" ")
		if _, err := fmt.Sscan(after, &f); err != nil {
			t.Fatalf("no %s: %v", name, err)
		}
		return int(f)
	}
	return vitals{number("go_goroutines"), number("go_memstats_heap_inuse_bytes")}
}
