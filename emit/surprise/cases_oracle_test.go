package surprise_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// recorded is a line of versions.jsonl or versions-live.jsonl.
type recorded struct {
	ID     string
	Expect map[string]json.RawMessage
}

// recordedKey returns the name of a release in the recordings.
func recordedKey(t *testing.T, version string, provider profile.Provider) string {
	t.Helper()
	p, ok := profile.Find(version)
	if !ok {
		t.Fatalf("%q is no version", version)
	}
	if provider == profile.Builtin {
		return "25.0-builtin"
	}
	return map[string]string{"22.0": "22.0.1", "23.2": "23.2.0", "23.4": "23.4.3", "24.0": "24.0.1", "24.1": "24.1.0", "25.0": "25.0"}[p.Version]
}

// TestOracleCases looks at the recordings that the pages name: what a surprise
// says changes, or does not, between its versions does so in each of them.
func TestOracleCases(t *testing.T) {
	cases := map[string]*recorded{}
	for _, name := range []string{"versions.jsonl.gz", "versions-live.jsonl.gz"} {
		oracletest.Each(t, name, func(rec recorded) { cases[rec.ID] = &rec })
	}
	tally := oracletest.NewTally("surprises")
	for _, s := range surprise.Surprises() {
		for _, id := range s.Cases {
			rec := cases[id]
			if rec == nil || s.Hidden != "" || unrecorded(t, s.From) {
				continue // of a corpus, kept apart, or of releases that were not run
			}
			from, to := recordedKey(t, s.From, s.Providers.From), recordedKey(t, s.To, s.Providers.To)
			old, next := effect(t, &s, rec.Expect[from]), effect(t, &s, rec.Expect[to])
			if same := old == next; same != s.Unchanged {
				tally.Differ(s.ID, id, "%s and %s are the same: %t\n%s\n%s", from, to, same, old, next)
				continue
			}
			tally.Agree(s.ID)
		}
	}
	tally.Report(t)
}

// effect is what a recording says of a release, without what does not change
// how requests are answered, unless the surprise is about that.
func effect(t *testing.T, s *surprise.Surprise, expect json.RawMessage) string {
	t.Helper()
	var answer struct {
		Start  any
		Bound  any              `json:"boundRoutes"`
		Routes []map[string]any `json:"routes"`
		Lists  []map[string]any `json:"dynamic"`
		Steps  []struct {
			Status int
			Body   string
			Asked  bool `json:"downstreamHit"`
		}
	}
	if len(expect) == 0 || string(expect) == "null" {
		return ""
	}
	if err := json.Unmarshal(expect, &answer); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, answer.Start, answer.Bound, answer.Steps)
	for _, route := range append(answer.Routes, answer.Lists...) {
		kept := map[string]any{}
		for _, name := range []string{"outerTimeoutMs", "strategies", "strategyError", "handlerError", "samePipelineAs", "useQos"} {
			kept[name] = route[name]
		}
		if s.Danger == surprise.Names && !s.Unchanged {
			kept["lbk"], kept["routeName"] = route["lbk"], route["routeName"]
		}
		text, err := json.Marshal(kept)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", text)
	}
	return b.String()
}
