// Package pollytest reads the recordings of Polly's strategies for the tests of
// the packages that imitate them. It knows which package answers for which
// recording, so that none of them can be left out by accident. Nothing outside
// of tests uses it.
package pollytest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/testdata/oracletest"
)

// Other is one recording of polly-other.
type Other struct {
	ID     string          `json:"id"`
	Kind   string          `json:"kind"`
	Input  json.RawMessage `json:"input"`
	Result json.RawMessage `json:"result"`
}

// otherKinds says for every kind of polly-other which package replays it.
func otherKinds() map[string]string {
	return map[string]string{
		"timeout":              "runtime/timeout",
		"timeout-generator":    "runtime/timeout",
		"timeout-nested":       "runtime/timeout",
		"limiter":              "runtime/limiter",
		"fallback":             "runtime/fallback",
		"chaos-decide":         "runtime/chaos",
		"chaos-order":          "runtime/chaos",
		"breaker-special":      "runtime/breaker",
		"hedging":              notOffered,
		"limiter-token-bucket": notOffered,
		"chaos-weights":        notOffered,
	}
}

// notOffered marks what margay does not offer: hedging, rate limits over time,
// and chaos that picks among weighted outcomes.
const notOffered = "not offered"

// EachOther calls f with the recordings of polly-other that pkg answers for. It
// fails the test when the file holds a kind that nobody answers for, and when
// it holds none for pkg.
func EachOther(t testing.TB, pkg string, f func(Other)) {
	t.Helper()
	kinds, seen := otherKinds(), 0
	oracletest.Each(t, "polly-other.jsonl.gz", func(rec Other) {
		owner, ok := kinds[rec.Kind]
		if !ok {
			t.Errorf("%s: got a recording of the kind %q, want one that a package answers for", rec.ID, rec.Kind)
		}
		if owner == pkg {
			seen++
			f(rec)
		}
	})
	if seen == 0 {
		oracletest.Lacking(t, "got no recording for %s, want some", pkg)
	}
}

// Validation is one recording of polly-validation: one option of a strategy set
// to one value, all others at their defaults.
type Validation struct {
	ID, Strategy  string
	Option, Value string
	Valid         bool
}

// EachValidation calls f with the recordings of polly-validation for the given
// strategies, and fails the test when a strategy has none. A strategy's
// shortcut, as in "AddTimeout(00:00:10)", has the name of the method as Option.
func EachValidation(t testing.TB, strategies []string, f func(Validation)) {
	t.Helper()
	missing := slices.Clone(strategies)
	oracletest.Each(t, "polly-validation.jsonl.gz", func(rec struct {
		ID, Strategy, Set string
		Result            struct{ Valid bool }
	}) {
		if !slices.Contains(strategies, rec.Strategy) {
			return
		}
		missing = slices.DeleteFunc(missing, func(s string) bool { return s == rec.Strategy })
		option, value := assignment(rec.Set)
		f(Validation{ID: rec.ID, Strategy: rec.Strategy, Option: option, Value: value, Valid: rec.Result.Valid})
	})
	if len(missing) > 0 {
		oracletest.Lacking(t, "got no recordings for %v, want some", missing)
	}
}

func assignment(set string) (option, value string) {
	if option, value, ok := strings.Cut(set, "="); ok {
		return option, value
	}
	option, value, _ = strings.Cut(strings.TrimSuffix(set, ")"), "(")
	return option, value
}

// Vector is one sequence of runtime-vectors.json.
type Vector struct {
	ID        string          `json:"id"`
	Semantics string          `json:"semantics"`
	Options   json.RawMessage `json:"options"`
	Events    json.RawMessage `json:"events"`
}

// EachVector calls f with the vectors of the given semantics, and fails the
// test when there is none.
func EachVector(t testing.TB, semantics string, f func(Vector)) {
	t.Helper()
	var file struct{ Vectors []Vector }
	Decode(t, oracletest.Bytes(t, "runtime-vectors.json"), &file)
	seen := 0
	for _, v := range file.Vectors {
		if v.Semantics == semantics {
			seen++
			f(v)
		}
	}
	if seen == 0 {
		oracletest.Lacking(t, "got no vector of %s, want some", semantics)
	}
}

// Decode reads JSON into v, or ends the test.
func Decode(t testing.TB, text []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
}

// Milliseconds is a time of a recording, exact to .NET's tick of 100 ns.
type Milliseconds float64

// Duration returns m rounded to the tick.
func (m Milliseconds) Duration() time.Duration {
	ticks := float64(m) * 1e4
	if ticks < 0 {
		return time.Duration(ticks-0.5) * 100
	}
	return time.Duration(ticks+0.5) * 100
}
