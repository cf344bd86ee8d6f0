package proxy_test

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
)

// stateDifferences depend on the requests before: circuits, balancers, caches.
var stateDifferences = []difference{
	{"reload-state", keepState},
	{"frozen-dynamic", ownTimeout},
	{"first-options", ownHost("first-options")},
	{"namespace-turns", ownHost("namespace-turns")},
	{"leased-before-asked", ownHost("leased-before-asked")},
	{"early-release", holdLease},
	{"dead-host", skipDead},
	{"retry-after", sayWhen},
}

// ask asks a circuit beside the one under test, before the step is played. It is
// told what the script says, and lives on over reloads as semantics.md has it.
func (p *promise) ask() (allowed, known bool) {
	m, _, ok := p.match()
	if !ok || m.Route() == nil || m.Route().Breaker == nil || p.record.Mode == "overlapping" {
		return false, false
	}
	r := m.Route()
	c := p.past.circuits[r.ID]
	if c == nil || !sameBreaker(&c.of, r.Breaker) {
		c = &foretoldCircuit{of: *r.Breaker}
		p.past.circuits[r.ID] = c
	}
	now := int(time.Since(p.past.began).Milliseconds())
	permit, ok := c.ask(now)
	result := resultSuccess
	isFailure := func(s plan.StatusRange) bool { return s.Contains(max(p.step.Upstream.Status, 200)) }
	if slices.ContainsFunc(r.Failures.StatusCodes, isFailure) {
		result = resultFailure
	}
	permit.report(now, result)
	return ok, true
}

func sameBreaker(a, b *plan.Breaker) bool {
	return a.Kind == b.Kind && a.MinimumThroughput == b.MinimumThroughput && a.FailureRatio == b.FailureRatio &&
		a.BreakDuration == b.BreakDuration && a.SamplingDuration == b.SamplingDuration
}

// keepState: over a reload the circuit keeps its state where the breaker is the
// same, and starts afresh where it is another.
func keepState(p *promise) bool {
	isReload := func(s routingStep) bool { return s.Reload != nil }
	if !slices.ContainsFunc(p.record.Steps, isReload) {
		return false
	}
	allowed, known := p.ask()
	rejected := p.step.Expect.Status == http.StatusServiceUnavailable && len(p.contacts) == 0
	if !known || allowed != rejected {
		return false
	}
	if allowed {
		return p.passOn()
	}
	p.refuse(http.StatusServiceUnavailable)
	p.whole = false
	if p.record.Gateway.QoS == "built-in" {
		p.setHeader("content-type", "text/plain; charset=utf-8")
		p.setBody("Circuit breaker is open for route -> " + p.route().UpstreamPathTemplate)
	}
	return true
}

// sayWhen: an open circuit says when it closes.
func sayWhen(p *promise) bool {
	r := p.openCircuit()
	if r == nil {
		return false
	}
	p.breaks = r.Breaker.BreakDuration.Duration()
	p.setHeader("retry-after", "<seconds>")
	return true
}

// openCircuit returns the route whose circuit rejected the request.
func (p *promise) openCircuit() *plan.Route {
	if p.answer.Status != http.StatusServiceUnavailable {
		return nil
	}
	m, _, ok := p.match()
	if !ok {
		return nil
	}
	var of []*plan.Route
	if a := m.Aggregate(); a != nil {
		for i := range p.gateway.proxy.Plan().Routes {
			r := &p.gateway.proxy.Plan().Routes[i]
			isMember := func(member plan.Member) bool { return member.Route == r.ID }
			if slices.ContainsFunc(a.Members, isMember) && r.Breaker != nil {
				of = append(of, r)
			}
		}
	} else if m.Route().Breaker != nil {
		of = append(of, m.Route())
	}
	said := p.answer.Body != nil && strings.HasPrefix(*p.answer.Body, "Circuit breaker is open")
	unasked := p.record.Gateway.QoS == "polly" && len(of) == 1 &&
		!slices.ContainsFunc(p.contacts, func(c contact) bool { return c.Upstream == p.stage.upstreamOf(&of[0].Backend) })
	if len(of) != 1 || !said && !unasked {
		return nil
	}
	return of[0]
}

// ownTimeout: a dynamic route has the timeout of the configuration in force.
func ownTimeout(p *promise) bool {
	r := p.planned()
	if p.past.reloads == 0 || r == nil || r.Match.Kind == plan.Static || len(p.contacts) != 1 {
		return false
	}
	if r.OuterTimeout == nil {
		return false
	}
	limit := r.OuterTimeout.Duration()
	if time.Duration(p.step.Upstream.Delay)*time.Millisecond <= limit || p.answer.Status == http.StatusServiceUnavailable {
		return false
	}
	asked := p.contacts
	p.refuse(http.StatusServiceUnavailable)
	p.contacts, p.whole = asked, false
	return true
}

// holdLease: LeastConnection counts a request until its body is over. Steps
// overlap; a body takes its chunks' delays.
func holdLease(p *promise) bool {
	r := p.route0()
	if r == nil || r.LoadBalancerOptions.Type != "LeastConnection" || p.record.Mode != "overlapping" || len(p.contacts) != 1 {
		return false
	}
	hosts := r.upstreams()
	ends := make([][]int, len(hosts)) // of the requests that hold a host
	own := 0
	for i := range p.at + 1 {
		step := &p.record.Steps[i]
		start := step.Request.StartAt
		best := -1
		for h := range hosts {
			ends[h] = slices.DeleteFunc(ends[h], func(end int) bool { return end <= start })
			if best < 0 || len(ends[h]) < len(ends[best]) {
				best = h
			}
		}
		what := p.record.Steps[0].Upstream
		if step.Expect.Downstream != nil && what.ByPath != nil {
			what = what.ByPath[step.Expect.Downstream.Target]
		}
		ends[best] = append(ends[best], start+what.Delay+max(0, what.Chunks-1)*what.ChunkDelay)
		own = best
	}
	if hosts[own] == p.contacts[0].Upstream {
		return false
	}
	p.moved(0, hosts[own])
	return true
}

// route0 returns the first configured route: records of balancers have one.
func (p *promise) route0() *configuredRoute {
	all := p.settings().Routes
	if len(all) != 1 {
		return nil
	}
	return &all[0]
}

// skipDead: LeastConnection skips a host that refused a moment ago.
func skipDead(p *promise) bool {
	r := p.route()
	if r == nil || r.LoadBalancerOptions.Type != "LeastConnection" || !slices.Contains(r.upstreams(), "DEAD") || p.record.Mode == "overlapping" {
		return false
	}
	if p.past.refused.IsZero() || time.Since(p.past.refused) > time.Second {
		if r.upstreams()[0] == "DEAD" {
			p.past.refused = time.Now()
		}
		return false
	}
	if p.step.Expect.Status != http.StatusBadGateway {
		return false
	}
	m, target, ok := p.match()
	alive := slices.DeleteFunc(r.upstreams(), func(name string) bool { return name == "DEAD" })
	if !ok || len(alive) == 0 {
		return false
	}
	out, err := m.BackendTarget(target)
	if err != nil {
		return false
	}
	p.passes(alive[0], out)
	return true
}
