package pipeline

import (
	"net/http"
	"time"

	"github.com/margay-dev/margay/runtime/chaos"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// New returns the pipeline of one route, with a state of its own. A route that
// no plan could hold, or an expression that cannot be read, is refused with a
// *plan.InvalidError.
func New(route plan.Route, o Options) (*Pipeline, error) {
	profile := o.Profile
	if profile.Provider == "" {
		profile.Provider = plan.Builtin
	}
	p := &plan.Plan{Version: plan.Version, Profile: profile, Routes: []plan.Route{route}}
	set, err := NewSet(p, o)
	if err != nil {
		return nil, err
	}
	return set.current.Load().only, nil
}

// pipeline builds the pipeline of r from the plan and the state that it
// inherits.
func (h *heir) pipeline(r *plan.Route, profile plan.Profile) (*Pipeline, error) {
	p := &Pipeline{
		judge:  judgeOf(r.Failures, h.sets),
		events: newEmitter(r.ID, h.options.Observer, h.options.OnObserverPanic),
		style:  Style{Name: r.Name, Provider: profile.Provider, ProblemDetails: r.ProblemDetails},
	}
	p.events.observer = telemetry.ForRoute(p.events.observer, r.ID)
	p.chaos = newChaos(r.Chaos, &p.events, h.options)
	steps := []func(*Pipeline, *plan.Route) error{h.addFallback, h.addLimiter, h.addRetry, h.addBreaker, h.addHosts}
	for _, add := range steps {
		if err := add(p, r); err != nil {
			return nil, err
		}
	}
	p.bound(p.outerTimeout(r), r.AttemptTimeout.Duration())
	return p, nil
}

func (h *heir) addFallback(p *Pipeline, r *plan.Route) (err error) {
	if r.Fallback != nil {
		p.fallback, err = h.fallback(r)
	}
	return err
}

func (h *heir) addBreaker(p *Pipeline, r *plan.Route) error {
	if r.Breaker == nil {
		return nil
	}
	c, err := h.circuit(r)
	if err != nil {
		return err
	}
	p.breaker, p.events.last = c.breaker, c.last
	p.style.ResponseCode = r.Breaker.ResponseCode
	return nil
}

func (h *heir) addHosts(p *Pipeline, r *plan.Route) (err error) {
	if r.PassiveHealth != nil {
		p.hosts, err = h.hosts(r)
	}
	return err
}

func (h *heir) addLimiter(p *Pipeline, r *plan.Route) (err error) {
	if r.Limiter != nil {
		p.limiter, err = h.limiter(r)
	}
	return err
}

func (h *heir) addRetry(p *Pipeline, r *plan.Route) (err error) {
	if r.Retry == nil {
		p.http = h.once
		return nil
	}
	p.http = retryHTTP(r.Retry)
	if p.retry, err = newRetry(r.Retry, h.options); err != nil || r.Retry.Budget == nil {
		return err
	}
	p.budget, err = h.budget(r)
	return err
}

// outerTimeout returns the bound of the whole call, 0 for none. One that the
// plan has taken from the arithmetic of a release and that leaves no time makes
// every call fail.
func (p *Pipeline) outerTimeout(r *plan.Route) time.Duration {
	if r.OuterTimeout == nil {
		return 0
	}
	outer := r.OuterTimeout.Duration()
	switch {
	case outer < 0:
		p.hopeless = ErrMisconfigured
	case outer == 0:
		p.hopeless = &timeout.Error{Kind: timeout.Total}
	}
	return outer
}

func newRetry(r *plan.Retry, o *Options) (*retry.Policy, error) {
	opts := retry.Options{MaxRetryAttempts: r.MaxRetryAttempts, Delay: r.Delay.Duration(),
		BackoffType: backoffType(r.Backoff), UseJitter: r.UseJitter, Randomizer: o.Random}
	if r.MaxDelay > 0 {
		opts.MaxDelay = new(r.MaxDelay.Duration())
	}
	return retry.New(opts)
}

func backoffType(b plan.Backoff) retry.BackoffType {
	switch b {
	case plan.Linear:
		return retry.Linear
	case plan.Exponential:
		return retry.Exponential
	}
	return retry.Constant
}

func retryHTTP(r *plan.Retry) *retry.HTTP {
	statuses := setOf(r.StatusCodes)
	h := &retry.HTTP{
		Methods:          append([]string{}, r.Methods...), // none is none, not the default
		RetryStatus:      statuses.has,
		IgnoreRetryAfter: !r.RetryAfter,
		MaxBufferedBody:  r.MaxBufferedBody,
	}
	if h.MaxBufferedBody == 0 {
		h.MaxBufferedBody = -1
	}
	if r.MaxRetryAfter != nil {
		h.MaxRetryAfter = new(r.MaxRetryAfter.Duration())
	}
	return h
}

// newChaos returns what chaos does to the requests of a route, nil if nothing.
func newChaos(c *plan.Chaos, e *emitter, o *Options) *chaos.Chaos[*http.Response] {
	if c == nil {
		return nil
	}
	strike := func(rate float64) chaos.Injection {
		return chaos.Injection{InjectionRate: rate, Randomizer: o.Random}
	}
	x := &chaos.Chaos[*http.Response]{}
	if c.Latency != nil {
		x.Latency = &chaos.Latency{Injection: strike(c.Latency.InjectionRate), Latency: c.Latency.Latency.Duration(), OnLatency: e.chaosLatency}
	}
	if c.Fault != nil {
		x.Fault = &chaos.Fault{Injection: strike(c.Fault.InjectionRate), OnFault: e.chaosFault}
	}
	if c.Outcome != nil {
		x.Outcome = &chaos.Outcome[*http.Response]{Injection: strike(c.Outcome.InjectionRate),
			OutcomeGenerator: chaos.Status(c.Outcome.StatusCode), OnOutcome: e.chaosOutcome}
	}
	return x
}
