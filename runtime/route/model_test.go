package route

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/runtime/plan"
)

// referenceRoute is one static route as Ocelot would hold it.
type referenceRoute struct {
	match   *plan.Match
	index   int
	pattern *regexp.Regexp
}

// referenceRoutes sorts and compiles the routes of a plan, or returns false when
// one of them has no counterpart in package regexp.
func referenceRoutes(p *plan.Plan) ([]referenceRoute, bool) {
	var out []referenceRoute
	for i := range p.Routes {
		m := &p.Routes[i].Match
		pattern, err := referencePattern(m.Path, m.CaseSensitive)
		re := linear(pattern)
		if err != nil || re == nil {
			return nil, false
		}
		out = append(out, referenceRoute{match: m, index: i, pattern: re})
	}
	priority := func(r referenceRoute) int {
		if r.pattern.String() == "(?s)^/.*" {
			return 0
		}
		return r.match.Priority
	}
	slices.SortStableFunc(out, func(a, b referenceRoute) int { return priority(b) - priority(a) })
	return out, true
}

// takes does what DownstreamRouteFinder does with one route.
func (r *referenceRoute) takes(req *Request) bool {
	host := strings.Split(req.Host, ":")[0]
	hasMethod := func(m string) bool { return strings.EqualFold(m, req.Method) }
	if len(r.match.Methods) > 0 && !slices.ContainsFunc(r.match.Methods, hasMethod) || r.match.Host != "" && r.match.Host != host {
		return false
	}
	text := req.Target.Path()
	if strings.Contains(r.match.Path, "?") && r.pattern.String() != "(?s)^/.*" {
		text += req.Target.Query()
	}
	if !r.pattern.MatchString(text) {
		return false
	}
	for _, h := range r.match.Headers {
		values := req.Header.Values(h.Name)
		pattern := regexp.MustCompile(`\{header:(\w+)\}`).ReplaceAllString(h.Template, `(?<$1>.+)`)
		if !r.match.CaseSensitive {
			pattern = "(?i)" + pattern
		}
		if len(values) == 0 || !regexp.MustCompile("(?s)^"+pattern+"$").MatchString(strings.Join(values, ",")) {
			return false
		}
	}
	return true
}

// referenceChoice returns the index of the route that takes a request, -1 for
// none and -2 when the names of a fitting route cannot be used.
func referenceChoice(routes []referenceRoute, req *Request) int {
	withHost, without := -1, -1
	for i := range routes {
		r := &routes[i]
		if !r.takes(req) {
			continue
		}
		if tmpl, err := newTemplate(r.match.Path, r.match.CaseSensitive); err == nil && tmpl.hasBroken {
			return -2
		}
		if r.match.Host != "" && withHost < 0 {
			withHost = r.index
		} else if r.match.Host == "" && without < 0 {
			without = r.index
		}
	}
	if withHost >= 0 {
		return withHost
	}
	return without
}

// choice is what a table answers, in the terms of referenceChoice.
func choice(m *Match, err error) int {
	var broken *NameError
	switch {
	case errors.As(err, &broken):
		return -2
	case err != nil:
		return -1
	}
	return m.Index()
}

// compareWithReference fails the test when the table does not answer as Ocelot's
// way of doing it would, or contradicts its own explanation.
func compareWithReference(t interface {
	Helper()
	Fatalf(string, ...any)
}, p *plan.Plan, req *Request) {
	t.Helper()
	routes, ok := referenceRoutes(p)
	if !ok {
		return
	}
	table, err := New(p)
	if err != nil {
		return
	}
	m, err := table.Match(req)
	got, want := choice(&m, err), referenceChoice(routes, req)
	if got != want {
		t.Fatalf("%s %q %q: got route %d (%v), want %d of %s", req.Method, req.Host, req.Target, got, err, want, describe(p))
	}
	if got < 0 {
		return
	}
	explained := table.Explain(req)
	if explained[0].Verdict != Taken || explained[0].Route != m.Route() {
		t.Fatalf("%q: Explain starts with %s, %s, want %s", req.Target, explained[0].Route.ID, explained[0].Verdict, m.Route().ID)
	}
	compareValues(t, &m, req)
	if target, err := m.BackendTarget(req.Target); err == nil {
		checkTarget(t, target)
	}
}

