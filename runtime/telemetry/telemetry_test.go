package telemetry_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// severities are those of Polly 8.9.1, by its names of the events; the last
// two are those of margay's own events.
var severities = map[string]telemetry.Severity{
	"PipelineExecuted": telemetry.Information, "ExecutionAttempt": telemetry.Information,
	"OnRetry": telemetry.Warning, "OnTimeout": telemetry.Error, "OnRateLimiterRejected": telemetry.Error,
	"OnFallback": telemetry.Warning, "OnCircuitOpened": telemetry.Error, "OnCircuitHalfOpened": telemetry.Warning,
	"OnCircuitClosed": telemetry.Information, "Chaos.OnLatency": telemetry.Information,
	"Chaos.OnOutcome": telemetry.Information, "Chaos.OnFault": telemetry.Information,
	"OnRetryBudgetExhausted": telemetry.Warning, "OnBodyFailure": telemetry.Warning,
}

func TestKindsHavePollysNamesAndSeverities(t *testing.T) {
	kinds := telemetry.Kinds()
	if len(kinds) != len(severities) {
		t.Errorf("got %d kinds, want %d", len(kinds), len(severities))
	}
	for _, k := range kinds {
		want, ok := severities[k.String()]
		if !ok {
			t.Errorf("kind %d: got name %q, which is not Polly's", k, k)
		}
		if got := (telemetry.Event{Kind: k}).Severity(); got != want {
			t.Errorf("%v: got severity %v, want %v", k, got, want)
		}
	}
}

func TestSeverityOfAttempts(t *testing.T) {
	for _, tc := range []struct {
		handled, last bool
		want          telemetry.Severity
	}{
		{false, false, telemetry.Information}, {false, true, telemetry.Information},
		{true, false, telemetry.Warning}, {true, true, telemetry.Error},
	} {
		e := telemetry.Event{Kind: telemetry.ExecutionAttempt, Handled: tc.handled, Last: tc.last}
		if got := e.Severity(); got != tc.want {
			t.Errorf("handled %t, last %t: got %v, want %v", tc.handled, tc.last, got, tc.want)
		}
	}
}

// Labels are built from these names: they must be different and harmless.
func TestNamesAreDistinct(t *testing.T) {
	var names [4][]string
	for _, k := range telemetry.Kinds() {
		names[0] = append(names[0], k.String())
	}
	for _, s := range telemetry.Strategies() {
		names[1] = append(names[1], s.String())
	}
	for _, r := range telemetry.Reasons() {
		names[2] = append(names[2], r.String())
	}
	for _, s := range []telemetry.Severity{0, telemetry.Information, telemetry.Warning, telemetry.Error} {
		names[3] = append(names[3], s.String())
	}
	for _, list := range names {
		slices.Sort(list)
		if len(slices.Compact(slices.Clone(list))) != len(list) || slices.ContainsFunc(list, unknown) {
			t.Errorf("got %q, want distinct known names", list)
		}
	}
	if got := []string{telemetry.Kind(200).String(), telemetry.Strategy(200).String(), telemetry.Reason(200).String()}; !unknown(got[0]) || !unknown(got[1]) || !unknown(got[2]) {
		t.Errorf("got %q for values that are none", got)
	}
}

func unknown(name string) bool { return strings.EqualFold(name, "unknown") }

// recorder remembers what it was told.
type recorder struct {
	mu   sync.Mutex
	told []string
}

func (r *recorder) as(name string) telemetry.Observer {
	return telemetry.ObserverFunc(func(_ context.Context, e telemetry.Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.told = append(r.told, name+" "+e.Kind.String())
	})
}

func TestMulti(t *testing.T) {
	var r recorder
	o := telemetry.Multi(nil, r.as("a"), telemetry.Nop{}, telemetry.Multi(r.as("b"), r.as("c")))
	o.Observe(t.Context(), telemetry.Event{Kind: telemetry.OnRetry})
	if want := []string{"a OnRetry", "b OnRetry", "c OnRetry"}; !slices.Equal(r.told, want) {
		t.Errorf("got %q, want %q", r.told, want)
	}
	for _, empty := range []telemetry.Observer{telemetry.Multi(), telemetry.Multi(nil, telemetry.Nop{}), telemetry.Safe(nil, nil), telemetry.Safe(telemetry.Nop{}, nil)} {
		if !telemetry.IsNop(empty) {
			t.Errorf("got %#v of nothing, want a Nop", empty)
		}
	}
	if telemetry.IsNop(o) || telemetry.IsNop(telemetry.Multi(r.as("a"))) {
		t.Error("got a Nop of an observer")
	}
}

