package proxy_test

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// turns is what the balancers of the requests before did.
type turns struct {
	taken    map[string]int     // choices, by what takes turns
	sessions map[string]session // by what takes turns and by cookie
	asked    map[string]string  // whose requests came, by the name of a service
	crossed  map[string]bool    // names of services that several namespaces have
	rejected map[string]bool    // what an open circuit turned a request away from
}

type session struct {
	host string
	end  time.Time
}

func newTurns() turns {
	return turns{map[string]int{}, map[string]session{}, map[string]string{}, map[string]bool{}, map[string]bool{}}
}

// service returns the service that the path of a dynamic request names: its
// first segment, cut at the first dot.
func (p *promise) service() (service, namespace string) {
	if p.step.Expect.MatcherInput == nil {
		return "", ""
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(p.step.Expect.MatcherInput.Path, "/"), "/")
	namespace, service, ok := strings.Cut(first, ".")
	if !ok {
		return first, ""
	}
	return service, namespace
}

// balanced is what chooses a host by itself in margay.
type balanced struct {
	name    string // of the service; empty is a static route
	own     string // what takes turns
	hosts   []string
	options configuredBalancer
}

// balanced returns what chooses the host of the step; false if nothing does.
func (p *promise) balanced() (b balanced, ok bool) {
	r := p.route()
	if r == nil || p.record.Mode == "overlapping" {
		return b, false
	}
	b.options = r.LoadBalancerOptions
	if p.step.Expect.MatchedRoute != "dynamic" {
		b.hosts = r.upstreams()
		b.own = r.UpstreamPathTemplate + " " + strings.Join(b.hosts, " ")
		return b, len(b.hosts) > 0
	}
	name, namespace := p.service()
	b.name, b.own = name, namespace+"."+name
	for _, host := range p.record.Gateway.Services[strings.TrimPrefix(b.own, ".")] {
		_, port, _ := strings.Cut(host, ":")
		b.hosts = append(b.hosts, strings.Trim(port, "{}"))
	}
	return b, len(b.hosts) > 0
}

// turn returns the host that the balancer of the request alone chooses; empty if
// none is chosen, or it does not depend on turns alone. It is asked once for
// each step.
func (p *promise) turn() string {
	b, ok := p.balanced()
	if !ok {
		return ""
	}
	past := &p.past.turns
	if theirs := p.asked(); theirs == "" {
		past.rejected[b.own] = past.rejected[b.own] || p.answer.Status == http.StatusServiceUnavailable
		return ""
	}
	before, known := past.asked[b.name]
	past.crossed[b.name] = past.crossed[b.name] || known && before != b.own
	past.asked[b.name] = b.own
	switch b.options.Type {
	case "RoundRobin":
		return past.next(&b)
	case "CookieStickySessions":
		return past.stay(&b, cookie(p.step.Request.fields(), cmp.Or(b.options.Key, ".AspNetCore.Session")))
	case "LeastConnection":
		if slices.Contains(b.hosts, "DEAD") {
			return "" // see skipDead
		}
	}
	return b.hosts[0]
}

// next returns the host whose turn it is.
func (t *turns) next(b *balanced) string {
	i := t.taken[b.own]
	t.taken[b.own]++
	return b.hosts[i%len(b.hosts)]
}

// stay returns the host of a session.
func (t *turns) stay(b *balanced, cookie string) string {
	expiry := 20 * time.Minute
	if b.options.Expiry != nil {
		expiry = time.Duration(*b.options.Expiry) * time.Millisecond
	}
	key := b.own + " " + cookie
	s := t.sessions[key]
	if !time.Now().Before(s.end) {
		s.host = t.next(b)
	}
	s.end = time.Now().Add(expiry)
	t.sessions[key] = s
	return s.host
}

// cookie returns the value of a cookie, whose name is compared without regard to
// case (lb-st-case).
func cookie(fields [][2]string, name string) string {
	for _, f := range fields {
		if !strings.EqualFold(f[0], "cookie") {
			continue
		}
		for one := range strings.SplitSeq(f[1], ";") {
			if n, value, _ := strings.Cut(strings.TrimSpace(one), "="); strings.EqualFold(n, name) {
				return value
			}
		}
	}
	return ""
}

// asked returns the upstream that the request goes to so far; empty if it goes
// to none.
func (p *promise) asked() string {
	switch {
	case len(p.contacts) == 1:
		return p.contacts[0].Upstream
	case len(p.contacts) == 0 && p.answer.Status == http.StatusBadGateway:
		return "DEAD"
	}
	return ""
}

// turnsOtherwise are the differences in which host is asked. The first that is
// concerned gives its name to what the balancer alone chooses.
var turnsOtherwise = []struct {
	name     string
	concerns func(p *promise, b *balanced) bool
}{
	// services and routes that share a balancer have their own hosts nevertheless
	{"first-options", func(_ *promise, b *balanced) bool {
		return b.options.Type == "CookieStickySessions" || b.options.Key != "" && b.name != ""
	}},
	// each namespace has its own turns
	{"namespace-turns", func(p *promise, b *balanced) bool { return b.name != "" && p.past.turns.crossed[b.name] }},
	// the balancer turns for requests that the breaker lets through
	{"leased-before-asked", func(p *promise, b *balanced) bool { return p.past.turns.rejected[b.own] }},
}

// ownHost promises the host that the balancer alone chooses.
func ownHost(name string) func(p *promise) bool {
	return func(p *promise) bool {
		if p.turned == nil {
			p.turned = new(p.turn())
		}
		own := *p.turned
		b, ok := p.balanced()
		if !ok || own == "" || own == p.asked() {
			return false
		}
		for _, d := range turnsOtherwise {
			if d.concerns(p, &b) {
				return d.name == name && p.goesTo(own)
			}
		}
		return false
	}
}

// goesTo promises that the request goes to another upstream, whose script
// answers.
func (p *promise) goesTo(own string) bool {
	switch {
	case own == "DEAD":
		return p.refuse(http.StatusBadGateway)
	case len(p.contacts) == 1 && p.step.Upstream.ByUpstream == nil:
		p.moved(0, own)
		return true
	}
	m, target, ok := p.match()
	if !ok {
		return false
	}
	out, err := m.BackendTarget(target)
	if err != nil {
		return false
	}
	p.passes(own, out)
	return true
}
