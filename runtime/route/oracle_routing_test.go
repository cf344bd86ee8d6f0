package route

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/testdata/oracletest"
)

func TestOracleRouting(t *testing.T) {
	r := routingReplay{
		input:  oracletest.NewTally("routing/matcher input"),
		route:  oracletest.NewTally("routing/matched route"),
		values: oracletest.NewTally("routing/placeholders"),
		target: oracletest.NewTally("routing/target"),
	}
	oracletest.Each(t, "routing.jsonl.gz", func(rec routingRecord) {
		if len(rec.StartError) > 0 || len(rec.Unstable) > 0 || len(rec.Websocket) > 0 {
			return
		}
		for i, x := range append([]exchange{rec.exchange}, rec.Steps...) {
			if len(x.Reload) > 0 {
				break
			}
			if x.Expect.MatcherInput != nil && !usesClaims(&rec) {
				r.replay(t, &rec, &x, i)
			}
		}
	})
	r.input.Report(t)
	r.route.Report(t)
	r.values.Report(t)
	r.target.Report(t)
}

// usesClaims reports whether values and query depend on who the client is,
// which routing cannot know.
func usesClaims(rec *routingRecord) bool {
	return strings.Contains(rec.Config, "ChangeDownstreamPathTemplate") || strings.Contains(rec.Config, "AddQueriesToRequest")
}

// routingReplay tallies the four things that routing decides.
type routingReplay struct{ input, route, values, target *oracletest.Tally }

func (y *routingReplay) replay(t *testing.T, rec *routingRecord, x *exchange, step int) {
	group := fmt.Sprintf("group %02d", rec.Group)
	id := rec.ID
	if step > 0 {
		id = fmt.Sprintf("%s step %d", rec.ID, step)
	}
	raw, req := x.request()
	in, err := ParseTarget(raw)
	if want := *x.Expect.MatcherInput; err != nil || in.Path() != want.Path || in.Query() != want.Query {
		y.input.Differ(group, id, "%q: got %q %q, %v, want %q", raw, in.Path(), in.Query(), err, want)
		return
	}
	y.input.Agree(group)
	req.Target = in
	p := readGateway(t, rec.Config)
	table, err := New(p)
	if err != nil {
		y.refused(rec, p, group, id, err)
		return
	}
	m, err := table.Match(req)
	if !y.matched(x, p, &m, err, group, id) {
		return
	}
	difference := y.valued(x, &m, group, id)
	y.sent(rec, x, &m, difference, group, id)
}

// refused excuses a gateway with a template that margay refuses by name, when
// no linear-time matcher can have its meaning.
func (y *routingReplay) refused(rec *routingRecord, p *plan.Plan, group, id string, err error) {
	for _, r := range p.Routes {
		if _, failure := newTemplate(r.Match.Path, r.Match.CaseSensitive); failure != nil {
			pattern, _ := referencePattern(r.Match.Path, r.Match.CaseSensitive)
			if linear(pattern) == nil {
				y.route.Excuse(group + " refused")
				return
			}
		}
	}
	y.route.Differ(group, id, "got %v, want a table", err)
}

// matched compares the chosen route and reports whether there is one.
func (y *routingReplay) matched(x *exchange, p *plan.Plan, m *Match, err error, group, id string) bool {
	var broken *NameError
	got := any(nil)
	switch {
	case errors.As(err, &broken):
		if x.Expect.MatchedRoute == nil && strings.Contains(x.Expect.UnhandledError, "RegexParseException") {
			y.route.Agree(group)
		} else {
			y.route.Differ(group, id, "got %v, want %v", err, x.Expect.MatchedRoute)
		}
		return false
	case err != nil:
	case m.Aggregate() != nil:
		got = float64(len(p.Routes) + m.Index())
	case m.Route().Match.Kind == plan.Static:
		got = float64(m.Index())
	default:
		got = "dynamic"
	}
	if strings.Contains(x.Expect.UnhandledError, "RegexMatchTimeoutException") {
		_, req := x.request()
		req.Target = m.requested(x)
		routes, ok := referenceRoutes(p)
		if want := referenceChoice(routes, req); !ok || want != choice(m, err) {
			y.route.Differ(group, id, "got %v, want %d, which linear time finds", got, want)
			return false
		}
		excuse(y.route, "regex-clock")
		return false
	}
	if got != x.Expect.MatchedRoute {
		y.route.Differ(group, id, "got %v, %v, want %v", got, err, x.Expect.MatchedRoute)
		return false
	}
	y.route.Agree(group)
	return got != nil
}

// valued compares the placeholders and returns the difference that explains
// them; "" when they are equal.
func (y *routingReplay) valued(x *exchange, m *Match, group, id string) string {
	var got [][2]string
	if m.entry != nil {
		for i, v := range m.values() {
			got = append(got, [2]string{"{" + m.entry.names[i] + "}", v})
		}
	}
	want := x.Expect.Placeholders
	if equalValues(got, want) {
		y.values.Agree(group)
		return ""
	}
	of := m.entry.match
	pattern, _ := referencePattern(of.Path, of.CaseSensitive)
	input := templatePath{Path: x.Expect.MatcherInput.Path, Query: x.Expect.MatcherInput.Query}
	fromPath := len(m.entry.template.names)
	ofHeaders := want[max(0, len(want)-len(got)+fromPath):]
	difference := explainValues(of.Path, pattern, input, got[:fromPath], want[:len(want)-len(ofHeaders)])
	if difference == "unknown" || !slices.Equal(got[fromPath:], ofHeaders) {
		y.values.Differ(group, id, "%q: got %q, want %q", of.Path, got, want)
		return "unknown"
	}
	excuse(y.values, difference)
	return difference
}