func TestSafeGuardsEachObserver(t *testing.T) {
	var r recorder
	broken := telemetry.ObserverFunc(func(context.Context, telemetry.Event) { panic("broken") })
	var panics []string
	report := func(e telemetry.Event, recovered any) { panics = append(panics, fmt.Sprint(e.Kind, " ", recovered)) }

	o := telemetry.Safe(telemetry.Multi(r.as("a"), broken, r.as("b")), report)
	o.Observe(t.Context(), telemetry.Event{Kind: telemetry.OnTimeout})
	if want := []string{"a OnTimeout", "b OnTimeout"}; !slices.Equal(r.told, want) {
		t.Errorf("got %q, want %q", r.told, want)
	}
	if want := []string{"OnTimeout broken"}; !slices.Equal(panics, want) {
		t.Errorf("got panics %q, want %q", panics, want)
	}
}

func TestSafeOnceIsEnough(t *testing.T) {
	broken := telemetry.ObserverFunc(func(context.Context, telemetry.Event) { panic("broken") })
	var panics []string
	note := func(as string) func(telemetry.Event, any) {
		return func(telemetry.Event, any) { panics = append(panics, as) }
	}
	for _, o := range []telemetry.Observer{broken, telemetry.Multi(broken, broken)} {
		safe := telemetry.Safe(o, note("first"))
		if got := testing.AllocsPerRun(10, func() { safe = telemetry.Safe(safe, note("second")) }); got > 1 { // the function
			t.Errorf("got %v allocations, want none but for the function", got)
		}
		safe.Observe(t.Context(), telemetry.Event{})
	}
	if want := []string{"first", "first", "first"}; !slices.Equal(panics, want) {
		t.Errorf("got panics %q, want %q", panics, want)
	}
}

// byRoute notes events, and for which route they were looked up.
type byRoute struct {
	*recorder
	name string
}

func (o byRoute) Observe(ctx context.Context, e telemetry.Event) {
	o.as(o.name).Observe(ctx, e)
}

func (o byRoute) ForRoute(route string) telemetry.Observer {
	if route == "broken" {
		panic(route)
	}
	return o.as(o.name + " of " + route)
}

func TestForRoute(t *testing.T) {
	for _, tc := range []struct {
		route        string
		told, panics []string
	}{
		{"orders", []string{"a OnRetry", "b of orders OnRetry", "c of orders OnRetry"}, nil},
		{"broken", []string{"a OnRetry", "b OnRetry", "c OnRetry"}, []string{"broken", "broken"}},
	} {
		var r recorder
		var panics []string
		o := telemetry.Safe(telemetry.Multi(r.as("a"), byRoute{&r, "b"}, byRoute{&r, "c"}),
			func(e telemetry.Event, _ any) { panics = append(panics, e.Route) })
		telemetry.ForRoute(o, tc.route).Observe(t.Context(), telemetry.Event{Kind: telemetry.OnRetry})
		if !slices.Equal(r.told, tc.told) || !slices.Equal(panics, tc.panics) {
			t.Errorf("%s: got %q and panics of %q, want %q and %q", tc.route, r.told, panics, tc.told, tc.panics)
		}
	}
	if !telemetry.IsNop(telemetry.ForRoute(telemetry.Nop{}, "orders")) {
		t.Error("got an observer of a Nop")
	}
}

func TestSafeDropsPanics(t *testing.T) {
	broken := telemetry.ObserverFunc(func(context.Context, telemetry.Event) { panic("broken") })
	telemetry.Safe(broken, nil).Observe(t.Context(), telemetry.Event{})
	telemetry.Safe(broken, func(telemetry.Event, any) { panic("too") }).Observe(t.Context(), telemetry.Event{})
}

