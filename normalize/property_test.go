package normalize_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// draw is a generator of gateways whose values crowd around every boundary.
type draw struct{ *rapid.T }

func (t draw) milliseconds(name string) config.Value[int32] {
	return drawValue(t, name, []int32{-1 << 31, -3, 0, 1, 2, 10, 11, 500, 501, 5000, 45_000, 90_000, 86_399_999, 86_400_000,
		1_073_741_823, 1_073_741_824, 2_000_000_000, 1<<31 - 1})
}

func (t draw) seconds(name string) config.Value[int32] {
	return drawValue(t, name, []int32{-1 << 31, -2_147_484, -3, 0, 1, 20, 90, 2_147_483, 2_147_484, 4_294_968, 1_073_741_824, 1<<31 - 1})
}

func drawValue[T any](t draw, name string, of []T) config.Value[T] {
	if rapid.IntRange(0, 2).Draw(t.T, name+" set") == 0 {
		return config.Value[T]{}
	}
	return written(rapid.SampledFrom(of).Draw(t.T, name))
}

func (t draw) qos(name string) *config.QoSOptions {
	if rapid.IntRange(0, 3).Draw(t.T, name) == 0 {
		return nil
	}
	return &config.QoSOptions{
		DurationOfBreak:                 t.milliseconds("DurationOfBreak"),
		BreakDuration:                   t.milliseconds("BreakDuration"),
		ExceptionsAllowedBeforeBreaking: t.milliseconds("ExceptionsAllowedBeforeBreaking"),
		MinimumThroughput:               t.milliseconds("MinimumThroughput"),
		FailureRatio:                    drawValue(t, "FailureRatio", []float64{-0.5, 0, 0.5, 1, 2, math.NaN()}),
		SamplingDuration:                t.milliseconds("SamplingDuration"),
		TimeoutValue:                    t.milliseconds("TimeoutValue"),
		Timeout:                         t.milliseconds("Timeout"),
	}
}

func (t draw) routeKeys() *config.List[string] {
	list := &config.List[string]{}
	for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", ""}), 0, 2).Draw(t.T, "RouteKeys") {
		list.Items = append(list.Items, written(key))
	}
	return list
}

func (t draw) base(i int) config.RouteBase {
	return config.RouteBase{
		Index:       i,
		Key:         drawValue(t, "Key", []string{"a", "b", "A"}),
		ServiceName: written("service"),
		QoSOptions:  t.qos("QoSOptions"),
		Timeout:     t.seconds("route Timeout"),
	}
}

func drawGateway(rt *rapid.T) *config.Configuration {
	t := draw{rt}
	cfg := &config.Configuration{Global: &config.GlobalConfiguration{Timeout: t.seconds("global Timeout")}}
	if qos := t.qos("global QoSOptions"); qos != nil {
		cfg.Global.QoSOptions = &config.GlobalQoSOptions{RouteKeys: t.routeKeys(), QoSOptions: *qos}
	}
	n := rapid.IntRange(0, 3).Draw(rt, "routes")
	if rapid.Bool().Draw(rt, "discovery") {
		cfg.Global.ServiceDiscoveryProvider = &config.ServiceDiscoveryProvider{Port: written[int32](8500)}
		for i := range n {
			cfg.DynamicRoutes = append(cfg.DynamicRoutes, config.DynamicRoute{RouteBase: t.base(i)})
		}
		return cfg
	}
	for i := range n {
		cfg.Routes = append(cfg.Routes, config.Route{RouteBase: t.base(i)})
	}
	return cfg
}

var providers = rapid.SampledFrom([]profile.Provider{profile.Builtin, profile.Polly, profile.None})

