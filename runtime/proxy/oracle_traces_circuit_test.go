package proxy_test

import "github.com/margay-dev/margay/runtime/plan"

// foretoldCircuit is a circuit breaker in a few lines, by the rules of the safe
// profile: it counts in milliseconds of the scenario, and shares nothing with
// package breaker.
type foretoldCircuit struct {
	of    plan.Breaker
	lease int // of a probe; 0: for ever
	rules ocelotRules

	state      circuitState
	generation int
	until      int // of the break
	probing    bool
	leased     int // until when
	inRow      int // failures of consecutive
	entries    []circuitEntry
	slices     []circuitSlice // of polly
}

type circuitState uint8

const (
	isClosed circuitState = iota
	isOpen
	isHalfOpen
)

type circuitEntry struct {
	at     int
	failed bool
}

type circuitSlice struct{ at, failed, total int }

// circuitPermit is what an admitted request reports to.
type circuitPermit struct {
	circuit    *foretoldCircuit
	generation int
}

type circuitResult uint8

const (
	resultIgnored circuitResult = iota
	resultSuccess
	resultFailure
)

// ask admits a request or not.
func (c *foretoldCircuit) ask(now int) (*circuitPermit, bool) {
	if c.state == isOpen && now >= c.until {
		c.enter(isHalfOpen)
	}
	switch {
	case c.state == isOpen:
		return nil, false
	case c.state == isHalfOpen:
		expired := c.probing && now >= c.leased && c.lease > 0 && !c.rules.LeakedProbe
		if c.probing && !expired {
			return nil, false
		}
		if expired {
			c.generation++
		}
		c.probing, c.leased = true, now+c.lease
	}
	return &circuitPermit{c, c.generation}, true
}

// closes returns in how many seconds a request may be admitted: soon, if a probe
// is under way.
func (c *foretoldCircuit) closes(now int) int {
	if c.state == isHalfOpen {
		return 1
	}
	return (c.until - now + 999) / 1000
}

func (c *foretoldCircuit) enter(s circuitState) {
	c.state, c.probing = s, false
	c.generation++
}

// report tells the outcome of an admitted request.
func (p *circuitPermit) report(now int, r circuitResult) {
	if p == nil {
		return
	}
	c := p.circuit
	if p.generation != c.generation && !c.rules.LateResult {
		return
	}
	if r == resultIgnored {
		if p.generation == c.generation && !c.rules.LeakedProbe {
			c.probing = false
		}
		return
	}
	failed := r == resultFailure
	if c.state != isClosed {
		if failed {
			c.open(now)
		} else {
			c.reset()
			c.enter(isClosed)
		}
		return
	}
	if c.trips(now, failed) {
		c.open(now)
	}
}

func (c *foretoldCircuit) open(now int) {
	c.enter(isOpen)
	c.until = now + int(c.of.BreakDuration)
}

func (c *foretoldCircuit) reset() { c.inRow, c.entries, c.slices = 0, nil, nil }

// trips counts an outcome while the circuit is closed.
func (c *foretoldCircuit) trips(now int, failed bool) bool {
	if c.of.Kind == plan.Consecutive {
		if c.inRow++; !failed {
			c.inRow = 0
		}
		return c.inRow >= c.of.MinimumThroughput
	}
	failures, total := 0, 0
	if c.of.Kind == plan.Ratio {
		failures, total = c.inWindow(now, failed)
	} else {
		failures, total = c.inSlices(now, failed)
	}
	return failed && total >= c.of.MinimumThroughput && float64(failures)/float64(total) >= c.of.FailureRatio
}

// inWindow counts entries that are not older than the sampling duration.
func (c *foretoldCircuit) inWindow(now int, failed bool) (failures, total int) {
	c.entries = append(c.entries, circuitEntry{now, failed})
	for len(c.entries) > 0 && now-c.entries[0].at > int(c.of.SamplingDuration) {
		c.entries = c.entries[1:]
	}
	for _, e := range c.entries {
		if total++; e.failed {
			failures++
		}
	}
	return failures, total
}

// inSlices counts as Polly does: a slice begins with the first outcome after the
// one before is a tenth of the sampling duration old.
func (c *foretoldCircuit) inSlices(now int, failed bool) (failures, total int) {
	sampling := int(c.of.SamplingDuration)
	if n := len(c.slices); n == 0 || now-c.slices[n-1].at >= sampling/10 {
		c.slices = append(c.slices, circuitSlice{at: now})
	}
	for now-c.slices[0].at >= sampling {
		c.slices = c.slices[1:]
	}
	last := &c.slices[len(c.slices)-1]
	if last.total++; failed {
		last.failed++
	}
	for _, s := range c.slices {
		failures, total = failures+s.failed, total+s.total
	}
	return failures, total
}
