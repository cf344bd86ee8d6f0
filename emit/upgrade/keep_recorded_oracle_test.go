package upgrade_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/upgrade"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestOracleKeptFilesDoAsRecorded holds every file that is kept whole against
// what the old program was seen to do with the file as it was: the edited bytes
// are read anew, as the new release.
func TestOracleKeptFilesDoAsRecorded(t *testing.T) {
	tallies := map[string]*oracletest.Tally{}
	eachRecording(t, func(rec recording) {
		for _, way := range ways {
			name := "kept from " + way[0] + " to " + way[1]
			if tallies[name] == nil {
				tallies[name] = oracletest.NewTally(name)
			}
			old := rec.Expect[way[0]]
			if old.Start != "ok" {
				continue
			}
			before := compile(t, rec.Config, profileOf(t, way[0]))
			k, err := upgrade.Keep(t.Context(), before, compile(t, rec.Config, profileOf(t, way[1])))
			if errors.Is(err, emit.ErrNotJSON) || err == nil && len(k.Losses) > 0 {
				continue
			}
			if err != nil {
				t.Fatalf("%s %s: %v", rec.ID, name, err)
			}
			text := []byte(rec.Config)
			for _, file := range k.Files {
				text = file.Raw
			}
			group := rec.ID[:strings.LastIndexByte(rec.ID, '-')]
			if rec.File != "" {
				old.name(before)
			}
			want, got := recordedEffects(old), keptEffects(compile(t, text, profileOf(t, way[1])))
			if got != want {
				tallies[name].Differ(group, rec.ID, "got\n%swant\n%s%s\nbecomes\n%s", got, want, rec.Config, text)
				continue
			}
			tallies[name].Agree(group)
		}
	})
	for _, way := range ways {
		tallies["kept from "+way[0]+" to "+way[1]].Report(t)
	}
}

// name gives the static routes their templates, which answers to real files
// leave out.
func (a *answer) name(r *emit.Result) {
	a.Routes = slices.Clone(a.Routes)
	next := 0
	for i := range r.Gateway.Routes {
		if route := &r.Gateway.Routes[i]; route.Kind == normalize.Static && next < len(a.Routes) {
			a.Routes[next].Upstream = &route.Static.UpstreamPathTemplate.V
			next++
		}
	}
}

// recordedEffects writes what the static routes of an answer do: when the
// breaker opens and for how long, and when a hanging call is cut off.
func recordedEffects(a answer) string {
	var b strings.Builder
	for i := range a.Routes {
		r := &a.Routes[i]
		if r.Upstream == nil {
			continue
		}
		if len(r.HandlerError) > 0 && string(r.HandlerError) != "null" || len(r.StrategyError) > 0 && string(r.StrategyError) != "null" || fails(r.Outer) {
			fmt.Fprintf(&b, "%s: 500\n", *r.Upstream)
			continue
		}
		limit, opens := 0.0, "never"
		shorten := func(ms any) {
			if n, ok := ms.(float64); ok && n > 0 && (limit == 0 || n < limit) {
				limit = n
			}
		}
		shorten(r.Outer)
		for _, s := range r.Strategies {
			switch {
			case s["strategy"] == "timeout":
				shorten(s["timeoutMs"])
			case s["failuresBeforeBreaking"] != nil:
				opens = fmt.Sprintf("after %.0f in a row for %.0f", s["failuresBeforeBreaking"], s["breakDurationMs"])
			case s["failureRatio"] == nil:
				opens = fmt.Sprintf("after %.0f in a row for %.0f", s["minimumThroughput"], s["breakDurationMs"])
			default:
				opens = fmt.Sprintf("at %v of %.0f within %.0f for %.0f", s["failureRatio"], s["minimumThroughput"], s["samplingDurationMs"], s["breakDurationMs"])
			}
		}
		fmt.Fprintf(&b, "%s: opens %s, cut off after %.0f\n", *r.Upstream, opens, limit)
	}
	return b.String()
}

// keptEffects writes the same of a resolved gateway.
func keptEffects(r *emit.Result) string {
	var b strings.Builder
	routes := r.Gateway.Routes
	for i := range routes {
		route := &routes[i]
		if route.Kind != normalize.Static {
			continue
		}
		name := route.Static.UpstreamPathTemplate.V
		owner := route
		if route.SharedWith >= 0 {
			owner = &routes[route.SharedWith]
		}
		if route.Failure() != nil || owner.Failure() != nil {
			fmt.Fprintf(&b, "%s: 500\n", name)
			continue
		}
		limit, opens := route.OuterTimeout.V, "never"
		if attempt := int64(owner.AttemptTimeout.V); attempt > 0 && (limit <= 0 || attempt < limit) {
			limit = attempt
		}
		switch k := &owner.Breaker; k.Kind {
		case normalize.NoBreaker:
		case normalize.Consecutive:
			opens = fmt.Sprintf("after %v in a row for %v", k.MinimumThroughput.V, k.BreakDuration.V)
		default:
			opens = fmt.Sprintf("at %v of %v within %v for %v", k.FailureRatio.V, k.MinimumThroughput.V, k.SamplingDuration.V, k.BreakDuration.V)
		}
		fmt.Fprintf(&b, "%s: opens %s, cut off after %d\n", name, opens, max(limit, 0))
	}
	return b.String()
}
