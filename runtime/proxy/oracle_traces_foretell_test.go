package proxy_test

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

// foreteller computes what every step of a scenario brings, from the plan and the
// scripts alone: a gateway without sockets, on a clock of its own.
type foreteller struct {
	rec   *traceRecord
	rules ocelotRules
	plan  *plan.Plan
	table *route.Table
	plans map[int]*plan.Plan

	now      int
	queue    []foretoldEvent
	order    int
	current  int
	out      []traceObserved
	up       map[string]bool
	idle     map[string]int // connections that serve nobody, by upstream
	used     map[int]int    // answers of a sequence by step
	circuits map[string]*foretoldCircuit
	turns    map[string]int
	kept     map[string]keptTrace
	frozen   map[string]*foretoldRequest // the first requests of services and of sticky sessions
	broken   bool                        // the last configuration was invalid, and it is in force
}

type keptTrace struct {
	until  int
	answer foretoldAnswer
}

type foretoldEvent struct {
	at, order int
	do        func()
}

type foretoldAnswer struct {
	status   int
	body     string
	partial  bool
	ofCircle bool // the gateway's own
	aborted  bool
	down     bool // an error under Polly, which has no answer to join

	retryAfter int // seconds
}

func newForeteller(rec *traceRecord, first *plan.Plan, plans map[int]*plan.Plan, rules ocelotRules) (*foreteller, error) {
	f := &foreteller{rec: rec, rules: rules, plans: plans, up: map[string]bool{}, idle: map[string]int{}, used: map[int]int{},
		circuits: map[string]*foretoldCircuit{}, turns: map[string]int{}, kept: map[string]keptTrace{}, frozen: map[string]*foretoldRequest{},
		out: make([]traceObserved, len(rec.Steps))}
	for name, kind := range rec.Upstreams {
		f.up[name] = kind == "http"
	}
	return f, f.load(first)
}

func (f *foreteller) load(p *plan.Plan) (err error) {
	f.plan = p
	f.table, err = route.New(p)
	return err
}

// at lets something happen later.
func (f *foreteller) at(when int, do func()) {
	f.order++
	f.queue = append(f.queue, foretoldEvent{max(when, f.now), f.order, do})
}

// run lets everything happen until a moment, or until done is true.
func (f *foreteller) run(until int, done func() bool) {
	for len(f.queue) > 0 && !done() {
		next := slices.MinFunc(f.queue, func(a, b foretoldEvent) int { return cmp.Or(a.at-b.at, a.order-b.order) })
		if next.at > until {
			break
		}
		f.queue = slices.DeleteFunc(f.queue, func(e foretoldEvent) bool { return e.order == next.order })
		f.now = next.at
		next.do()
	}
	if !done() {
		f.now = max(f.now, until)
	}
}

const never = 1 << 30

// foretell plays all steps.
func (f *foreteller) foretell() []traceObserved {
	for i := range f.rec.Steps {
		step := &f.rec.Steps[i]
		f.run(step.At, func() bool { return false })
		f.current = i
		f.out[i].Contacts = map[string]int{}
		finished := f.step(i, step)
		if step.Background {
			f.run(f.now+1, func() bool { return false })
			continue
		}
		f.run(never, finished)
	}
	f.run(never, func() bool { return len(f.queue) == 0 })
	return f.out
}

// step begins a step and returns when it is over.
func (f *foreteller) step(i int, step *traceStep) (finished func() bool) {
	switch {
	case step.SetUpstream != nil:
		for name, state := range step.SetUpstream {
			f.up[name], f.idle[name] = state == "up", 0
		}
	case step.WriteConfig != nil:
		f.reload(i)
	case step.Wait:
	case step.Parallel > 0:
		return f.many(i, step)
	default:
		over := false
		f.request(i, step, func(a foretoldAnswer) { f.out[i] = observed(a, f.out[i].Contacts); over = true })
		return func() bool { return over }
	}
	return func() bool { return true }
}

func observed(a foretoldAnswer, contacts map[string]int) traceObserved {
	o := traceObserved{Outcome: "response", Status: a.status, Body: &a.body, Complete: new(!a.partial), Contacts: contacts, RetryAfter: a.retryAfter}
	if a.aborted {
		o.Outcome = "client-aborted"
		if a.status != 0 {
			o.Outcome = "response"
		}
	}
	return o
}

func (f *foreteller) reload(i int) {
	p := f.plans[i]
	f.broken = false
	switch {
	case p == nil && f.rules.ReloadInvalid:
		f.broken = true
	case p != nil:
		old := f.plan
		_ = f.load(p)
		switch {
		case f.rules.ReloadState && f.rec.Provider == "builtin":
			clear(f.circuits)
		case f.rules.ReloadState:
			f.keepOptions(old)
		}
	}
}

// keepOptions gives routes the strategies that they had before.
func (f *foreteller) keepOptions(old *plan.Plan) {
	kept := *f.plan
	kept.Routes = slices.Clone(kept.Routes)
	for i := range kept.Routes {
		r := &kept.Routes[i]
		at := slices.IndexFunc(old.Routes, func(o plan.Route) bool { return o.ID == r.ID })
		if at >= 0 && old.Routes[at].Breaker != nil {
			r.Breaker, r.AttemptTimeout = old.Routes[at].Breaker, old.Routes[at].AttemptTimeout
		}
	}
	_ = f.load(&kept)
}

// many sends a step several times.
func (f *foreteller) many(i int, step *traceStep) (finished func() bool) {
	left := step.Parallel
	f.out[i].Answers = map[string]int{}
	var one func()
	one = func() {
		f.request(i, step, func(a foretoldAnswer) {
			f.out[i].Answers[fmt.Sprintf("%d | %s", a.status, a.body)]++
			f.out[i].InOrder = append(f.out[i].InOrder, fmt.Sprint(a.status))
			if left--; step.Sequential && left > 0 {
				f.at(f.now, one)
			}
		})
	}
	if step.Sequential {
		one()
	} else {
		for range step.Parallel {
			one()
		}
	}
	return func() bool { return left == 0 }
}
