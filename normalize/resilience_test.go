package normalize_test

import (
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// resilienceOf resolves one route with Key "a" below a global section.
func resilienceOf(own *config.Resilience, global *config.GlobalResilience) *normalize.Route {
	cfg := &config.Configuration{Global: &config.GlobalConfiguration{Resilience: global}}
	base := config.RouteBase{Key: written("a"), Resilience: own, QoSOptions: &config.QoSOptions{
		MinimumThroughput: written[int32](3), Timeout: written[int32](2000),
	}}
	cfg.Routes = []config.Route{{RouteBase: base}}
	return &normalize.Resolve(cfg, profile.Profile{}).Routes[0]
}

func TestResilienceMergesLeafByLeaf(t *testing.T) {
	own := &config.Resilience{Retry: &config.Retry{
		Delay:       written[int32](50),
		Methods:     &config.List[string]{Items: []config.Value[string]{written("PUT")}},
		RetryBudget: &config.RetryBudget{RetryRatio: written(0.3)},
	}}
	global := &config.GlobalResilience{Resilience: config.Resilience{
		TotalTimeout: written[int32](8000),
		Retry: &config.Retry{
			Delay: written[int32](100), MaxRetryAttempts: written[int32](5),
			Methods:     &config.List[string]{Items: []config.Value[string]{written("GET"), written("HEAD")}},
			RetryBudget: &config.RetryBudget{RetryRatio: written(0.1), MinimumThroughput: written[int32](20)},
		},
	}}
	r := resilienceOf(own, global).Resilience
	if r == nil || r.Retry == nil {
		t.Fatalf("got %+v, want a retry strategy", r)
	}
	if got := r.Retry; got.Delay.V != 50 || got.MaxRetryAttempts.V != 5 || got.Methods.Len() != 1 || got.Methods.Items[0].V != "PUT" {
		t.Errorf("got retry %+v, want the route's delay and methods and the global attempts", got)
	}
	if b := r.Retry.RetryBudget; b == nil || b.RetryRatio.V != 0.3 || b.MinimumThroughput.V != 20 {
		t.Errorf("got budget %+v, want the route's ratio and the global throughput", b)
	}
	if v := r.Retry.UseJitter; !v.V || v.Origin.Kind != config.Default {
		t.Errorf("got jitter %+v, want true by default", v)
	}
	if v := r.Retry.RetryBudget.SamplingDuration; v.V != 10_000 || v.Origin.Kind != config.Default {
		t.Errorf("got sampling %+v, want 10000 by default", v)
	}
}

func TestResilienceStrategiesAreOnWithALeaf(t *testing.T) {
	on, off := written(true), written(false)
	codes := &config.List[config.StatusCodes]{}
	for _, tt := range []struct {
		name        string
		own, global config.Resilience
		isOn        func(*config.Resilience) bool
		want        bool
	}{
		{"retry: empty section", config.Resilience{Retry: &config.Retry{}}, config.Resilience{}, hasRetry, false},
		{"retry: one leaf", config.Resilience{Retry: &config.Retry{Delay: written[int32](1)}}, config.Resilience{}, hasRetry, true},
		{"retry: enabled alone", config.Resilience{Retry: &config.Retry{Enabled: on}}, config.Resilience{}, hasRetry, true},
		{"retry: empty list", config.Resilience{Retry: &config.Retry{StatusCodes: codes}}, config.Resilience{}, hasRetry, true},
		{"retry: leaf of the budget", config.Resilience{Retry: &config.Retry{RetryBudget: &config.RetryBudget{Scope: written("Route")}}}, config.Resilience{}, hasRetry, true},
		{"retry: inherited", config.Resilience{}, config.Resilience{Retry: &config.Retry{Delay: written[int32](1)}}, hasRetry, true},
		{"retry: inherited and switched off", config.Resilience{Retry: &config.Retry{Enabled: off}}, config.Resilience{Retry: &config.Retry{Delay: written[int32](1)}}, hasRetry, false},
		{"retry: global off, route on", config.Resilience{Retry: &config.Retry{Enabled: on}}, config.Resilience{Retry: &config.Retry{Enabled: off}}, hasRetry, true},
		{"breaker", config.Resilience{CircuitBreaker: &config.ExpressionBreaker{Expression: written("x")}}, config.Resilience{}, hasBreaker, true},
		{"limiter", config.Resilience{ConcurrencyLimiter: &config.ConcurrencyLimiter{QueueLimit: written[int32](0)}}, config.Resilience{}, hasLimiter, true},
		{"fallback: off", config.Resilience{Fallback: &config.Fallback{Enabled: off, Body: written("")}}, config.Resilience{}, hasFallback, false},
		{"chaos: no fault", config.Resilience{Chaos: &config.Chaos{Enabled: on}}, config.Resilience{}, hasChaos, false},
		{"chaos: one fault", config.Resilience{Chaos: &config.Chaos{Fault: &config.ChaosFault{InjectionRate: written(0.1)}}}, config.Resilience{}, hasChaos, true},
		{"chaos: off", config.Resilience{Chaos: &config.Chaos{Enabled: off, Fault: &config.ChaosFault{InjectionRate: written(0.1)}}}, config.Resilience{}, hasChaos, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := resilienceOf(&tt.own, &config.GlobalResilience{Resilience: tt.global})
			if got := r.Resilience != nil && tt.isOn(r.Resilience); got != tt.want {
				t.Errorf("got on %v want %v", got, tt.want)
			}
		})
	}
}

