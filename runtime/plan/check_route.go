package plan

import (
	"slices"
	"strings"
)

func (r *Route) check(c *checker, at *place, profile Profile) {
	required(c, at.member("id"), r.ID)
	r.Match.check(c, at.member("match"))
	r.Backend.check(c, at.member("backend"), r.Match.Kind)
	inRange(c, at.member("loadBalancer").member("expiry"), r.LoadBalancer.Expiry, 0, MaxMillis)
	r.checkStrategies(c, at, profile)
	r.checkGuards(c, at)
	for i, u := range r.Unread {
		required(c, at.member("unread").element(i).member("setting"), u.Setting)
		required(c, at.member("unread").element(i).member("name"), u.Name)
	}
	for i, o := range r.Origins {
		required(c, at.member("origins").element(i).member("field"), o.Field)
		required(c, at.member("origins").element(i).member("at"), o.At)
	}
}

func (m *Match) check(c *checker, at *place) {
	oneOf(c, at.member("kind"), m.Kind, Static, Dynamic, Unlisted)
	checkMethods(c, at.member("methods"), m.Methods)
	if m.Kind == Static && !strings.HasPrefix(m.Path, "/") {
		c.report(at.member("path"), `got %q, expected a template that starts with "/"`, m.Path)
	}
	if m.Kind != Static && m.Path != "" {
		c.report(at.member("path"), "got %q on a route that is found by its service", m.Path)
	}
	for i, h := range m.Headers {
		checkToken(c, at.member("headers").element(i).member("name"), h.Name)
	}
}

// checkMethods wants the one way of writing a set of methods, so that equal
// sets have equal bytes.
func checkMethods(c *checker, at *place, methods []string) {
	for i, m := range methods {
		checkToken(c, at.element(i), m)
		if m != strings.ToUpper(m) {
			c.report(at.element(i), "got %q, expected upper case", m)
		}
		if i > 0 && m <= methods[i-1] {
			c.report(at.element(i), "got %q behind %q, expected sorted methods, each once", m, methods[i-1])
		}
	}
}

func (b *Backend) check(c *checker, at *place, kind RouteKind) {
	if b.Scheme != "" {
		oneOf(c, at.member("scheme"), b.Scheme, schemes()...)
	}
	checkHosts(c, at.member("hosts"), b.Hosts)
	switch {
	case kind == Static && b.Service == "" && len(b.Hosts) == 0:
		c.report(at, "neither hosts nor service")
	case kind == Dynamic:
		required(c, at.member("service"), b.Service)
	case kind == Unlisted && b.Service != "":
		c.report(at.member("service"), "got %q on the route for unlisted services", b.Service)
	}
	if b.Path != "" && !strings.HasPrefix(b.Path, "/") {
		c.report(at.member("path"), `got %q, expected a template that starts with "/"`, b.Path)
	}
	if b.Method != "" {
		checkToken(c, at.member("method"), b.Method)
	}
	if b.HTTPVersion != "" {
		oneOf(c, at.member("httpVersion"), b.HTTPVersion, "1.0", "1.1", "2.0", "3.0")
	}
	if b.VersionPolicy != "" {
		oneOf(c, at.member("versionPolicy"), b.VersionPolicy, Exact, OrHigher, OrLower)
	}
	b.Handler.check(c, at.member("handler"))
}

func (h *Handler) check(c *checker, at *place) {
	if h.MaxConnections < 0 {
		c.report(at.member("maxConnections"), "got %d, expected 0 or more", h.MaxConnections)
	}
	if h.ConnectionLifetime != nil {
		inRange(c, at.member("connectionLifetime"), *h.ConnectionLifetime, 0, MaxMillis)
	}
}

func (r *Route) checkGuards(c *checker, at *place) {
	checkTransforms(c, at.member("requestHeaders"), r.RequestHeaders)
	checkTransforms(c, at.member("responseHeaders"), r.ResponseHeaders)
	if r.RequestIDHeader != "" {
		checkToken(c, at.member("requestIdHeader"), r.RequestIDHeader)
	}
	if r.RateLimit != nil {
		r.RateLimit.check(c, at.member("rateLimit"))
	}
	if r.Authentication != nil && len(r.Authentication.Schemes) == 0 {
		c.report(at.member("authentication").member("schemes"), "missing, expected at least one scheme")
	}
	if r.Claims != nil {
		r.Claims.check(c, at.member("claims"))
	}
	if r.Cache != nil {
		inRange(c, at.member("cache").member("ttl"), r.Cache.TTL, 1, MaxMillis)
	}
}

// maxStatus is the largest number that a status line holds; programs in use
// answer 999 to clients over a limit, and 99999 fails (rl-code-0/001 of the
// recorded routing).
const maxStatus = 999

func (l *RateLimit) check(c *checker, at *place) {
	if l.Limit < 0 {
		c.report(at.member("limit"), "got %d, expected 0 or more", l.Limit)
	}
	inRange(c, at.member("period"), l.Period, 0, MaxMillis)
	inRange(c, at.member("wait"), l.Wait, 0, MaxMillis)
	inRange(c, at.member("statusCode"), l.StatusCode, 200, maxStatus)
	if l.ClientHeader != "" {
		checkToken(c, at.member("clientHeader"), l.ClientHeader)
	}
}

func (cl *Claims) check(c *checker, at *place) {
	for i, q := range cl.Required {
		required(c, at.member("required").element(i).member("type"), q.Type)
	}
	lists := []struct {
		name   string
		copies []ClaimCopy
	}{{"toClaims", cl.ToClaims}, {"toHeaders", cl.ToHeaders}, {"toQuery", cl.ToQuery}, {"toPath", cl.ToPath}}
	for _, list := range lists {
		for i, cp := range list.copies {
			here := at.member(list.name).element(i)
			required(c, here.member("name"), cp.Name)
			required(c, here.member("claim"), cp.Claim)
			if cp.Index < 0 {
				c.report(here.member("index"), "got %d, expected 0 or more", cp.Index)
			}
		}
	}
	for i, cp := range cl.ToHeaders {
		checkToken(c, at.member("toHeaders").element(i).member("name"), cp.Name)
	}
}

// checkTransforms keeps a configured header one header: a line break in it
// would start another.
func checkTransforms(c *checker, at *place, list []HeaderTransform) {
	for i, h := range list {
		here := at.element(i)
		checkToken(c, here.member("name"), h.Name)
		oneOf(c, here.member("kind"), h.Kind, SetHeader, ReplaceInside)
		if strings.ContainsFunc(h.Value, isControl) {
			c.report(here.member("value"), "got %q, expected no control characters", h.Value)
		}
		if (h.Kind == ReplaceInside) != (h.Find != "") {
			c.report(here.member("find"), "got %q with kind %q", h.Find, h.Kind)
		}
	}
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// checkToken reports what is not a token of RFC 9110: a method or the name of a
// header.
func checkToken(c *checker, at *place, text string) {
	if text == "" || slices.ContainsFunc([]byte(text), breaksToken) {
		c.report(at, "got %q, expected letters, digits and dashes", text)
	}
}

func breaksToken(b byte) bool {
	switch {
	case '0' <= b && b <= '9', 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z':
		return false
	}
	return !strings.ContainsRune("!#$%&'*+-.^_`|~", rune(b))
}
