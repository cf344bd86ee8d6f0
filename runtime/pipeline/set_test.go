package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
)

func planOf(routes ...plan.Route) *plan.Plan {
	return &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: routes}
}

// named gives a route another ID.
func named(id string, r plan.Route) plan.Route {
	r.ID, r.Name = id, id
	return r
}

func newSet(t testing.TB, o pipeline.Options, routes ...plan.Route) *pipeline.Set {
	t.Helper()
	s, err := pipeline.NewSet(planOf(routes...), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLoad(t *testing.T) {
	var text bytes.Buffer
	if err := planOf(guarded()).Encode(&text); err != nil {
		t.Fatal(err)
	}
	set, err := pipeline.Load(&text, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: set.RoundTripper(answer(204))}
	resp, err := client.Get("http://backend/")
	if err != nil || resp.StatusCode != 204 {
		t.Errorf("got %v, %v, want a 204", resp, err)
	}
	if _, err := pipeline.Load(strings.NewReader(`{"version":"2.0"}`), pipeline.Options{}); err == nil {
		t.Error("got no error for a newer major version")
	}
}

func TestRoutesAreChosen(t *testing.T) {
	set := newSet(t, pipeline.Options{Route: func(req *http.Request) string { return req.URL.Path }}, named("/a", guarded()), named("/b", guarded()))
	rt := set.RoundTripper(roundTripper(refuse))
	get := func(path string) error {
		req, _ := http.NewRequest(http.MethodPost, "http://backend"+path, nil)
		_, err := rt.RoundTrip(req)
		return err
	}
	for range 2 {
		_ = get("/a")
	}
	if err := get("/a"); !errors.Is(err, breaker.ErrOpen) {
		t.Errorf("/a: got %v, want its circuit open", err)
	}
	if err := get("/b"); errors.Is(err, breaker.ErrOpen) {
		t.Errorf("/b: got %v, want its circuit closed", err)
	}
	body := &closing{Reader: strings.NewReader("x")}
	req, _ := http.NewRequest(http.MethodPost, "http://backend/c", body)
	if _, err := rt.RoundTrip(req); !errors.Is(err, pipeline.ErrNoRoute) || !body.closed {
		t.Errorf("/c: got %v, closed %t, want no route and a closed body", err, body.closed)
	}
}

func TestSeveralRoutesNeedAChoice(t *testing.T) {
	set := newSet(t, pipeline.Options{}, named("/a", guarded()), named("/b", guarded()))
	if _, err := set.RoundTripper(answer(200)).RoundTrip(request(t, t.Context(), nil)); !errors.Is(err, pipeline.ErrNoRoute) {
		t.Errorf("got %v, want no route", err)
	}
}

func TestAnswerErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := guarded()
		r.ProblemDetails = true
		rt := newSet(t, pipeline.Options{AnswerErrors: true}, r).RoundTripper(roundTripper(refuse))
		var got []string
		for range 3 {
			resp, err := rt.RoundTrip(request(t, t.Context(), nil))
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(resp.Body)
			got = append(got, fmt.Sprint(resp.StatusCode, " ", resp.Header["Retry-After"], " ", string(body)))
		}
		want := `503 [1] {"title":"Service Unavailable","status":503,"detail":"the circuit breaker is open"}`
		if got[2] != want {
			t.Errorf("got %s, want %s", got[2], want)
		}
		nowhere := newSet(t, pipeline.Options{AnswerErrors: true, Route: func(*http.Request) string { return "?" }}, r).RoundTripper(answer(200))
		if resp, err := nowhere.RoundTrip(request(t, t.Context(), nil)); err != nil || resp.StatusCode != 404 {
			t.Errorf("got %v, %v, want a 404", resp, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := rt.RoundTrip(request(t, ctx, nil)); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want a cancelled call to stay an error", err)
		}
	})
}

func TestSharedCircuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := named("/a", guarded()), named("/b", guarded())
		a.Circuit, b.Circuit = "both", "both"
		set := newSet(t, pipeline.Options{}, a, b)
		fail(t, set.Pipeline("/a"), 2)
		if got := set.Pipeline("/b").Breaker().State(); got != breaker.Open {
			t.Errorf("got %v, want the shared circuit open", got)
		}
		swap(t, set, b)
		if got := set.Pipeline("/b").Breaker().State(); got != breaker.Open {
			t.Errorf("got %v, want it open still without the other route", got)
		}
	})
}

// retrying is a route that retries at once, from a budget of a single retry.
func retrying(id string, budget plan.Budget) plan.Route {
	r := named(id, onlyRoute())
	r.Retry = &plan.Retry{MaxRetryAttempts: 1, Backoff: plan.Constant, Methods: []string{"POST"}, Budget: &budget}
	return r
}

func TestBudgetOfABackendIsShared(t *testing.T) {
	one := plan.Budget{RetryRatio: 0.1, MinimumThroughput: 1, SamplingDuration: 10_000, Scope: plan.PerBackend, Share: "b:80"}
	own := one
	own.Scope, own.Share = plan.PerRoute, ""
	other := one
	other.RetryRatio = 0.2
	for _, test := range []struct {
		name string
		a, b plan.Budget
		want int // attempts of b, behind one retry of a
	}{{"shared", one, one, 1}, {"per route", own, own, 2}, {"other numbers", one, other, 2}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set := newSet(t, pipeline.Options{}, retrying("/a", test.a), retrying("/b", test.b))
				fail(t, set.Pipeline("/a"), 1)
				swap(t, set, retrying("/a", test.a), retrying("/b", test.b)) // which keeps both
				attempts := 0
				_, _ = set.Pipeline("/b").RoundTrip(request(t, t.Context(), nil), roundTripper(func(req *http.Request) (*http.Response, error) {
					attempts++
					return refuse(req)
				}))
				if attempts != test.want {
					t.Errorf("got %d attempts, want %d", attempts, test.want)
				}
			})
		})
	}
}

func unlisted() plan.Route {
	r := guarded()
	r.ID, r.Match, r.Backend = "*", plan.Match{Kind: plan.Unlisted}, plan.Backend{}
	return r
}

func TestUnlistedServices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		set := newSet(t, pipeline.Options{MaxServices: 2}, named("/a", guarded()), unlisted())
		fail(t, set.Service("catalog"), 2)
		if got := set.Service("orders").Breaker().State(); got != breaker.Closed {
			t.Errorf("orders: got %v, want a circuit of its own", got)
		}
		swap(t, set, unlisted())
		if got := set.Service("catalog").Breaker().State(); got != breaker.Open {
			t.Errorf("catalog: got %v, want the state kept", got)
		}
		set.Service("prices") // orders has not been asked for since
		if got := set.Service("catalog").Breaker().State(); got != breaker.Open {
			t.Errorf("catalog: got %v, want the least recently used one dropped", got)
		}
		swap(t, set, named("/a", guarded()))
		if set.Service("catalog") != nil || set.Service("x") != nil {
			t.Error("got a pipeline without a route for unlisted services")
		}
	})
}

// TestObserversTellServicesApart: calls and circuits of each, although one route
// stands for all.
func TestObserversTellServicesApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := map[string]int{}
		set := newSet(t, pipeline.Options{Observer: telemetry.ObserverFunc(func(_ context.Context, e telemetry.Event) {
			if e.Kind == telemetry.PipelineExecuted || e.Kind == telemetry.OnCircuitOpened {
				seen[fmt.Sprint(e.Route, " ", e.Kind)]++
			}
		})}, unlisted())
		fail(t, set.Service("catalog"), 2)
		fail(t, set.Service("orders"), 1)
		want := map[string]int{"service catalog PipelineExecuted": 2, "service catalog OnCircuitOpened": 1, "service orders PipelineExecuted": 1}
		if !maps.Equal(seen, want) {
			t.Errorf("got %v, want %v", seen, want)
		}
	})
}
