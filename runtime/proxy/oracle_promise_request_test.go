package proxy_test

import (
	"errors"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

// requestDifferences change which request goes out, or whether one does.
var requestDifferences = []difference{
	{"hop-by-hop", refuseLaxRequest},
	{"client-trips", refuseBrokenBody},
	{"expectation", refuseExpectation},
	{"reload-invalid", keepPlan},
	{"unenforced", refuseUnenforced},
	{"shared-cookies", refuseCookies},
	{"unusable-value", refuseUnusable},
	{"regex-clock", matchInTime},
	{"prefix-escape", refuseEscape},
	{"ampersand-cut", keepAmpersand},
	{"literal-placeholder", findValues},
	{"frozen-dynamic", ownPath},
	{"obs-text", passLetters},
	{"port-from-host", defaultPort},
}

// lastDifferences concern what every other one has settled.
var lastDifferences = []difference{{"hop-by-hop", dropHops}}

// hops are the headers of RFC 9110, section 7.6.1, and those that belong to
// them.
var hops = []string{"connection", "keep-alive", "proxy-connection", "proxy-authenticate", "te", "trailer", "upgrade", "http2-settings"}

var (
	badEscape  = regexp.MustCompile(`%($|[^0-9A-Fa-f]|.$|.[^0-9A-Fa-f])`)
	fieldName  = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	fieldValue = regexp.MustCompile(`^[\t\x20-\x7e\x80-\x{10ffff}]*$`)
)

// refuseLaxRequest: what RFC 9112 has no form for is answered with 400, and so is
// what has two readings.
func refuseLaxRequest(p *promise) bool {
	q := p.step.Request
	fields := q.fields()
	coding := header(fields, "transfer-encoding")
	switch {
	case p.atDoor:
		return false // Kestrel refuses it too
	case coding != "" && (!strings.EqualFold(coding, "chunked") || header(fields, "content-length") != ""):
		return p.refuseAtDoor(400)
	case q.method() == http.MethodConnect, badEscape.MatchString(strings.SplitN(q.target(), "?", 2)[0]), q.Raw != nil && laxLine(*q.Raw):
		return p.refuseAtDoor(400)
	case coding != "" && q.isOld():
		return p.refuseAtDoor(400) // HTTP/1.0 has no codings
	}
	for _, f := range fields {
		length := strings.EqualFold(f[0], "content-length") && strings.Trim(f[1], "0123456789") != ""
		if !fieldName.MatchString(f[0]) || !fieldValue.MatchString(f[1]) || length {
			return p.refuseAtDoor(400)
		}
	}
	return false
}

// laxLine reports whether the request line is none, or a line of the head ends
// otherwise than it should.
func laxLine(raw string) bool {
	head, _, _ := strings.Cut(strings.TrimLeft(raw, "\r\n"), "\r\n\r\n")
	line, _, _ := strings.Cut(head, "\r\n")
	return len(strings.Split(line, " ")) != 3 || strings.Contains(strings.ReplaceAll(head, "\r\n", ""), "\n")
}

// refuseBrokenBody: where the client's own body is at fault, it is told so as
// far as it listens, and no circuit is.
func refuseBrokenBody(p *promise) bool {
	q := p.step.Request
	cut := q.CutAt != nil && q.HalfClose
	if !cut && (q.Raw == nil || !strings.Contains(*q.Raw, "\r\nTransfer-Encoding: chunked\r\n") || soundChunks(*q.Raw)) {
		return false
	}
	return p.refuseAtDoor(400)
}

// soundChunks reports whether the body of a message is one in chunks, each as
// long as it says.
func soundChunks(raw string) bool {
	_, rest, _ := strings.Cut(raw, "\r\n\r\n")
	for {
		line, behind, ok := strings.Cut(rest, "\r\n")
		digits, _, _ := strings.Cut(line, ";")
		n, err := strconv.ParseUint(strings.TrimRight(digits, " \t"), 16, 31)
		switch {
		case !ok || err != nil:
			return false
		case n == 0:
			return strings.HasPrefix(behind, "\r\n") || strings.Contains(behind, "\r\n\r\n")
		case len(behind) < int(n)+2 || behind[n:n+2] != "\r\n":
			return false
		}
		rest = behind[n+2:]
	}
}

func refuseExpectation(p *promise) bool {
	expected := header(p.step.Request.fields(), "expect")
	return expected != "" && !strings.EqualFold(expected, "100-continue") && p.refuseAtDoor(http.StatusExpectationFailed)
}

// passOn promises that the request reaches the backend of the route that the
// table finds for it.
func (p *promise) passOn() bool {
	m, target, ok := p.match()
	r := p.route()
	if !ok || r == nil || len(r.upstreams()) == 0 {
		return false
	}
	out, err := m.BackendTarget(target)
	if err != nil {
		return false
	}
	p.passes(r.upstreams()[0], out)
	return true
}

// keepPlan: behind a configuration that is refused the one before goes on.
func keepPlan(p *promise) bool {
	if !p.past.stale || p.step.Expect.Status != 500 {
		return false
	}
	m, target, ok := p.match()
	if !ok {
		return p.refuse(http.StatusNotFound)
	}
	out, err := m.BackendTarget(target)
	if err != nil {
		return false
	}
	p.passes(p.stage.upstreamOf(&m.Route().Backend), out)
	return true
}

// upstreamOf returns the name of the first host of a backend.
func (s *stage) upstreamOf(b *plan.Backend) string {
	for name, port := range s.addresses {
		if len(b.Hosts) > 0 && port == strconv.Itoa(b.Hosts[0].Port) {
			return name
		}
	}
	return ""
}

// refuseUnenforced: a setting that nobody can read closes the route.
func refuseUnenforced(p *promise) bool {
	r := p.route()
	if r == nil {
		return false
	}
	known := []string{"", "NoLoadBalancer", "LeastConnection", "RoundRobin", "CookieStickySessions"}
	unread := slices.ContainsFunc(slices.Concat(r.SecurityOptions.IPAllowedList, r.SecurityOptions.IPBlockedList), unreadable)
	if slices.Contains(known, r.LoadBalancerOptions.Type) && !unread {
		return false
	}
	return p.refuse(http.StatusServiceUnavailable)
}

// unreadable reports whether a pattern of addresses is none: an address, a
// network by length or by mask, or a range.
func unreadable(pattern string) bool {
	isAddress := func(s string) bool { _, err := netip.ParseAddr(strings.TrimSpace(s)); return err == nil }
	if from, to, ok := strings.Cut(pattern, "-"); ok {
		return !isAddress(from) || !isAddress(to) && strings.Trim(to, "0123456789") != ""
	}
	if network, mask, ok := strings.Cut(pattern, "/"); ok {
		_, err := netip.ParsePrefix(pattern)
		return err != nil && !(isAddress(network) && isAddress(mask))
	}
	return !isAddress(pattern)
}

func refuseCookies(p *promise) bool {
	r := p.route()
	return r != nil && r.HttpHandlerOptions.UseCookieContainer && p.refuse(http.StatusServiceUnavailable)
}

// refuseUnusable: a route with a value that cannot work is in no plan.
func refuseUnusable(p *promise) bool {
	r := p.route()
	if !p.record.partial || r == nil || !r.unusable() {
		return false
	}
	return p.refuse(http.StatusNotFound)
}

// matchInTime: the match is found, however long a clock would have let it run.
func matchInTime(p *promise) bool {
	if !strings.Contains(p.step.Expect.Unhandled, "RegexMatchTimeoutException") {
		return false
	}
	if _, _, ok := p.match(); !ok {
		return p.refuse(http.StatusNotFound)
	}
	return p.passOn()
}

// refuseEscape: a captured value that leaves its place is refused.
func refuseEscape(p *promise) bool {
	m, target, ok := p.match()
	r := p.route()
	if !ok || m.Route() == nil || len(p.contacts) != 1 || r == nil {
		return false
	}
	known := p.identity(r)
	for name, setting := range r.ChangeDownstreamPathTemplate {
		if value, ok := pick(known, setting); ok {
			m.Set(name, value)
		}
	}
	_, err := m.BackendTarget(target)
	return errors.Is(err, route.ErrEscape) && p.refuse(http.StatusBadRequest)
}

// usesClaims reports whether the target depends on who the client is, which the
// table cannot know.
func usesClaims(rec *routingRecord) bool {
	return strings.Contains(rec.Config, "ChangeDownstreamPathTemplate") || strings.Contains(rec.Config, "AddQueriesToRequest")
}

func keepAmpersand(p *promise) bool {
	return p.ownValues(func(theirs *string, own string) bool { return theirs != nil && strings.Contains(own, "&") })
}

func findValues(p *promise) bool {
	return p.ownValues(func(*string, string) bool { return true })
}

// ownValues promises the target with margay's own values where one of them is
// not Ocelot's, which is nil for none, and is of the kind. That they are right
// is what the tests of package route prove, case by case, by a reference of
// their own.
func (p *promise) ownValues(kind func(theirs *string, own string) bool) bool {
	m, target, ok := p.match()
	if !ok || m.Route() == nil || len(p.contacts) != 1 || usesClaims(p.record) || p.step.Expect.MatchedRoute == "dynamic" {
		return false
	}
	theirs := map[string]*string{}
	for _, v := range p.step.Expect.Placeholders {
		theirs[strings.Trim(v[0], "{}")] = &v[1]
	}
	found := false
	for name, value := range m.Values() {
		their := theirs[name]
		found = found || (their == nil || *their != value) && kind(their, value)
	}
	own, err := m.BackendTarget(target)
	if !found || err != nil || own == p.contacts[0].Target {
		return false
	}
	p.retarget(0, own)
	return true
}

// ownPath: a dynamic route asks for the path of each request.
func ownPath(p *promise) bool {
	m, target, ok := p.match()
	if p.step.Expect.MatchedRoute != "dynamic" || len(p.contacts) != 1 || !ok {
		return false
	}
	own, err := m.BackendTarget(target)
	if err != nil || own == p.contacts[0].Target {
		return false
	}
	p.retarget(0, own)
	return true
}

// passLetters: bytes beyond ASCII in a header are passed on.
func passLetters(p *promise) bool {
	isHigh := func(h [2]string) bool { return strings.ContainsFunc(h[1], func(r rune) bool { return r >= 0x80 }) }
	if !slices.ContainsFunc(p.step.Request.fields(), isHigh) || p.step.Expect.Status != 400 || len(p.step.Expect.ErrorCodes) == 0 {
		return false
	}
	return p.passOn()
}

// defaultPort: a backend without a port is asked at that of its scheme.
func defaultPort(p *promise) bool {
	r := p.route()
	if r == nil || len(p.contacts) != 1 || !r.isPortless() {
		return false
	}
	p.moved(0, "DEFAULT")
	p.contacts[0].Host = "127.0.0.1"
	return true
}

// isPortless reports whether a route says no port of its only host.
func (r configuredRoute) isPortless() bool {
	if len(r.DownstreamHostAndPorts) != 1 {
		return false
	}
	switch string(r.DownstreamHostAndPorts[0].Port) {
	case "", "0", "-1":
		return true
	}
	return false
}

// dropHops: headers of one connection are not passed on, either way.
func dropHops(p *promise) bool {
	changed := false
	fields := p.step.Request.fields()
	gone := slices.Concat(hops, listed(fields, "connection"))
	if isUpgrade(p.step.Request) {
		gone = nil
	}
	for i := range p.contacts {
		c := &p.contacts[i]
		before := len(c.Headers)
		c.Headers = slices.DeleteFunc(c.Headers, func(h [2]string) bool {
			name := strings.ToLower(h[0])
			return slices.Contains(gone, name) && !(name == "te" && h[1] == "trailers") && !(name == "trailer" && len(c.Trailers) > 0)
		})
		if slices.Contains(listed(fields, "te"), "trailers") && gone != nil && header(c.Headers, "te") == "" {
			c.Headers = append(c.Headers, [2]string{"TE", "trailers"})
		}
		changed = changed || len(c.Headers) < before
	}
	if p.atDoor {
		return changed
	}
	named := strings.ToLower(header(p.answer.Headers, "connection"))
	ends := p.connectionEnds()
	for _, h := range slices.Clone(p.answer.Headers) {
		name := strings.ToLower(h[0])
		if !slices.Contains(hops, name) && name != named || name == "connection" && ends && h[1] == "close" ||
			name == "trailer" && len(p.answer.Trailers) > 0 {
			continue
		}
		p.answer.Headers = without(p.answer.Headers, name)
		changed = true
	}
	return changed
}

// listed returns the members of a list that stands on one line or on several, in
// lower case.
func listed(fields [][2]string, name string) (out []string) {
	for _, f := range fields {
		if !strings.EqualFold(f[0], name) {
			continue
		}
		for member := range strings.SplitSeq(f[1], ",") {
			out = append(out, strings.ToLower(strings.TrimSpace(member)))
		}
	}
	return out
}

// isUpgrade reports whether a request asks for a WebSocket.
func isUpgrade(q *recordedRequest) bool {
	return strings.EqualFold(header(q.fields(), "upgrade"), "websocket") && strings.EqualFold(header(q.fields(), "connection"), "upgrade") && !q.isOld()
}

// connectionEnds reports whether the client's connection ends with the answer.
func (p *promise) connectionEnds() bool {
	q := p.step.Request
	return slices.Contains(listed(q.fields(), "connection"), "close") || p.step.Expect.Status == http.StatusRequestEntityTooLarge && p.step.Expect.Downstream == nil
}

// isOld reports whether the request is one of HTTP/1.0.
func (q *recordedRequest) isOld() bool {
	if q.Raw != nil {
		line, _, _ := strings.Cut(*q.Raw, "\r\n")
		return strings.HasSuffix(line, "HTTP/1.0")
	}
	return q.Version == "HTTP/1.0"
}
