package proxy_test

import (
	"errors"
	"fmt"
	"maps"
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
	case rec.Handlers != "":
		tally.Excuse(group + " not asserted: code of the application")
		return
	}
	first, err := tracePlan(rec, rec.Config)
	switch {
	case errors.Is(err, errNoPlan):
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
	if len(y.proxy.Refused()) > 0 {
		tally.Excuse(group + " not asserted: " + y.proxy.Refused()[0].Unenforced[0].Setting)
		return
	}
	var differ []string
	for i := range rec.Steps {
		for _, d := range compareStep(&rec.Steps[i], &got[i]) {
			differ = append(differ, rec.Steps[i].ID+" "+d)
		}
	}
	names, unsafe := "", ""
	if !y.reloads() && len(first.Aggregates) == 0 { // members leave no record of their own
		synctest.Test(t, func(t *testing.T) { unsafe = safely(first, y.records) })
	}
	if len(differ) > 0 {
		names = y.explain(differ, got)
	}
	switch {
	case unsafe != "":
		tally.Differ(group, rec.ID, "not as a safe breaker: %s", unsafe)
	case len(differ) == 0:
		tally.Agree(group)
	case names != "":
		tally.Excuse(group + " " + names)
	default:
		tally.Differ(group, rec.ID, "%v\n        %s", rec.Claims, strings.Join(differ, "\n        "))
	}
}

// reloads reports whether the scenario changes the configuration.
func (y *player) reloads() bool { return len(y.plans) > 0 }

// compareStep lists what differs from the recorded answer.
func compareStep(step *traceStep, got *playedStep) (out []string) {
	want := &step.Observed
	differ := func(what string, g, w any) {
		if fmt.Sprint(g) != fmt.Sprint(w) {
			out = append(out, fmt.Sprintf("%s: got %v, want %v", what, g, w))
		}
	}
	if want.Contacts == nil {
		return nil
	}
	contacts := map[string]int{}
	maps.Copy(contacts, got.contacts)
	for name := range want.Contacts {
		if _, ok := contacts[name]; !ok {
			contacts[name] = 0
		}
	}
	differ("contacts", contacts, want.Contacts)
	if step.Parallel > 0 {
		differ("answers", plainAnswers(got.answers), plainAnswers(want.Answers))
		if want.InOrder != nil {
			differ("order", got.inOrder, want.InOrder)
		}
		return out
	}
	if want.Outcome == "" {
		return out
	}
	differ("outcome", got.outcome, want.Outcome)
	differ("status", got.status, want.Status)
	if want.Body != nil {
		differ("body", got.body, *want.Body)
	}
	if want.Complete != nil && want.Outcome == "response" {
		differ("complete", got.complete, *want.Complete)
	}
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
