package breaker_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/expr"
	"pgregory.net/rapid"
)

// oxyModel is Traefik's breaker in the safe profile, naively: it keeps every
// result with its time and judges a condition that is written in Go.
type oxyModel struct {
	condition func(m *oxyModel, now time.Time) bool
	config    breaker.Expression

	state             string
	period            int
	until             time.Time
	start             time.Time
	admitted, refused int
	nextCheck         time.Time
	results           []oxyResult
}

type oxyResult struct {
	at     time.Time
	status int
}

func (m *oxyModel) enter(state string, until time.Time) {
	m.state, m.until = state, until
	m.period++
}

// admit returns the period that admits a call, or false.
func (m *oxyModel) admit(now time.Time) (int, bool) {
	switch {
	case m.state == "isolated" || m.state == "open" && now.Before(m.until):
		return 0, false
	case m.state == "open":
		m.enter("recovering", now.Add(m.config.RecoveryDuration))
		m.start, m.admitted, m.refused = now, 0, 0
		m.results = nil
	}
	switch {
	case m.state == "recovering" && now.After(m.until):
		m.enter("closed", time.Time{})
	case m.state == "recovering":
		share := float64(m.admitted+1) / float64(m.admitted+1+m.refused)
		if share >= 0.5/float64(m.config.RecoveryDuration)*float64(now.Sub(m.start)) {
			m.refused++
			return 0, false
		}
		m.admitted++
	}
	return m.period, true
}

func (m *oxyModel) report(now time.Time, period, status int) {
	if period != m.period {
		return
	}
	m.results = append(m.results, oxyResult{now, status})
	if !now.After(m.nextCheck) {
		return
	}
	m.nextCheck = now.Add(m.config.CheckPeriod)
	if m.condition(m, now) {
		m.enter("open", now.Add(m.config.FallbackDuration))
	}
}

// count returns how many results of the last ten wall seconds have a status
// in [from, to).
func (m *oxyModel) count(now time.Time, from, to int) (n int) {
	m.results = slices.DeleteFunc(m.results, func(r oxyResult) bool { return now.Unix()-r.at.Unix() > 9 })
	for _, r := range m.results {
		if from <= r.status && r.status < to {
			n++
		}
	}
	return n
}

const modelled = "NetworkErrorRatio() > 0.5 && RequestThreshold() >= 3 || ResponseCodeRatio(500, 600, 200, 300) >= 2.0"

func modelledCondition(m *oxyModel, now time.Time) bool {
	total := m.count(now, 0, 1000)
	network := m.count(now, 502, 503) + m.count(now, 504, 505)
	if total >= 3 && float64(network)/float64(total) > 0.5 {
		return true
	}
	good := m.count(now, 200, 300)
	return good > 0 && float64(m.count(now, 500, 600))/float64(good) >= 2
}

// choices draws what happens next: rapid, which shrinks, or a fast generator.
type choices interface {
	pick(n int) int
}

// drawn are choices that were made before, because rapid must not draw inside
// of a bubble of synctest.
type drawn struct{ left []int }

func (d *drawn) pick(n int) int {
	if len(d.left) == 0 {
		return 0
	}
	choice := d.left[0] % n
	d.left = d.left[1:]
	return choice
}

type generated struct{ *rand.Rand }

func (g generated) pick(n int) int { return g.IntN(n) }

// duel drives a breaker and its model with the same events.
type duel struct {
	b        *breaker.Breaker
	m        oxyModel
	inFlight []duelCall
}

type duelCall struct {
	permit breaker.Permit
	period int
}

func newDuel(t testing.TB) *duel {
	t.Helper()
	condition, err := expr.Parse(modelled)
	if err != nil {
		t.Fatal(err)
	}
	config := breaker.Expression{
		Condition: condition, CheckPeriod: 100 * time.Millisecond,
		FallbackDuration: 2 * time.Second, RecoveryDuration: 3 * time.Second,
	}
	return &duel{b: breaker.New(config), m: oxyModel{config: config, condition: modelledCondition, state: "closed"}}
}

var (
	duelSteps    = []time.Duration{0, 0, 0, 1, time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 333 * time.Millisecond, time.Second, 9 * time.Second}
	duelStatuses = []int{200, 200, 200, 204, 404, 500, 502, 503, 504, 599, 600}
)

// step does one thing and returns what differs, or "".
func (d *duel) step(c choices) string {
	time.Sleep(duelSteps[c.pick(len(duelSteps))])
	now := time.Now()
	switch action := c.pick(200); {
	case action == 0:
		d.b.Isolate()
		if d.m.state != "isolated" {
			d.m.enter("isolated", time.Time{})
		}
	case action < 3 || action < 20 && d.m.state == "isolated":
		d.b.ForceClose()
		d.m.enter("closed", time.Time{})
		d.m.results = nil
	case action < 100 && len(d.inFlight) < 8:
		permit, err := d.b.Acquire()
		period, admitted := d.m.admit(now)
		if (err == nil) != admitted {
			return "admission: got " + errorText(err)
		}
		if admitted {
			d.inFlight = append(d.inFlight, duelCall{permit, period})
		}
	case len(d.inFlight) > 0:
		d.finish(c, now)
	}
	if got := d.b.State().String(); got != d.m.state {
		return "got state " + got + ", want " + d.m.state
	}
	return ""
}

func (d *duel) finish(c choices, now time.Time) {
	i := c.pick(len(d.inFlight))
	call := d.inFlight[i]
	d.inFlight = slices.Delete(d.inFlight, i, i+1)
	if c.pick(10) == 0 {
		call.permit.Ignore()
		return
	}
	status := duelStatuses[c.pick(len(duelStatuses))]
	call.permit.Report(traefikOutcome(status, 0))
	d.m.report(now, call.period, status)
}

func errorText(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}

func TestExpressionModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := &drawn{rapid.SliceOfN(rapid.IntRange(0, 999), 1, 1000).Draw(rt, "choices")}
		differs := ""
		synctest.Test(t, func(t *testing.T) {
			d := newDuel(t)
			for differs == "" && len(c.left) > 0 {
				differs = d.step(c)
			}
		})
		if differs != "" {
			rt.Fatal(differs)
		}
	})
}

// TestExpressionModelLong takes the same steps for longer, without shrinking.
func TestExpressionModelLong(t *testing.T) {
	const steps, lives = 10_000, 100
	states := map[string]int{}
	synctest.Test(t, func(t *testing.T) {
		for life := range uint64(lives) {
			d := newDuel(t)
			c := generated{rand.New(rand.NewPCG(life, 0))}
			for i := range steps {
				if differs := d.step(c); differs != "" {
					t.Fatalf("life %d, step %d: %s", life, i, differs)
				}
				states[d.m.state]++
			}
		}
	})
	for _, state := range []string{"closed", "open", "recovering", "isolated"} {
		if states[state] < steps*lives/1000 {
			t.Errorf("the model was %s for %d steps of %d: too few to prove anything", state, states[state], steps*lives)
		}
	}
}