func compareValues(t interface {
	Helper()
	Fatalf(string, ...any)
}, m *Match, req *Request) {
	t.Helper()
	tmpl := m.entry.template
	got := valuesOf(tmpl, req.Target.Path(), req.Target.Query())
	of := m.entry.match
	want := referenceValues(of.Path, req.Target.Path(), req.Target.Query(), true)
	if want == nil && len(tmpl.names) > 0 {
		text := req.Target.Path()
		if tmpl.whole {
			text = req.Target.text
		}
		pattern, _ := referencePattern(of.Path, of.CaseSensitive)
		want = groupValues(of.Path, pattern, text)
	}
	if !equalValues(got, want) {
		t.Fatalf("%q with %q: got %q, want %q", of.Path, req.Target, got, want)
	}
}

// checkTarget demands what every backend may expect of a request target.
func checkTarget(t interface {
	Helper()
	Fatalf(string, ...any)
}, target string) {
	t.Helper()
	path, _, _ := strings.Cut(target, "?")
	if !strings.HasPrefix(path, "/") {
		t.Fatalf("target %q does not start with a slash", target)
	}
	for i := range len(target) {
		if c := target[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"#<>\\^`{|}", c) >= 0 {
			t.Fatalf("target %q holds %q", target, c)
		}
	}
	for segment := range strings.SplitSeq(path, "/") {
		if decoded := strings.ReplaceAll(strings.ToLower(segment), "%2e", "."); decoded == "." || decoded == ".." {
			t.Fatalf("target %q holds a dot segment", target)
		}
	}
}

func describe(p *plan.Plan) string {
	var b strings.Builder
	for i, r := range p.Routes {
		fmt.Fprintf(&b, "\n  %d: %+v", i, r.Match)
	}
	return b.String()
}

// TestMatchModel compares tables with the reference on routes and requests of
// a small vocabulary, where they meet often.
func TestMatchModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &plan.Plan{}
		for i, m := range rapid.SliceOfN(rapid.Custom(drawMatch), 1, 8).Draw(t, "routes") {
			p.Routes = append(p.Routes, plan.Route{ID: fmt.Sprint("route ", i), Match: m, Backend: plan.Backend{Path: "/b/{x}/{y}?z={z}"}})
		}
		for range 4 {
			compareWithReference(t, p, drawRequest(t))
		}
	})
}

func drawMatch(t *rapid.T) plan.Match {
	pieces := rapid.SampledFrom([]string{
		"/", "/", "/", "a", "b", "{x}", "{y}", "{z}", "{x-y}", "-", ".", "v1.0", "A", "?", "?a={z}", "&b={w}", "(a|b)", "+", "/a/", "{everything}",
	})
	return plan.Match{
		Kind:          plan.Static,
		Path:          "/" + strings.Join(rapid.SliceOfN(pieces, 0, 6).Draw(t, "template"), ""),
		Methods:       rapid.SampledFrom([][]string{nil, nil, {"GET"}, {"GET", "POST"}}).Draw(t, "methods"),
		Host:          rapid.SampledFrom([]string{"", "", "one", "two"}).Draw(t, "host"),
		Headers:       rapid.SampledFrom([][]plan.HeaderMatch{nil, nil, {{Name: "H", Template: "a.c"}}, {{Name: "H", Template: "{header:x}-b"}}}).Draw(t, "headers"),
		Priority:      rapid.IntRange(0, 2).Draw(t, "priority"),
		CaseSensitive: rapid.Bool().Draw(t, "case"),
	}
}

func drawRequest(t *rapid.T) *Request {
	pieces := rapid.SampledFrom([]string{"/", "/", "/", "a", "b", "A", "-", ".", "v1.0", "v1x0", "&", "%2e%2e", "%20", "aa"})
	queries := rapid.SampledFrom([]string{"", "?", "?a=1", "?a=1&b=2", "?a=/x&b=2&a=3", "?c?a=1", "?A=1/"})
	req := &Request{
		Method: rapid.SampledFrom([]string{"GET", "post", "PUT"}).Draw(t, "method"),
		Host:   rapid.SampledFrom([]string{"one", "one:80", "ONE", "other"}).Draw(t, "host"),
		Target: NewTarget("/"+strings.Join(rapid.SliceOfN(pieces, 0, 6).Draw(t, "path"), ""), queries.Draw(t, "query")),
		Header: http.Header{},
	}
	for _, v := range rapid.SliceOfN(rapid.SampledFrom([]string{"abc", "a-b", "ABC", "-b"}), 0, 2).Draw(t, "header") {
		req.Header.Add("H", v)
	}
	return req
}
