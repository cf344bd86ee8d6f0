package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/demo"
)

// gatewayOf writes a gateway of n routes with breakers to a file. Versions
// differ in the break of the first route only, so all other circuits go on.
func gatewayOf(t *testing.T, name string, n, version int) {
	t.Helper()
	gatewayWith(t, name, n, version, time.Minute)
}

// gatewayWith gives the first route a timeout of its own.
func gatewayWith(t *testing.T, name string, n, version int, first time.Duration) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{ "Routes": [`)
	for i := range n {
		if i > 0 {
			b.WriteString(",")
		}
		pause, timeout := 5000, time.Minute
		if i == 0 {
			pause, timeout = pause+version, first
		}
		fmt.Fprintf(&b, `
  { "UpstreamPathTemplate": "/r%d/{rest}", "DownstreamPathTemplate": "/r%d/{rest}", "DownstreamScheme": "http",
    "DownstreamHostAndPorts": [{ "Host": "backend.svc", "Port": 80 }],
    "QoSOptions": { "MinimumThroughput": 3, "BreakDuration": %d, "Timeout": %d } }`, i, i, pause, timeout.Milliseconds())
	}
	b.WriteString("\n] }\n")
	temporary := name + ".tmp"
	if err := errors.Join(os.WriteFile(temporary, []byte(b.String()), 0o644), os.Rename(temporary, name)); err != nil {
		t.Fatal(err)
	}
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("it never happened that %s", what)
}

// arrived waits until n requests have reached a demo backend.
func arrived(t *testing.T, backend *process, n int) {
	t.Helper()
	eventually(t, "the requests arrive", func() bool {
		resp, err := http.Get("http://" + backend.listen + demo.ControlPath)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.Header.Get("X-Requests") == fmt.Sprint(n)
	})
}

// TestStoppingLosesNothing stops a gateway while requests are on their way: all
// that were taken are answered.
func TestStoppingLosesNothing(t *testing.T) {
	dir := t.TempDir()
	gatewayOf(t, filepath.Join(dir, "ocelot.json"), 1, 0)
	backend := running(t, dir, "demo", "--listen", "127.0.0.1:0", "--latency", "300ms")
	gateway := running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "off", "--backend", "*="+backend.listen, "ocelot.json")
	statuses := make(chan string, 20)
	for range cap(statuses) {
		go func() {
			resp, err := http.Get("http://" + gateway.listen + "/r0/x")
			if err != nil {
				statuses <- err.Error()
				return
			}
			defer resp.Body.Close()
			_, err = io.Copy(io.Discard, resp.Body)
			statuses <- fmt.Sprint(resp.StatusCode, " ", err)
		}()
	}
	arrived(t, backend, cap(statuses))
	if err := gateway.stop(); err != nil {
		t.Error(err)
	}
	for range cap(statuses) {
		if got := <-statuses; got != "200 <nil>" {
			t.Errorf("got %s", got)
		}
	}
}

// TestDrainHasALimit stops a gateway with a request that never ends.
func TestDrainHasALimit(t *testing.T) {
	dir := t.TempDir()
	gatewayOf(t, filepath.Join(dir, "ocelot.json"), 1, 0)
	backend := running(t, dir, "demo", "--listen", "127.0.0.1:0", "--hang-rate", "1")
	gateway := running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "off", "--access-log", "text", "--drain", "200ms", "--backend", "*="+backend.listen, "ocelot.json")
	failed := make(chan error, 1)
	go func() {
		resp, err := http.Get("http://" + gateway.listen + "/r0/x")
		if err == nil {
			resp.Body.Close()
		}
		failed <- err
	}()
	arrived(t, backend, 1)
	begin := time.Now()
	if err := gateway.stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 15*time.Second {
		t.Errorf("it took %v to stop", took)
	}
	if err := <-failed; err == nil {
		t.Error("the hanging request was answered")
	}
	if !strings.Contains(gateway.said(), "requests were cut off") {
		t.Error("the log does not say that requests were cut off")
	}
}

// TestASecondSignalEndsAtOnce does not wait for the drain.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	dir := t.TempDir()
	gatewayOf(t, filepath.Join(dir, "ocelot.json"), 1, 0)
	backend := running(t, dir, "demo", "--listen", "127.0.0.1:0", "--hang-rate", "1")
	gateway := running(t, dir, "serve", "--listen", "127.0.0.1:0", "--admin", "off", "--backend", "*="+backend.listen, "ocelot.json")
	go func() {
		if resp, err := http.Get("http://" + gateway.listen + "/r0/x"); err == nil {
			resp.Body.Close()
		}
	}()
	arrived(t, backend, 1)
	if err := gateway.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it says that it stops", func() bool { return strings.Contains(gateway.said(), "msg=stopping") })
	begin := time.Now()
	if err := gateway.stop(); err != nil || time.Since(begin) > 15*time.Second {
		t.Errorf("got %v after %v, want an end at once", err, time.Since(begin))
	}
}
