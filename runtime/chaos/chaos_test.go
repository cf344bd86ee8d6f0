package chaos_test

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/chaos"
)

// always strikes every call.
func always() chaos.Injection { return chaos.Injection{InjectionRate: 1} }

func TestZeroValueStrikesNothing(t *testing.T) {
	c := chaos.Chaos[int]{Latency: &chaos.Latency{}, Fault: &chaos.Fault{}, Outcome: &chaos.Outcome[int]{}, Behavior: &chaos.Behavior{}}
	for range 1000 {
		if v, err := chaos.Do(t.Context(), &c, func(context.Context) (int, error) { return 1, nil }); v != 1 || err != nil {
			t.Fatalf("got %d, %v, want 1", v, err)
		}
	}
	if err := c.Validate(); err != nil {
		t.Errorf("Validate: got %v, want nil", err)
	}
}

func TestPartsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		c := chaos.Chaos[string]{
			Latency: &chaos.Latency{Injection: always(), Latency: time.Second},
			Fault:   &chaos.Fault{Injection: always(), FaultGenerator: func(context.Context) error { return nil }},
			Outcome: &chaos.Outcome[string]{Injection: always(), OutcomeGenerator: func(context.Context) (string, error, bool) {
				return "from chaos", nil, true
			}},
			Behavior: &chaos.Behavior{Injection: always(), Behavior: func(context.Context) error {
				t.Error("behavior: got run, want the outcome to keep the call from it")
				return nil
			}},
		}
		v, err := chaos.Do(t.Context(), &c, func(context.Context) (string, error) { return "real", nil })
		if v != "from chaos" || err != nil || time.Since(start) != time.Second {
			t.Errorf("got %q, %v after %v, want the outcome after 1s", v, err, time.Since(start))
		}
		c.Fault.FaultGenerator = nil
		if _, err := chaos.Do(t.Context(), &c, nil); !errors.Is(err, chaos.ErrInjected) {
			t.Errorf("got %v, want %v", err, chaos.ErrInjected)
		}
	})
}

func TestValidateNamesEveryRate(t *testing.T) {
	bad := chaos.Injection{InjectionRate: math.NaN()}
	c := chaos.Chaos[int]{Latency: &chaos.Latency{Injection: bad}, Fault: &chaos.Fault{Injection: bad},
		Outcome: &chaos.Outcome[int]{Injection: bad}, Behavior: &chaos.Behavior{Injection: bad}}
	err := c.Validate()
	if err == nil || strings.Count(err.Error(), "injection rate NaN") != 4 {
		t.Errorf("got %v, want four rates refused", err)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

type tracked struct {
	io.Reader
	closed bool
}

func (b *tracked) Close() error { b.closed = true; return nil }

func TestTransportAnswersByItself(t *testing.T) {
	rt := chaos.NewTransport(roundTripper(func(*http.Request) (*http.Response, error) {
		t.Error("backend: got called, want chaos to answer")
		return nil, nil
	}), chaos.Chaos[*http.Response]{Outcome: &chaos.Outcome[*http.Response]{Injection: always(), OutcomeGenerator: chaos.Status(503)}})
	body := &tracked{Reader: strings.NewReader("x")}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://backend/", body)
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 503 || resp.Status != "503 Service Unavailable" || resp.Request != req || !body.closed {
		t.Errorf("got %s, request %v, body closed %v, want 503 for the request and its body closed", resp.Status, resp.Request, body.closed)
	}
}

func TestTransportLetsPass(t *testing.T) {
	rt := chaos.NewTransport(roundTripper(func(req *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
	}), chaos.Chaos[*http.Response]{})
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://backend/", nil)
	if resp, err := rt.RoundTrip(req); err != nil || resp.StatusCode != 204 {
		t.Errorf("got %v, %v, want the backend's 204", resp, err)
	}
}

func BenchmarkPass(b *testing.B) {
	rare := chaos.Injection{InjectionRate: 1e-12}
	c := chaos.Chaos[int]{Latency: &chaos.Latency{Injection: rare}, Fault: &chaos.Fault{Injection: rare}}
	ctx := context.Background()
	f := func(context.Context) (int, error) { return 1, nil }
	b.ReportAllocs()
	for b.Loop() {
		_, _ = chaos.Do(ctx, &c, f)
	}
}
