package pipeline_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/timeout"
)

// wire connects net/http's transport to net/http's server by pipes, so that both
// run under virtual time.
type wire struct {
	conns chan net.Conn
	dials atomic.Int32
	done  chan struct{}
}

// serve starts a server in the test's bubble and returns a transport to it.
func serve(t *testing.T, handler http.HandlerFunc) (*wire, *http.Transport) {
	w := &wire{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: handler}
	go server.Serve(w)
	transport := &http.Transport{DialContext: w.dial}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	return w, transport
}

func (w *wire) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	w.dials.Add(1)
	client, server := net.Pipe()
	select {
	case w.conns <- server:
		return client, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (w *wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.done:
		return nil, net.ErrClosed
	}
}

func (w *wire) Close() error   { close(w.done); return nil }
func (w *wire) Addr() net.Addr { return &net.TCPAddr{} }

// withRetries is a route that sends GET and POST again after a second.
func withRetries() plan.Route {
	r := wholeRoute()
	r.AttemptTimeout = 1000
	r.Retry.Delay, r.Retry.UseJitter, r.Retry.Methods = 1000, false, []string{"GET", "POST"}
	r.Retry.MaxBufferedBody = 1024
	return r
}

func TestWireAttemptTimeoutReachesTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gone atomic.Int32
		_, transport := serve(t, func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			gone.Add(1)
		})
		r := withRetries()
		r.Retry.MaxRetryAttempts = 1
		_, err := build(t, r, pipeline.Options{}).RoundTrip(request(t, t.Context(), nil), transport)
		synctest.Wait()
		if missed, ok := errors.AsType[*timeout.Error](err); !ok || missed.Kind != timeout.Attempt || gone.Load() != 2 {
			t.Errorf("got %v and %d attempts given up, want the attempt timeout and 2", err, gone.Load())
		}
	})
}

func TestWireRetriesOnOneConnectionWithTheWholeBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bodies []string
		w, transport := serve(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if bodies = append(bodies, string(body)); len(bodies) < 3 {
				w.WriteHeader(http.StatusServiceUnavailable)
				_, _ = io.WriteString(w, "come again")
			}
		})
		p := build(t, withRetries(), pipeline.Options{})
		resp, err := p.RoundTrip(request(t, t.Context(), io.MultiReader(strings.NewReader("pi"), strings.NewReader("ng"))), transport)
		if err != nil || resp.StatusCode != 200 {
			t.Fatalf("got %v, %v, want a 200", resp, err)
		}
		resp.Body.Close()
		if !slices.Equal(bodies, []string{"ping", "ping", "ping"}) || w.dials.Load() != 1 {
			t.Errorf("got bodies %q over %d connections, want the same three over one", bodies, w.dials.Load())
		}
	})
}

func TestWireSlowBodyIsReadToItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, transport := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Hour)
			_, _ = io.WriteString(w, "at last")
		})
		resp, err := build(t, withRetries(), pipeline.Options{}).RoundTrip(request(t, t.Context(), nil), transport)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(body) != "at last" || err != nil {
			t.Errorf("got %q, %v, want the whole body", body, err)
		}
	})
}

func TestWireClientThatGoesAwayIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, transport := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second/2, cancel)
		p := build(t, withRetries(), pipeline.Options{})
		_, err := p.RoundTrip(request(t, ctx, nil), transport)
		if got := p.Breaker().Snapshot().Counts.Total; got != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v and %d outcomes, want a cancellation and none", err, got)
		}
	})
}

func TestWireBrokenUploadIsTheClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, transport := serve(t, func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
		p := build(t, withRetries(), pipeline.Options{})
		_, err := p.RoundTrip(request(t, t.Context(), io.MultiReader(strings.NewReader("half"), broken{})), transport)
		if got := p.Breaker().Snapshot().Counts.Total; got != 0 || p.Answer(err).Status != 400 {
			t.Errorf("got %v and %d outcomes, want the client's fault and none", err, got)
		}
	})
}

// A backend that does not read a body which is all there is another matter.
func TestWireDeafBackendIsAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		defer func() {
			close(end)
			time.Sleep(time.Minute) // the server lingers
		}()
		_, transport := serve(t, func(http.ResponseWriter, *http.Request) { <-end })
		r := withRetries()
		r.Retry = nil
		p := build(t, r, pipeline.Options{})
		_, err := p.RoundTrip(request(t, t.Context(), strings.NewReader(strings.Repeat("x", 1<<20))), transport)
		if got := p.Breaker().Snapshot().Counts.Failures; got != 1 {
			t.Errorf("got %d failures after %v, want one", got, err)
		}
	})
}

func TestWireTruncatedBodyStaysTruncated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, transport := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		})
		var log eventLog
		p := build(t, withRetries(), pipeline.Options{Observer: &log})
		resp, err := p.RoundTrip(request(t, t.Context(), nil), transport)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(body) != "half" || err == nil {
			t.Errorf("got %q, %v, want half and an error", body, err)
		}
		if got := log.lines(); got[len(got)-1] != "OnBodyFailure transport" {
			t.Errorf("got %q, want the body's failure told", got)
		}
		if got := p.Breaker().Snapshot().Counts; got.Failures != 0 || got.Total != 1 {
			t.Errorf("got %+v, want a success", got)
		}
	})
}