// A divergence is named exactly where the two resolutions differ, and the names
// follow the definition. The cheap search for them must find what trying every
// divergence finds.
func TestDivergencesAreThoseOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawGateway(t)
		p := profile.Profile{Provider: providers.Draw(t, "provider")}
		documented := normalize.Resolve(cfg, p)
		if diff := namedByDefinition(cfg, documented); diff != "" {
			t.Fatal(diff)
		}
		observed := normalize.ResolveUnder(cfg, p, profile.AllDivergences)
		for i := range documented.Routes {
			d, o := &documented.Routes[i], &observed.Routes[i]
			differ := visible(d) != visible(o)
			if differ != (d.Divergences != 0) {
				t.Fatalf("route %d: differs %v, named %s", i, differ, d.Divergences)
			}
			if other := d.Otherwise(); visible(&other) != visible(o) {
				t.Fatalf("route %d: got otherwise %+v want %+v", i, visible(&other), visible(o))
			}
		}
	})
}

// Facts that hold for every gateway.
func TestResolvedFacts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawGateway(t)
		p := profile.Profile{Provider: providers.Draw(t, "provider")}
		if rapid.Bool().Draw(t, "as the program") {
			p.Version = "25.0"
		}
		g := normalize.Resolve(cfg, p)
		if again := normalize.Resolve(cfg, p); !sameRoutes(g, again) {
			t.Fatal("resolving twice gives two answers")
		}
		for i := range g.Routes {
			checkFacts(t, &g.Routes[i])
		}
	})
}

func sameRoutes(a, b *normalize.Gateway) bool {
	if len(a.Routes) != len(b.Routes) {
		return false
	}
	for i := range a.Routes {
		if visible(&a.Routes[i]) != visible(&b.Routes[i]) || a.Routes[i].Divergences != b.Routes[i].Divergences {
			return false
		}
	}
	return true
}

func checkFacts(t *rapid.T, r *normalize.Route) {
	b := &r.Breaker
	if !r.Active && (b.Kind != normalize.NoBreaker || r.AttemptTimeout.IsSet()) {
		t.Fatalf("inactive, yet %+v and timeout %+v", b, r.AttemptTimeout)
	}
	if b.Kind != normalize.NoBreaker && (b.MinimumThroughput.V < 2 || b.BreakDuration.V <= 500) {
		t.Fatalf("got breaker %+v outside of every provider's range", b)
	}
	if b.Kind == normalize.Ratio || b.Kind == normalize.Polly {
		if !(b.FailureRatio.V > 0 && b.FailureRatio.V <= 1) || b.SamplingDuration.V <= 500 {
			t.Fatalf("got breaker %+v outside of every provider's range", b)
		}
	}
	if a := r.AttemptTimeout; a.IsSet() && (a.V <= 10 || a.V >= 86_400_000) {
		t.Fatalf("got attempt timeout %d outside of every provider's range", a.V)
	}
	if r.Divergences == 0 && r.AttemptTimeout.IsSet() && r.OuterTimeout.V <= int64(r.AttemptTimeout.V) {
		t.Fatalf("got outer timeout %d not above the attempt timeout %d", r.OuterTimeout.V, r.AttemptTimeout.V)
	}
	if (r.OuterWarning() != "") != r.OuterDoubled {
		t.Fatalf("got warning %q with doubled %v", r.OuterWarning(), r.OuterDoubled)
	}
}

// Setting an option on a route that had none hides every global value of it,
// and changes no other option.
func TestRouteWins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := drawGateway(t)
		if len(cfg.Routes) == 0 {
			t.Skip()
		}
		before := normalize.Resolve(cfg, profile.Profile{}).Routes[0].Options
		own := config.QoSOptions{}
		if cfg.Routes[0].QoSOptions != nil {
			own = *cfg.Routes[0].QoSOptions
		}
		own.SamplingDuration = written[int32](777)
		cfg.Routes[0].QoSOptions = &own
		after := normalize.Resolve(cfg, profile.Profile{}).Routes[0].Options
		if after.SamplingDuration.V != 777 || after.SamplingDuration.From != normalize.RouteNew {
			t.Fatalf("got %+v, want the route's own", after.SamplingDuration)
		}
		if after.BreakDuration != before.BreakDuration || after.MinimumThroughput != before.MinimumThroughput || after.Timeout != before.Timeout {
			t.Fatalf("another option changed: %+v, before %+v", after, before)
		}
	})
}