func TestObservingAllocatesNothing(t *testing.T) {
	n := 0
	count := telemetry.ObserverFunc(func(context.Context, telemetry.Event) { n++ })
	o := telemetry.Safe(telemetry.Multi(count, count), nil)
	ctx := t.Context()
	if got := testing.AllocsPerRun(100, func() { o.Observe(ctx, telemetry.Event{Kind: telemetry.OnRetry, Route: "r"}) }); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

func TestRouteLabels(t *testing.T) {
	labels := telemetry.RouteLabels{Max: 2}
	for _, tc := range []struct{ route, want string }{
		{"a", "a"}, {"b", "b"}, {"c", telemetry.OtherRoutes}, {"a", "a"}, {"d", telemetry.OtherRoutes}, {"b", "b"},
	} {
		if got := labels.Of(tc.route); got != tc.want {
			t.Errorf("route %q: got %q, want %q", tc.route, got, tc.want)
		}
	}
}

// Whoever invents services takes no name away from routes, nor from services that
// were there before.
func TestServicesAreCountedApart(t *testing.T) {
	labels := telemetry.RouteLabels{Max: 2}
	a, b, c := telemetry.ServiceRoute("a"), telemetry.ServiceRoute("b\xff"), telemetry.ServiceRoute(".c")
	for _, tc := range []struct{ route, want string }{
		{a, "service a"}, {b, "service b\uFFFD"}, {c, telemetry.OtherRoutes}, {"/a", "/a"}, {"/b", "/b"}, {"/c", telemetry.OtherRoutes}, {a, "service a"},
	} {
		if got := labels.Of(tc.route); got != tc.want {
			t.Errorf("route %q: got %q, want %q", tc.route, got, tc.want)
		}
	}
	if c != "service c" {
		t.Errorf("without a namespace: got %q", c)
	}
	if telemetry.IsServiceRoute("GET /service a") || !telemetry.IsServiceRoute(a) {
		t.Error("services are not told from routes")
	}
}

func TestRouteLabelsAreBoundedUnderLoad(t *testing.T) {
	const maximum = 10
	labels := telemetry.RouteLabels{Max: maximum}
	var mu sync.Mutex
	seen := map[string]bool{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 100 {
				route := fmt.Sprint("route ", i)
				label := labels.Of(route)
				if label != route && label != telemetry.OtherRoutes {
					t.Errorf("route %q: got %q", route, label)
				}
				mu.Lock()
				seen[label] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(seen) != maximum+1 {
		t.Errorf("got %d labels, want %d and that of the others", len(seen), maximum)
	}
}

func BenchmarkObserve(b *testing.B) {
	count := telemetry.ObserverFunc(func(context.Context, telemetry.Event) {})
	for name, o := range map[string]telemetry.Observer{
		"nop": telemetry.Nop{}, "safe": telemetry.Safe(count, nil), "safe-multi": telemetry.Safe(telemetry.Multi(count, count), nil),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			ctx := b.Context()
			for b.Loop() {
				o.Observe(ctx, telemetry.Event{Kind: telemetry.PipelineExecuted, Route: "orders"})
			}
		})
	}
}

func TestEventsOfACircuitSayItsState(t *testing.T) {
	for _, tt := range []struct {
		event telemetry.Event
		want  telemetry.Circuit
		ok    bool
	}{
		{telemetry.Event{Kind: telemetry.OnCircuitClosed}, telemetry.CircuitClosed, true},
		{telemetry.Event{Kind: telemetry.OnCircuitHalfOpened}, telemetry.CircuitHalfOpen, true},
		{telemetry.Event{Kind: telemetry.OnCircuitOpened}, telemetry.CircuitOpen, true},
		{telemetry.Event{Kind: telemetry.OnCircuitOpened, Manual: true}, telemetry.CircuitIsolated, true},
		{telemetry.Event{Kind: telemetry.OnTimeout}, telemetry.CircuitClosed, false},
		{telemetry.Event{Kind: telemetry.OnCircuitOpened, Strategy: telemetry.PassiveHealth}, telemetry.CircuitClosed, false},
	} {
		if got, ok := tt.event.Circuit(); got != tt.want || ok != tt.ok {
			t.Errorf("%v, by hand %t: got %d, %t, want %d, %t", tt.event.Kind, tt.event.Manual, got, ok, tt.want, tt.ok)
		}
	}
}
