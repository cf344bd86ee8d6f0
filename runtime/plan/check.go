package plan

import (
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"
)

// Check reports whether the runtime can rely on p: numbers in range, names that
// exist, references that lead somewhere, headers that stay one header. The
// error is an *InvalidError with all problems. It cannot judge expressions;
// the pipeline compiles them.
func (p *Plan) Check() error {
	c := &checker{}
	p.check(c)
	if len(c.problems) > 0 {
		return &InvalidError{Problems: c.problems}
	}
	return nil
}

// checker collects problems.
type checker struct {
	problems []Problem
}

func (c *checker) report(at *place, format string, args ...any) {
	c.problems = addProblem(c.problems, at, format, args...)
}

func (p *Plan) check(c *checker) {
	var root *place
	known, _, _ := parseVersion(Version)
	if major, _, ok := parseVersion(p.Version); !ok || major != known {
		c.report(root.member("version"), "got %q, expected %q", p.Version, Version)
	}
	oneOf(c, root.member("profile").member("provider"), p.Profile.Provider, Builtin, Polly, NoProvider)
	checkDigest(c, root.member("digest"), p.Digest)
	if p.RequestIDHeader != "" {
		checkToken(c, root.member("requestIdHeader"), p.RequestIDHeader)
	}
	if p.Discovery != nil {
		p.Discovery.check(c, root.member("discovery"))
	}
	for i := range p.Services {
		p.Services[i].check(c, root.member("services").element(i))
	}
	p.checkRoutes(c)
	p.checkAggregates(c)
}

func (p *Plan) checkRoutes(c *checker) {
	ids := map[string]int{}
	circuits := map[string]int{}
	for i := range p.Routes {
		r := &p.Routes[i]
		at := (*place)(nil).member("routes").element(i)
		r.check(c, at, p.Profile)
		if first, taken := ids[r.ID]; taken {
			c.report(at.member("id"), "got %q, which is the id of routes[%d]", r.ID, first)
		} else {
			ids[r.ID] = i
		}
		if r.Match.Kind == Unlisted && i != len(p.Routes)-1 {
			c.report(at.member("match").member("kind"), "the unlisted route is not the last one")
		}
		p.checkCircuit(c, at.member("circuit"), i, circuits)
	}
}

// checkCircuit holds routes that share a circuit to one breaker: the breaker
// can have only one set of numbers and one idea of a failure.
func (p *Plan) checkCircuit(c *checker, at *place, i int, first map[string]int) {
	r := &p.Routes[i]
	if r.Circuit == "" {
		return
	}
	if r.Breaker == nil {
		c.report(at, "got %q on a route without breaker", r.Circuit)
		return
	}
	j, shared := first[r.Circuit]
	if !shared {
		first[r.Circuit] = i
		return
	}
	if !r.SameBreaker(&p.Routes[j]) {
		c.report(at, "got %q, which routes[%d] uses with another breaker or other failures", r.Circuit, j)
	}
}

func (p *Plan) checkAggregates(c *checker) {
	routes := map[string]bool{}
	ids := map[string]bool{}
	for i := range p.Routes {
		routes[p.Routes[i].ID], ids[p.Routes[i].ID] = true, true
	}
	for i := range p.Aggregates {
		a := &p.Aggregates[i]
		at := (*place)(nil).member("aggregates").element(i)
		if required(c, at.member("id"), a.ID); ids[a.ID] {
			c.report(at.member("id"), "got %q, which is taken", a.ID)
		}
		ids[a.ID] = true
		a.check(c, at, routes)
	}
}

func (a *Aggregate) check(c *checker, at *place, routes map[string]bool) {
	a.Match.check(c, at.member("match"))
	if a.Match.Kind != Static {
		c.report(at.member("match").member("kind"), "got %q, expected %q", a.Match.Kind, Static)
	}
	if len(a.Members) == 0 {
		c.report(at.member("members"), "missing, expected at least one route")
	}
	for i, m := range a.Members {
		here := at.member("members").element(i)
		required(c, here.member("key"), m.Key)
		if !routes[m.Route] {
			c.report(here.member("route"), "got %q, expected the id of a route", m.Route)
		}
		if (m.JSONPath == "") != (m.Parameter == "") {
			c.report(here, "jsonPath and parameter go together")
		}
	}
}

func (d *Discovery) check(c *checker, at *place) {
	required(c, at.member("type"), d.Type)
	inRange(c, at.member("port"), d.Port, 0, 65535)
	inRange(c, at.member("pollingInterval"), d.PollingInterval, 0, MaxMillis)
}

func (s *Service) check(c *checker, at *place) {
	required(c, at.member("name"), s.Name)
	if s.Scheme != "" {
		oneOf(c, at.member("scheme"), s.Scheme, schemes()...)
	}
	if s.Lookup != "" {
		oneOf(c, at.member("lookup"), s.Lookup, LookupAddresses, LookupSRV)
	}
	checkHosts(c, at.member("hosts"), s.Hosts)
	if len(s.Hosts) == 0 {
		c.report(at.member("hosts"), "missing, expected at least one host")
	}
}

func checkHosts(c *checker, at *place, hosts []Host) {
	for i, h := range hosts {
		here := at.element(i)
		if h.Name == "" || strings.ContainsFunc(h.Name, breaksHost) || holdsPort(h.Name) {
			c.report(here.member("host"), "got %q, expected a host name or an address", h.Name)
		}
		inRange(c, here.member("port"), h.Port, 0, 65535)
	}
}

func breaksHost(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`/\@?#`, r) }

// holdsPort reports whether a name has a colon and is no IPv6 address: a port
// belongs beside it, and nobody has such a host (host-port/001).
func holdsPort(name string) bool {
	if !strings.Contains(name, ":") {
		return false
	}
	inner, bracketed := strings.CutPrefix(name, "[")
	if bracketed {
		inner = strings.TrimSuffix(inner, "]")
	}
	_, err := netip.ParseAddr(inner)
	return err != nil
}

func schemes() []string { return []string{"http", "https", "ws", "wss"} }

func checkDigest(c *checker, at *place, digest string) {
	if digest == "" {
		return
	}
	sum, ok := strings.CutPrefix(digest, "sha256:")
	if raw, err := hex.DecodeString(sum); !ok || err != nil || len(raw) != 32 || sum != strings.ToLower(sum) {
		c.report(at, `got %q, expected "sha256:" and 64 lower-case hexadecimal digits`, digest)
	}
}

// required reports an empty text.
func required(c *checker, at *place, text string) {
	if text == "" {
		c.report(at, "missing")
	}
}

// oneOf reports a word that is not among the known ones.
func oneOf[T ~string](c *checker, at *place, got T, known ...T) {
	if slices.Contains(known, got) {
		return
	}
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = `"` + string(k) + `"`
	}
	last := len(words) - 1
	c.report(at, "got %q, expected %s or %s", got, strings.Join(words[:last], ", "), words[last])
}

// inRange reports a number below low or above high. NaN is in no range.
func inRange[T ~int | ~int64 | ~float64](c *checker, at *place, got, low, high T) {
	if got >= low && got <= high {
		return
	}
	c.report(at, "got %v, expected %v to %v", got, low, high)
}
