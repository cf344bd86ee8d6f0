package access_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/access"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/runtime/telemetry"
)

func TestLinesShowTheDecision(t *testing.T) {
	start := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	for _, tc := range []struct {
		name   string
		record proxy.Record
		want   string
	}{
		{
			"answered",
			proxy.Record{Start: start, Duration: 12345 * time.Microsecond, Headers: 12 * time.Millisecond, Remote: "10.0.0.1:4711", Proto: "HTTP/1.1",
				Method: "GET", Host: "shop.example", Target: "/orders/7?x=1", Route: "GET /orders/{id}", Backend: "http://orders.svc:8080",
				BackendTarget: "/api/orders/7?x=1", Attempts: 2, Circuit: "Closed", Status: 200, Sent: 17},
			`time=2026-05-04T03:02:01.012Z level=INFO msg=request remote=10.0.0.1:4711 method=GET host=shop.example target="/orders/7?x=1" proto=HTTP/1.1 status=200 ms=12.345 sent=17 ` +
				`route="GET /orders/{id}" backend=http://orders.svc:8080 backend_target="/api/orders/7?x=1" circuit=Closed attempts=2 headers_ms=12`,
		},
		{
			"timed out",
			proxy.Record{Start: start, Duration: 2 * time.Second, Method: "POST", Target: "/pay", Route: "/pay", Attempts: 1, Circuit: "Open",
				Timeout: telemetry.AttemptTimeout, Reason: telemetry.ReasonAttemptTimeout, Status: 503, Received: 9, Err: errors.New("too late")},
			`time=2026-05-04T03:02:03.000Z level=INFO msg=request remote="" method=POST host="" target=/pay proto="" status=503 ms=2000 sent=0 ` +
				`route=/pay circuit=Open reason=attempt-timeout attempts=1 received=9 timeout=AttemptTimeout error="too late"`,
		},
		{
			"secrets",
			proxy.Record{Start: start, Target: "/a?access_token=hunter2&page=2&sig=&API_KEY=x", BackendTarget: "/b?password=hunter2"},
			`time=2026-05-04T03:02:01.000Z level=INFO msg=request remote="" method="" host="" target="/a?access_token=***&page=2&sig=&API_KEY=***" proto="" status=0 ms=0 sent=0 backend_target="/b?password=***"`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var text bytes.Buffer
			access.Log(slog.New(slog.NewTextHandler(&text, nil)))(t.Context(), &tc.record)
			if got := strings.TrimRight(text.String(), "\n"); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestNothingBelowTheLevel(t *testing.T) {
	var text bytes.Buffer
	access.Log(slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelWarn})))(t.Context(), &proxy.Record{})
	if text.Len() > 0 {
		t.Errorf("got %s", &text)
	}
}

// counter counts writes, which come from several goroutines.
type counter struct {
	mu     sync.Mutex
	text   bytes.Buffer // guarded by mu
	writes int          // guarded by mu
}

func (c *counter) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writes++
	return c.text.Write(p)
}

// seen returns how often something was written, and all of it.
func (c *counter) seen() (writes int, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writes, c.text.String()
}

func TestWriterGathers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out counter
		w := access.NewWriter(&out, access.Options{})
		for range 10 {
			if _, err := w.Write([]byte("line\n")); err != nil {
				t.Fatal(err)
			}
		}
		if writes, _ := out.seen(); writes != 0 {
			t.Errorf("got %d writes at once", writes)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if writes, text := out.seen(); writes != 1 || len(text) != 50 {
			t.Errorf("got %d writes of %d bytes, want 1 of 50", writes, len(text))
		}
		_, err := w.Write(make([]byte, 40<<10))
		if writes, _ := out.seen(); err != nil || writes != 2 {
			t.Errorf("got %d writes, want 2: much is passed on at once (%v)", writes, err)
		}
		_, _ = w.Write([]byte("last"))
		err = w.Close()
		if _, text := out.seen(); err != nil || !strings.HasSuffix(text, "last") {
			t.Errorf("the last line is lost (%v)", err)
		}
	})
}

type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriterTellsOfErrors(t *testing.T) {
	w := access.NewWriter(full{}, access.Options{})
	_, _ = w.Write([]byte("line\n"))
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkLog(b *testing.B) {
	record := proxy.Record{Start: time.Now(), Duration: time.Millisecond, Method: "GET", Host: "shop.example", Target: "/orders/7?x=1",
		Route: "GET /orders/{id}", Backend: "http://orders.svc:8080", BackendTarget: "/api/orders/7?x=1", Attempts: 1, Circuit: "Closed", Status: 200}
	log := access.Log(slog.New(slog.NewJSONHandler(access.NewWriter(&discard{}, access.Options{}), nil)))
	b.ReportAllocs()
	for b.Loop() {
		log(b.Context(), &record)
	}
}

type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }
