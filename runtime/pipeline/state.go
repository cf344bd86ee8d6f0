package pipeline

import (
	"errors"
	"time"

	"github.com/margay-dev/margay/runtime/budget"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/retry"
)

// state is what pipelines remember and what survives a change of plan where
// nothing about it changed.
type state struct {
	circuits  map[string]*circuit
	budgets   map[budgetKey]*budget.Budget
	limiters  map[limiterKey]*limiter.Limiter
	fallbacks map[fallbackKey]Fallback
	hosts     map[string]*judged // by route
}

// budgetKey tells budgets apart. Routes of one backend share a budget where its
// numbers are equal.
type budgetKey struct {
	owner string
	plan.Budget
}

type limiterKey struct {
	route string
	plan.Limiter
}

type fallbackKey struct {
	route string
	plan.Fallback
}

func newHeir(old *state, o *Options) *heir {
	return &heir{old: old, next: newState(), options: o, leases: map[leased]time.Duration{}, sets: setsOfStatuses{},
		once: &retry.HTTP{MaxBufferedBody: -1}}
}

func newState() *state {
	return &state{
		circuits:  map[string]*circuit{},
		budgets:   map[budgetKey]*budget.Budget{},
		limiters:  map[limiterKey]*limiter.Limiter{},
		fallbacks: map[fallbackKey]Fallback{},
		hosts:     map[string]*judged{},
	}
}

// heir builds the state of a new plan from that of the old one. It changes
// nothing about the old one, which stays in use if the new plan is refused.
type heir struct {
	old, next *state
	options   *Options
	leases    map[leased]time.Duration // to be set when the plan is accepted
	sets      setsOfStatuses
	once      *retry.HTTP // of routes without retries: a body is sent as it comes
}

// circuit returns the circuit of r: the one that r shares, the old one where
// its breaker and the classification of failures are equal, or a new one.
func (h *heir) circuit(r *plan.Route) (*circuit, error) {
	key := "route " + r.ID
	if r.Circuit != "" {
		key = "circuit " + r.Circuit
	}
	c, shared := h.next.circuits[key]
	if !shared {
		c = h.old.circuits[key]
	}
	if c == nil || !c.fits(r) {
		var err error
		if c, err = newCircuit(r, h.options); err != nil {
			return nil, err
		}
	}
	h.next.circuits[key] = c
	h.lease(c.breaker, probeLease(r), shared)
	return c, nil
}

// leased is what probes have leases of.
type leased interface{ SetProbeLease(time.Duration) }

// lease notes how long a probe of b may take. On a shared circuit the probe may
// be a call of any of its routes, so the longest counts; 0 is without end.
func (h *heir) lease(b leased, d time.Duration, shared bool) {
	if was := h.leases[b]; shared && (was == 0 || d != 0 && was > d) {
		return
	}
	h.leases[b] = d
}

// settle applies the changes of the state that was kept, which could not be
// taken back if the plan were refused.
func (h *heir) settle() {
	for b, d := range h.leases {
		b.SetProbeLease(d)
	}
}

// budget returns the budget of r, which has one, by the same rule.
func (h *heir) budget(r *plan.Route) (*budget.Budget, error) {
	key := budgetKey{owner: "route " + r.ID, Budget: *r.Retry.Budget}
	if key.Scope == plan.PerBackend {
		key.owner = "backend " + key.Share
	}
	if b, ok := h.next.budgets[key]; ok {
		return b, nil
	}
	b, ok := h.old.budgets[key]
	if !ok {
		var err error
		if b, err = newBudget(&key.Budget); err != nil {
			return nil, err
		}
	}
	h.next.budgets[key] = b
	return b, nil
}

// limiter returns the limiter of r, which has one, by the same rule.
func (h *heir) limiter(r *plan.Route) (*limiter.Limiter, error) {
	key := limiterKey{route: r.ID, Limiter: *r.Limiter}
	l, ok := h.old.limiters[key]
	if !ok {
		var err error
		if l, err = limiter.New(limiter.Options{PermitLimit: key.PermitLimit, QueueLimit: key.QueueLimit}); err != nil {
			return nil, err
		}
	}
	h.next.limiters[key] = l
	return l, nil
}

// fallback returns the fallback of r, which has one, with the responses that the
// old one keeps, by the same rule.
func (h *heir) fallback(r *plan.Route) (Fallback, error) {
	key := fallbackKey{route: r.ID, Fallback: *r.Fallback}
	f, ok := h.old.fallbacks[key]
	if !ok {
		if h.options.Fallback == nil {
			return nil, errors.New("the route has a fallback, which needs Options.Fallback, such as fallback.ForRoute")
		}
		var err error
		if f, err = h.options.Fallback(key.Fallback); err != nil {
			return nil, err
		}
	}
	h.next.fallbacks[key] = f
	return f, nil
}

func newBudget(b *plan.Budget) (*budget.Budget, error) {
	return budget.New(budget.Options{
		RetryRatio:        &b.RetryRatio,
		MinimumThroughput: b.MinimumThroughput,
		SamplingDuration:  b.SamplingDuration.Duration(),
	})
}
