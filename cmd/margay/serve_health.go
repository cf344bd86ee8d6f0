package main

import (
	"cmp"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/settings"
)

// Where passive health is asked for and a number is not said.
const (
	healthFailures = 3      // in a row
	healthCalls    = 10     // that a ratio is judged by
	healthSampling = 10_000 // milliseconds
	healthBreak    = 10_000 // milliseconds
)

// passiveHealth is when hosts are passed over, where a plan does not say it.
type passiveHealth struct {
	judge *plan.Breaker // nil: never
	// overrides says that it counts for routes of a plan that say it themselves.
	overrides bool
}

// passiveHealthOf reads it off the options, which win, and the settings.
func passiveHealthOf(c *cli.Context, written *settings.PassiveHealth) (passiveHealth, error) {
	var h passiveHealth
	if written != nil {
		h.judge = judgeOf(written)
	}
	if c.IsSet(flagHealth) {
		h = passiveHealth{overrides: true}
		switch n := c.Int(flagHealth); {
		case n < 0:
			return h, usage("", "--passive-health is %d; expected a number of failures, or 0 for never", n)
		case n > 0:
			h.judge = judgeOf(&settings.PassiveHealth{MinimumThroughput: n})
		}
	}
	if !c.IsSet(flagHealthBreak) {
		return h, nil
	}
	pause := c.Duration(flagHealthBreak)
	switch {
	case pause < time.Millisecond || pause > 24*time.Hour:
		return h, usage("", "--passive-health-break is %s; expected 1ms to 24h", pause)
	case h.judge == nil:
		return h, usage("say after how many failures with --passive-health NUMBER", "--passive-health-break has no effect: no host is passed over")
	}
	h.judge.BreakDuration = plan.Millis(pause.Milliseconds())
	return h, nil
}

// judgeOf fills in what is not said.
func judgeOf(w *settings.PassiveHealth) *plan.Breaker {
	b := &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: cmp.Or(w.MinimumThroughput, healthFailures),
		BreakDuration: plan.Millis(cmp.Or(w.BreakDuration, healthBreak))}
	if w.FailureRatio > 0 {
		b.Kind, b.FailureRatio = plan.Ratio, w.FailureRatio
		b.MinimumThroughput = cmp.Or(w.MinimumThroughput, healthCalls)
		b.SamplingDuration = plan.Millis(cmp.Or(w.SamplingDuration, healthSampling))
	}
	return b
}

// add has the routes of a plan judge their hosts, where there is a choice.
func (h passiveHealth) add(p *plan.Plan) {
	for i := range p.Routes {
		r := &p.Routes[i]
		switch {
		case r.PassiveHealth != nil && !h.overrides:
		case hasChoice(r):
			r.PassiveHealth = h.judge
		default:
			r.PassiveHealth = nil
		}
	}
}

// hasChoice says whether requests of a route can go to several hosts.
func hasChoice(r *plan.Route) bool {
	return r.LoadBalancer.Chooses() && len(r.Backend.Hosts) != 1
}

// judgedRoutes counts the routes whose hosts are judged.
func judgedRoutes(p *plan.Plan) (n int) {
	for i := range p.Routes {
		if p.Routes[i].PassiveHealth != nil {
			n++
		}
	}
	return n
}
