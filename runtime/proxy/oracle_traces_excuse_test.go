package proxy_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// traceOptions are those of a gateway with guards.
func traceOptions(*plan.Plan) proxy.Options {
	g := guard.New(guard.Options{})
	return proxy.Options{Guards: g.Guards, Aggregates: g.Aggregates}
}

// explain returns the named differences that explain what differs; empty if
// something is left. Who is let through by the breakers was held against the
// rules of the safe profile before: the names say which hazard of Ocelot makes
// it another one.
func (y *player) explain(differ []string, got []playedStep) string {
	var names []string
	if rest := withoutBroken(differ); len(rest) < len(differ) {
		names, differ = append(names, "truncated-body"), rest
	}
	if rest := y.withoutResent(differ); len(rest) < len(differ) {
		names, differ = append(names, "hidden-resend"), rest
	}
	if rest := y.withoutAborted(differ, got); len(rest) < len(differ) {
		names, differ = append(names, "abort-counted"), rest
	}
	if rest := y.withoutAggregates(differ, got); len(rest) < len(differ) {
		names, differ = append(names, "aggregate-text"), rest
	}
	if len(differ) > 0 {
		hazards := y.hazards()
		if len(hazards) == 0 {
			return ""
		}
		names = append(names, hazards...)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), "+")
}

// withoutBroken drops bodies that broke off and are passed on so.
func withoutBroken(differ []string) []string {
	return slices.DeleteFunc(slices.Clone(differ), func(d string) bool {
		return strings.HasSuffix(d, "complete: got false, want true")
	})
}

var contactsOf = regexp.MustCompile(`^(\S+) contacts: got map\[svc-a:(\d)( svc-b:0)?\], want map\[svc-a:(\d)( svc-b:0)?\]$`)

// withoutResent drops contacts of requests whose connection was closed before
// any byte: once, or twice on a connection that was used before.
func (y *player) withoutResent(differ []string) []string {
	return slices.DeleteFunc(slices.Clone(differ), func(d string) bool {
		m := contactsOf.FindStringSubmatch(d)
		if m == nil {
			return false
		}
		step := y.stepOf(m[1])
		up := string(step.Upstream)
		ends := strings.Contains(up, `"before-headers"`)
		twice := m[2] == "2" && slices.Contains([]string{"", "GET", "HEAD", "OPTIONS", "TRACE"}, step.Method)
		return ends && (m[2] == "1" || twice)
	})
}

// withoutAborted drops what only the client's side of an abort shows.
func (y *player) withoutAborted(differ []string, got []playedStep) []string {
	return slices.DeleteFunc(slices.Clone(differ), func(d string) bool {
		id, _, _ := strings.Cut(d, " ")
		step := y.stepOf(id)
		return strings.HasPrefix(step.Client, "abort") && step.Observed.Outcome == "response" && !strings.Contains(d, "contacts")
	})
}

// withoutAggregates drops joined answers in which a member's failure is a JSON
// object in place of its text.
func (y *player) withoutAggregates(differ []string, got []playedStep) []string {
	return slices.DeleteFunc(slices.Clone(differ), func(d string) bool {
		id, what, _ := strings.Cut(d, " ")
		i := slices.IndexFunc(y.rec.Steps, func(s traceStep) bool { return s.ID == id })
		want := y.rec.Steps[i].Observed.Body
		return strings.HasPrefix(what, "body") && want != nil && strings.HasPrefix(*want, "{") &&
			!json.Valid([]byte(*want)) && json.Valid([]byte(got[i].body))
	})
}

func (y *player) stepOf(id string) *traceStep {
	for i := range y.rec.Steps {
		if y.rec.Steps[i].ID == id {
			return &y.rec.Steps[i]
		}
	}
	return &traceStep{}
}

// hazards are the named differences that the scenario is about.
func (y *player) hazards() (names []string) {
	add := func(name string, applies bool) {
		if applies {
			names = append(names, name)
		}
	}
	polly := y.rec.Provider == "polly"
	aborts := y.any(func(s *traceStep) bool {
		return strings.HasPrefix(s.Client, "abort") || strings.HasPrefix(s.Client, "fin")
	})
	reloads := y.any(func(s *traceStep) bool { return s.WriteConfig != nil })
	refused := slices.ContainsFunc(y.rec.Steps, func(s traceStep) bool { return s.WriteConfig != nil && s.ID != "" }) && slices.Contains(y.rec.Claims, "H20")
	outer := slices.ContainsFunc(y.records, func(r proxy.Record) bool { return r.Timeout == telemetry.TotalTimeout })
	faulty := slices.ContainsFunc(y.records, func(r proxy.Record) bool {
		return r.Reason == telemetry.ReasonCancelled && (r.Status == 400 || r.Status == 413) || r.Status == 413
	})
	add("leaked-probe", aborts && !polly && slices.Contains(y.rec.Claims, "H02") || outer && !polly && slices.Contains(y.rec.Claims, "H02"))
	add("abort-counted", aborts && polly)
	add("late-result", slices.Contains(y.rec.Claims, "H03"))
	add("outer-uncounted", outer)
	add("client-trips", faulty || aborts && slices.Contains(y.rec.Claims, "§5.5"))
	add("reload-invalid", refused)
	add("reload-state", reloads && !refused)
	add("leased-before-asked", slices.Contains(y.rec.Claims, "H22"))
	add("upgrade-unprotected", y.any(func(s *traceStep) bool { return s.WebSocket }))
	add("missing-provider", slices.Contains(y.rec.Claims, "H21"))
	add("hidden-resend", y.any(func(s *traceStep) bool { return strings.Contains(string(s.Upstream), `"before-headers"`) }))
	add("cached-open", slices.Contains(y.rec.Claims, "H10"))
	add("first-options", slices.Contains(y.rec.Claims, "D29"))
	add("frozen-dynamic", y.rec.Discovery != nil && (slices.Contains(y.rec.Claims, "H18") || slices.Contains(y.rec.Claims, "H19")))
	add("obs-text", strings.Contains(y.rec.ID, "not-ascii"))
	return names
}

func (y *player) any(is func(*traceStep) bool) bool {
	for i := range y.rec.Steps {
		if is(&y.rec.Steps[i]) {
			return true
		}
	}
	return false
}