func hasRetry(r *config.Resilience) bool    { return r.Retry != nil }
func hasBreaker(r *config.Resilience) bool  { return r.CircuitBreaker != nil }
func hasLimiter(r *config.Resilience) bool  { return r.ConcurrencyLimiter != nil }
func hasFallback(r *config.Resilience) bool { return r.Fallback != nil }
func hasChaos(r *config.Resilience) bool    { return r.Chaos != nil }

// The expression breaker replaces that of QoSOptions and the total timeout the
// outer one; the attempt timeout stays.
func TestResilienceReplaces(t *testing.T) {
	r := resilienceOf(&config.Resilience{
		TotalTimeout:   written[int32](1000),
		CircuitBreaker: &config.ExpressionBreaker{Expression: written("NetworkErrorRatio() > 0.1")},
	}, nil)
	if b := r.Breaker; b.Kind != normalize.Expression || b.InsteadOf != normalize.Consecutive || b.MinimumThroughput.IsSet() {
		t.Errorf("got breaker %+v, want an expression instead of a consecutive one", b)
	}
	if r.AttemptTimeout.V != 2000 || r.OuterTimeout.V != 1000 || r.OuterDoubled {
		t.Errorf("got attempt %d outer %d doubled %v, want 2000, 1000, false", r.AttemptTimeout.V, r.OuterTimeout.V, r.OuterDoubled)
	}
	if got := r.Resilience.CircuitBreaker.ResponseCode; got.V != 503 {
		t.Errorf("got response code %d want 503", got.V)
	}
}

func TestResilienceGroups(t *testing.T) {
	global := &config.GlobalResilience{
		RouteKeys:  &config.List[string]{Items: []config.Value[string]{written("b")}},
		Resilience: config.Resilience{TotalTimeout: written[int32](1000)},
	}
	if r := resilienceOf(nil, global).Resilience; r != nil {
		t.Errorf("got %+v for a route outside of the group, want none", r)
	}
	global.RouteKeys.Items[0] = written("a")
	if r := resilienceOf(nil, global).Resilience; r == nil {
		t.Error("got none for a member of the group")
	}
	cfg := &config.Configuration{Global: &config.GlobalConfiguration{
		Resilience:               global,
		ServiceDiscoveryProvider: &config.ServiceDiscoveryProvider{Port: written[int32](8500)},
	}}
	if r := normalize.Resolve(cfg, profile.Profile{}).Routes[0]; r.Kind != normalize.Unlisted || r.Resilience != nil {
		t.Errorf("got %v %+v, want no group for unlisted services", r.Kind, r.Resilience)
	}
}
