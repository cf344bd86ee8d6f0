package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
)

// strategies fills in everything that guards the calls of a route.
func (l *lowering) strategies(out *plan.Route, route *normalize.Route) {
	out.OuterTimeout = outerTimeout(route)
	out.Failures = failures(route, l.Profile)
	owner := l.owner(route)
	out.Breaker = breaker(owner)
	out.AttemptTimeout = plan.Millis(owner.AttemptTimeout.V)
	if out.Breaker != nil && l.shares(route, owner) {
		out.Circuit = route.CircuitKey()
	}
	if o := route.Resilience; o != nil {
		addResilient(out, o)
	}
}

// addResilient fills in the strategies that only ResilienceOptions have.
func addResilient(out *plan.Route, o *config.Resilience) {
	out.Fallback = fallback(o.Fallback)
	out.Limiter = limiter(o.ConcurrencyLimiter)
	out.Retry = retry(o.Retry, &out.Backend)
	out.Chaos = chaos(o.Chaos)
	out.ProblemDetails = o.ProblemDetails.V
}

// alwaysFails is an outer timeout that answers 500 to every request.
const alwaysFails = -1

// outerTimeout returns the timer of the whole request; nil for none. Where Polly
// throws at every request, the plan answers what Ocelot does.
func outerTimeout(route *normalize.Route) *plan.Millis {
	outer := plan.Millis(route.OuterTimeout.V)
	switch {
	case refused(route):
		outer = alwaysFails
	case route.OuterTimeout.V == normalize.Infinite:
		return nil
	}
	return &outer
}

// owner returns the route whose pipeline a route uses: with Polly that of the
// first route with the same load-balancing key, whose options count for all
// (claim-D29). A breaker or failures of ResilienceOptions, which only margay
// runs, are the route's own.
func (l *lowering) owner(route *normalize.Route) *normalize.Route {
	if route.SharedWith < 0 {
		return route
	}
	first := &l.Gateway.Routes[route.SharedWith]
	if changesBreaker(route) || changesBreaker(first) {
		return route
	}
	return first
}

func changesBreaker(route *normalize.Route) bool {
	return route.Resilience != nil && (route.Resilience.CircuitBreaker != nil || route.Resilience.FailureStatusCodes != nil)
}

// shares says whether a route's circuit is also that of others. The first of
// them is told by whom it is named.
func (l *lowering) shares(route, owner *normalize.Route) bool {
	if owner != route {
		return true
	}
	if route.SharedWith >= 0 || changesBreaker(route) {
		return false
	}
	return l.sharedFirst()[route]
}

// sharedFirst returns the routes that others share the circuit of.
func (l *lowering) sharedFirst() map[*normalize.Route]bool {
	if l.firsts == nil {
		l.firsts = map[*normalize.Route]bool{}
		for i := range l.Gateway.Routes {
			if at := l.Gateway.Routes[i].SharedWith; at >= 0 && l.owner(&l.Gateway.Routes[i]) == &l.Gateway.Routes[at] {
				l.firsts[&l.Gateway.Routes[at]] = true
			}
		}
	}
	return l.firsts
}

func breaker(route *normalize.Route) *plan.Breaker {
	b := &route.Breaker
	switch b.Kind {
	case normalize.NoBreaker:
		return nil
	case normalize.Expression:
		return expression(route.Resilience.CircuitBreaker)
	}
	return &plan.Breaker{
		Kind:              plan.BreakerKind(b.Kind.String()),
		MinimumThroughput: int(b.MinimumThroughput.V),
		FailureRatio:      b.FailureRatio.V,
		SamplingDuration:  plan.Millis(b.SamplingDuration.V),
		BreakDuration:     plan.Millis(b.BreakDuration.V),
	}
}

func expression(o *config.ExpressionBreaker) *plan.Breaker {
	return &plan.Breaker{
		Kind:             plan.Expression,
		Expression:       o.Expression.V,
		CheckPeriod:      plan.Millis(o.CheckPeriod.V),
		FallbackDuration: plan.Millis(o.FallbackDuration.V),
		RecoveryDuration: plan.Millis(o.RecoveryDuration.V),
		ResponseCode:     int(o.ResponseCode.V),
	}
}

func fallback(o *config.Fallback) *plan.Fallback {
	if o == nil {
		return nil
	}
	return &plan.Fallback{StaleIfError: plan.Millis(o.StaleIfError.V), StatusCode: int(o.StatusCode.V), ContentType: o.ContentType.V, Body: o.Body.V}
}

func limiter(o *config.ConcurrencyLimiter) *plan.Limiter {
	if o == nil {
		return nil
	}
	return &plan.Limiter{PermitLimit: int(o.PermitLimit.V), QueueLimit: int(o.QueueLimit.V)}
}

// retry returns nil also for 0 attempts, which is a strategy that never acts.
func retry(o *config.Retry, to *plan.Backend) *plan.Retry {
	if o == nil || o.MaxRetryAttempts.V == 0 {
		return nil
	}
	r := &plan.Retry{
		MaxRetryAttempts: int(o.MaxRetryAttempts.V),
		Delay:            plan.Millis(o.Delay.V),
		MaxDelay:         plan.Millis(o.MaxDelay.V),
		Backoff:          plan.Backoff(strings.ToLower(o.BackoffType.V)),
		UseJitter:        o.UseJitter.V,
		RetryAfter:       o.ShouldRetryAfterHeader.V,
		StatusCodes:      statuses(o.StatusCodes),
		Methods:          methodsOf(o.Methods),
		MaxBufferedBody:  int64(o.MaxBufferedBody.V),
	}
	if o.MaxRetryAfter.IsSet() {
		longest := plan.Millis(o.MaxRetryAfter.V)
		r.MaxRetryAfter = &longest
	}
	if b := o.RetryBudget; b != nil {
		r.Budget = &plan.Budget{
			RetryRatio: b.RetryRatio.V, MinimumThroughput: int(b.MinimumThroughput.V),
			SamplingDuration: plan.Millis(b.SamplingDuration.V), Scope: plan.Scope(strings.ToLower(b.Scope.V)),
		}
		if r.Budget.Scope == plan.PerBackend {
			r.Budget.Share = backendName(to)
		}
	}
	return r
}

// backendName is equal on routes to the same backend: its service, or its
// hosts in any order.
func backendName(b *plan.Backend) string {
	if b.Service != "" {
		return b.Namespace + "." + b.Service
	}
	if len(b.Hosts) == 0 {
		return "*"
	}
	hosts := make([]string, 0, len(b.Hosts))
	for _, h := range b.Hosts {
		hosts = append(hosts, strings.ToLower(h.Name)+":"+strconv.Itoa(h.Port))
	}
	slices.Sort(hosts)
	return strings.Join(slices.Compact(hosts), ",")
}

func chaos(o *config.Chaos) *plan.Chaos {
	if o == nil {
		return nil
	}
	c := &plan.Chaos{}
	if x := o.Latency; x != nil {
		c.Latency = &plan.ChaosLatency{InjectionRate: x.InjectionRate.V, Latency: plan.Millis(x.Latency.V)}
	}
	if x := o.Outcome; x != nil {
		c.Outcome = &plan.ChaosOutcome{InjectionRate: x.InjectionRate.V, StatusCode: int(x.StatusCode.V)}
	}
	if x := o.Fault; x != nil {
		c.Fault = &plan.ChaosFault{InjectionRate: x.InjectionRate.V}
	}
	return c
}