// sent compares what the backend was asked for.
func (y *routingReplay) sent(rec *routingRecord, x *exchange, m *Match, difference, group, id string) {
	if x.Expect.Downstream == nil || difference == "unknown" {
		return
	}
	if m.Aggregate() != nil {
		y.sentToMembers(x, m, group, id)
		return
	}
	want := x.Expect.Downstream.Target
	got, err := m.BackendTarget(m.requested(x))
	if err == nil && got == want && difference == "" {
		y.target.Agree(group)
		return
	}
	if m.entry == nil {
		y.sentToService(rec, x, m, got, group, id)
		return
	}
	theirs := m.withValues(x.Expect.Placeholders)
	asOcelot, escape := theirs.BackendTarget(m.requested(x))
	switch {
	case errors.Is(escape, ErrEscape) && difference == "" && escapes(m, x, want):
		excuse(y.target, "prefix-escape")
	case difference != "" && asOcelot == want && (errors.Is(err, ErrEscape) && mayLeave(m) || err == nil && keepsValues(m, got)):
		excuse(y.target, difference)
	default:
		y.target.Differ(group, id, "%q: got %q, %v (with Ocelot's values %q), want %q", m.entry.match.Path, got, err, asOcelot, want)
	}
}

// sentToService excuses a path that Ocelot kept from the first request for a
// service.
func (y *routingReplay) sentToService(rec *routingRecord, x *exchange, m *Match, got, group, id string) {
	path := func(target string) string {
		target, _, _ = strings.Cut(target, "?")
		return strings.TrimRight(target, "/")
	}
	first := slices.IndexFunc(rec.Steps, func(s exchange) bool {
		return s.Expect.BalancerKey == x.Expect.BalancerKey && s.Expect.MatcherInput != nil
	})
	kept := ""
	if first >= 0 {
		kept = path(behindService(rec.Steps[first].Expect.MatcherInput.Path))
	}
	own := path(behindService(x.Expect.MatcherInput.Path))
	if path(x.Expect.Downstream.Target) == kept && path(got) == own {
		excuse(y.target, "frozen-dynamic")
		return
	}
	y.target.Differ(group, id, "got %q, want %q", got, x.Expect.Downstream.Target)
}

func (m *Match) requested(x *exchange) Target {
	return NewTarget(x.Expect.MatcherInput.Path, x.Expect.MatcherInput.Query)
}

// withValues returns a match with the recorded values in place of ours.
func (m *Match) withValues(recorded [][2]string) *Match {
	e := entry{template: &template{}}
	out := &Match{table: m.table, index: m.index, entry: &e, many: []string{}}
	for _, v := range recorded {
		e.names = append(e.names, strings.Trim(v[0], "{}"))
		out.many = append(out.many, v[1])
	}
	return out
}

// escapes reports whether the recorded target lost fixed segments of the
// backend's template to a value with dots.
func escapes(m *Match, x *exchange, want string) bool {
	prefix, _, _ := strings.Cut(m.Route().Backend.Path, "{")
	dots := slices.ContainsFunc(x.Expect.Placeholders, func(v [2]string) bool {
		return strings.Contains(strings.ReplaceAll(strings.ToLower(v[1]), "%2e", "."), "..")
	})
	return dots && (!strings.HasPrefix(want, prefix) || strings.Count(want, "/") < strings.Count(m.Route().Backend.Path, "/"))
}

// mayLeave reports whether one of margay's values has dots, or a question mark,
// that could reach beyond its place.
func mayLeave(m *Match) bool {
	for _, value := range m.Values() {
		if strings.Contains(value, "?") || strings.Contains(strings.ReplaceAll(strings.ToLower(value), "%2e", "."), "..") {
			return true
		}
	}
	return false
}

// keepsValues reports whether every captured value that the backend's template
// asks for stands in the target, and no placeholder that has a value.
func keepsValues(m *Match, target string) bool {
	for name, value := range m.Values() {
		if !strings.Contains(m.Route().Backend.Path, "{"+name+"}") {
			continue
		}
		if strings.Contains(target, "%7B"+name+"%7D") {
			return false
		}
		if !strings.Contains(unescape(target), strings.TrimRight(unescape(value), "/")) {
			return false
		}
	}
	return true
}

// sentToMembers compares what the members of an aggregate were asked for. The
// values of parameters come from the first member's answer; here they are taken
// from the recorded target.
func (y *routingReplay) sentToMembers(x *exchange, m *Match, group, id string) {
	want := x.Expect.DownstreamAll
	if len(want) == 0 {
		want = []sent{*x.Expect.Downstream}
	}
	for _, w := range want {
		isAsked := func(member plan.Member) bool { return memberAsks(m, member, m.requested(x), w.Target) }
		if !slices.ContainsFunc(m.Aggregate().Members, isAsked) {
			y.target.Differ(group, id, "no member asks for %q", w.Target)
			return
		}
	}
	y.target.Agree(group)
}

func memberAsks(m *Match, member plan.Member, in Target, want string) bool {
	isRoute := func(r plan.Route) bool { return r.ID == member.Route }
	i := slices.IndexFunc(m.table.plan.Routes, isRoute)
	of := *m
	if member.Parameter != "" {
		prefix, _, _ := strings.Cut(m.table.plan.Routes[i].Backend.Path, "{"+member.Parameter+"}")
		value, _ := strings.CutPrefix(want, prefix)
		of.Set(member.Parameter, strings.TrimPrefix(value, strings.TrimSuffix(prefix, "/")))
	}
	got, err := of.MemberTarget(i, in)
	return err == nil && got == want
}
