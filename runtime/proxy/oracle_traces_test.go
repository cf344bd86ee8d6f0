package proxy_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestOracleTraces plays every recorded scenario, on a clock of its own and
// with connections in memory: the same statuses and bodies for the client, the
// same requests for the backends.
func TestOracleTraces(t *testing.T) {
	tally := oracletest.NewTally("traces")
	oracletest.Each(t, "traces.jsonl.gz", func(rec traceRecord) {
		replayTrace(t, &rec, tally)
	})
	tally.Report(t)
}

func replayTrace(t *testing.T, rec *traceRecord, tally *oracletest.Tally) {
	group := rec.Provider
	switch {
	case rec.Varies != nil:
		tally.Excuse(group + " not asserted: differed from run to run")
		return
	}
	first, err := tracePlan(rec, rec.Config)
	switch {
	case errors.Is(err, errNoPlan) && slices.ContainsFunc(configured(string(rec.Config)).Routes, configuredRoute.unusable):
		tally.Excuse(group + " unusable-value")
		return
	case err != nil:
		tally.Differ(group, rec.ID, "no plan: %v", err)
		return
	}
	y := &player{rec: rec, plans: map[int]*plan.Plan{}}
	for i := range rec.Steps {
		if c := rec.Steps[i].WriteConfig; c != nil {
			y.plans[i], _ = tracePlan(rec, c)
		}
	}
	var got []playedStep
	synctest.Test(t, func(t *testing.T) {
		got, err = y.play(first, traceOptions(first))
	})
	if err != nil {
		tally.Differ(group, rec.ID, "%v", err)
		return
	}
	f, err := newForeteller(rec, first, y.plans, ocelotRules{})
	if err != nil {
		tally.Differ(group, rec.ID, "%v", err)
		return
	}
	owed := f.foretell()
	if slices.ContainsFunc(first.Routes, func(r plan.Route) bool { return r.RateLimit != nil }) {
		for i := range owed { // which no foreteller knows: the recording counts, and no name
			owed[i] = rec.Steps[i].Observed
		}
	}
	var wrong, differ []string
	for i := range rec.Steps {
		step := &rec.Steps[i]
		for _, d := range compareStep(step, &owed[i], got[i].observed()) {
			wrong = append(wrong, step.ID+" "+d)
		}
		for _, d := range compareHead(step, &owed[i], got[i].observed()) {
			wrong = append(wrong, step.ID+" "+d)
		}
		for _, d := range compareStep(step, &step.Observed, &owed[i]) {
			differ = append(differ, step.ID+" "+d)
		}
	}
	if len(wrong) == 0 && len(differ) == 0 {
		tally.Agree(group)
		return
	}
	names, theirs := y.named(first, owed)
	group += " " + strings.Join(names, "+")
	left, whole := unexplained(rec, owed, theirs)
	switch {
	case len(wrong) > 0:
		tally.Differ(group, rec.ID, "%v: not as foretold\n        %s", rec.Claims, strings.Join(wrong, "\n        "))
	case len(names) == 0 || len(left) > 0:
		tally.Differ(group, rec.ID, "%v: not explained by %q\n        %s", rec.Claims, names, strings.Join(append(differ, left...), "\n        "))
	case whole:
		tally.Excuse(group)
	default:
		tally.Excuse(group + ", in part")
	}
}

// observed is what was played, in the form of a recording.
func (p *playedStep) observed() *traceObserved {
	return &traceObserved{Outcome: p.outcome, Status: p.status, Body: &p.body, Complete: &p.complete, Contacts: p.contacts,
		Answers: plainAnswers(p.answers), InOrder: p.inOrder, Headers: p.headers}
}

// compareHead compares the headers of an answer: with the recorded ones where
// the answer is the recorded one, and the time until an open circuit closes with
// the foretold one.
func compareHead(step *traceStep, owed, got *traceObserved) (out []string) {
	if step.WebSocket && got.Status != owed.Status {
		out = append(out, fmt.Sprintf("status of the upgrade: got %d, want %d", got.Status, owed.Status))
	}
	after := header(got.Headers, "retry-after")
	if want := owed.RetryAfter; want > 0 && after != fmt.Sprint(want) && got.Outcome == "response" && step.Parallel == 0 {
		out = append(out, fmt.Sprintf("retry-after: got %q, want %d", after, want))
	}
	if step.Parallel > 0 || len(compareStep(step, &step.Observed, got)) > 0 || step.Observed.Outcome != "response" {
		return out
	}
	g, w := byName(got.Headers), byName(step.Observed.Headers)
	for _, name := range slices.Sorted(maps.Keys(joined(g, w))) {
		switch {
		case slices.Contains([]string{"date", "server", "retry-after", "x-ratelimit-reset", "connection"}, name),
			got.Status == 304 && (name == "content-type" || name == "content-length"): // see comparison.compare
			continue
		}
		if !slices.Equal(g[name], w[name]) {
			out = append(out, fmt.Sprintf("header %s: got %q, want %q", name, g[name], w[name]))
		}
	}
	return out
}

func joined(a, b map[string][]string) map[string][]string {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// compareStep lists where a step is not as it should be, in what its recording
// speaks of.
func compareStep(step *traceStep, want, got *traceObserved) (out []string) {
	differ := func(what string, g, w any) {
		if fmt.Sprint(g) != fmt.Sprint(w) {
			out = append(out, fmt.Sprintf("%s: got %v, want %v", what, g, w))
		}
	}
	if step.Observed.Contacts == nil {
		return nil
	}
	differ("contacts", reached(got.Contacts), reached(want.Contacts))
	if step.Parallel > 0 {
		differ("answers", plainAnswers(got.Answers), plainAnswers(want.Answers))
		if step.Observed.InOrder != nil {
			differ("order", got.InOrder, want.InOrder)
		}
		return out
	}
	if step.Observed.Outcome == "" {
		return out
	}
	differ("outcome", got.Outcome, want.Outcome)
	differ("status", got.Status, want.Status)
	if want.Body != nil && got.Body != nil {
		differ("body", *got.Body, *want.Body)
	}
	if want.Complete != nil && got.Complete != nil && want.Outcome == "response" {
		differ("complete", *got.Complete, *want.Complete)
	}
	return out
}

// reached leaves out upstreams that nobody reached.
func reached(contacts map[string]int) map[string]int {
	out := maps.Clone(contacts)
	maps.DeleteFunc(out, func(_ string, n int) bool { return n == 0 })
	return out
}

// plainAnswers leaves the reason phrases out.
func plainAnswers(answers map[string]int) map[string]int {
	out := map[string]int{}
	for text, n := range answers {
		line, body, _ := strings.Cut(text, " | ")
		status, _, _ := strings.Cut(line, " ")
		out[status+" | "+body] += n
	}
	return out
}
