package emit

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
)

// judge has what findings are judged by.
type judge struct {
	names properties
	rand  *rand.Rand
	// release is the one whose program is asked about: its names count.
	release profile.Release
	result  *Result
	plan    *plan.Plan
	table   *route.Table
	routes  []*normalize.Route
}

func (j *judge) enter(t *testing.T, r *Result) {
	t.Helper()
	j.result, j.table, j.routes = r, nil, nil
	j.release = r.Profile.Release()
	if j.plan, _ = Plan(r); j.plan == nil {
		return
	}
	table, err := route.New(j.plan)
	if err != nil {
		t.Fatal(err)
	}
	j.table = table
	j.routes, _ = PlanSources(r)
}

// judges are the checks, each returning what speaks against a finding.
func judges() map[string]func(*judge, diag.Diagnostic) string {
	return map[string]func(*judge, diag.Diagnostic) string{
		"unknown-name": (*judge).nameless,
		"invented-resilience": func(j *judge, d diag.Diagnostic) string {
			return objectIf(j.names.ever(keyOf(d)), "a release had a property of that name")
		},
		"removed-name": func(j *judge, d diag.Diagnostic) string {
			return objectIf(!j.names.ever(keyOf(d)), "no release had a property of that name")
		},
		"misplaced-name": func(j *judge, d diag.Diagnostic) string {
			return objectIf(!j.names.anywhere(keyOf(d), j.release), "the release has no property of that name")
		},
		"deprecated-option": func(j *judge, d diag.Diagnostic) string {
			_, rest, _ := strings.Cut(d.Help, `"`)
			instead, _, _ := strings.Cut(rest, `"`)
			return objectIf(!j.names.anywhere(strings.ToLower(instead), j.release), "the release has no property "+instead)
		},
		"shadowed-route":     (*judge).neverTaken,
		"open-by-drop":       (*judge).takenByAnother,
		"prefix-escape":      (*judge).dotsArrive,
		"query-rewritten":    (*judge).queryChanges,
		"value-out-of-range": (*judge).anotherCounts,
		"brief-break":        (*judge).endsAtOnce,
		"uncounted-hang":     (*judge).hangIsNoFailure,
		"shared-circuit":     (*judge).oneCircuit,
		"inactive-qos":       (*judge).nothingIsOn,
		"null-value": func(_ *judge, d diag.Diagnostic) string {
			return objectIf(d.Span.Text() != "null", "it is no null")
		},
		"cookies-shared": func(_ *judge, d diag.Diagnostic) string {
			return objectIf(!strings.EqualFold(d.Span.Text(), "true"), "it is not true")
		},
		"colon-in-key": func(_ *judge, d diag.Diagnostic) string {
			return objectIf(!strings.Contains(d.Span.Text(), ":"), "there is no colon")
		},
		"invalid-encoding": func(_ *judge, d diag.Diagnostic) string {
			return objectIf(len(d.Span.File.Invalid) == 0, "the file has no invalid bytes")
		},
	}
}

func objectIf(wrong bool, objection string) string {
	if wrong {
		return objection
	}
	return ""
}

func keyOf(d diag.Diagnostic) string { return strings.ToLower(strings.Trim(d.Span.Text(), `"`)) }

// anotherCounts compares what is written with what the routes get.
func (j *judge) anotherCounts(d diag.Diagnostic) string {
	written, err := strconv.ParseInt(d.Span.Text(), 10, 32)
	if err != nil {
		return err.Error()
	}
	replaced := 0
	for i := range j.result.Gateway.Routes {
		r := &j.result.Gateway.Routes[i]
		for _, s := range r.Substitutions() {
			if j.result.span(s.Written.Origin) != d.Span {
				continue
			}
			replaced++
			if s.Option == normalize.BreakDuration && int64(r.Breaker.BreakDuration.V) == written {
				return "it counts as it is written"
			}
		}
	}
	return objectIf(replaced == 0, "no route has it")
}

// endsAtOnce compares what is written with what the plan's breaker does.
func (j *judge) endsAtOnce(d diag.Diagnostic) string {
	written, err := strconv.ParseInt(d.Span.Text(), 10, 32)
	if err != nil {
		return err.Error()
	}
	for _, r := range j.planned(d) {
		if r.Breaker == nil || int64(r.Breaker.BreakDuration) != written {
			return "the circuit stays open for another time"
		}
	}
	return ""
}

// hangIsNoFailure looks at what the plan's breaker counts.
func (j *judge) hangIsNoFailure(d diag.Diagnostic) string {
	for _, r := range j.planned(d) {
		if r.Breaker == nil || r.AttemptTimeout == 0 || r.Failures.Timeouts != plan.Success {
			return "timeouts count as failures, or there are none"
		}
	}
	return ""
}

// planned returns the routes of the plan that have the value at a place.
func (j *judge) planned(d diag.Diagnostic) []plan.Route {
	var out []plan.Route
	for i, r := range j.routes {
		for _, at := range []normalize.Decision[int32]{r.Options.BreakDuration, r.Options.Timeout} {
			if at.IsSet() && j.result.span(at.Value.Origin) == d.Span {
				out = append(out, j.plan.Routes[i])
			}
		}
	}
	return out
}

// oneCircuit compares the circuits of the plan.
func (j *judge) oneCircuit(d diag.Diagnostic) string {
	i, _ := j.at(d)
	first, _ := j.at(diag.Diagnostic{Span: d.Related[0].Span})
	if i < 0 || first < 0 {
		return "a route is not found"
	}
	a, b := &j.plan.Routes[i], &j.plan.Routes[first]
	return objectIf(a.Circuit == "" || a.Circuit != b.Circuit, "the plan has a circuit for each of both")
}

// nothingIsOn looks for strategies on the routes whose section is at a place.
func (j *judge) nothingIsOn(d diag.Diagnostic) string {
	for i, r := range j.routes {
		if r.Own == nil || j.result.Config.Tree.KeySpan(r.Own.Node) != d.Span {
			continue
		}
		planned := &j.plan.Routes[i]
		return objectIf(planned.Breaker != nil || planned.AttemptTimeout != 0, "the route has a breaker or a timeout")
	}
	return "no route has it"
}

// nameless looks for a recorded property of the name: in the release that the
// message gives one to at this very place, else anywhere.
func (j *judge) nameless(d diag.Diagnostic) string {
	if _, later, ok := strings.Cut(d.Message, "it came with "); ok {
		since, _ := profile.ParseRelease(later)
		return j.names.cameLater(j.result.keyPath(d.Span), j.release, since)
	}
	return objectIf(j.names.anywhere(keyOf(d), j.release), "the release has a property of that name")
}
