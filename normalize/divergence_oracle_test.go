package normalize_test

import (
	"fmt"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// By the documentation, exactly those routes differ from what the real program
// recorded on which a divergence is named, and the names are those of the
// definition.
func TestOracleDivergences(t *testing.T) {
	for _, file := range []string{"resolve.jsonl.gz", "resolve-claims.jsonl", "resolve-docs.jsonl"} {
		t.Run(file, func(t *testing.T) {
			tally := oracletest.NewTally(file)
			oracletest.Each(t, file, func(rec recording) { checkDivergences(tally, &rec) })
			tally.Report(t)
		})
	}
}

func checkDivergences(tally *oracletest.Tally, rec *recording) {
	if rec.Expect.Error != nil {
		return
	}
	cfg, failure := compile([]byte(rec.Config))
	if failure != nil {
		tally.Differ(rec.Group, rec.ID, "got failure %q", failure)
		return
	}
	for _, provider := range []profile.Provider{profile.Builtin, profile.Polly} {
		g := normalize.Resolve(cfg, profile.Profile{Provider: provider})
		if diff := differsWhereNamed(g, rec); diff != "" {
			tally.Differ(rec.Group, rec.ID, "%s: %s\n%s", provider, diff, rec.Config)
			return
		}
		if diff := namedByDefinition(cfg, g); diff != "" {
			tally.Differ(rec.Group, rec.ID, "%s: %s\n%s", provider, diff, rec.Config)
			return
		}
	}
	tally.Agree(rec.Group)
}

func differsWhereNamed(g *normalize.Gateway, rec *recording) string {
	for i := range rec.Expect.Routes {
		if diff := differsIfNamed(&g.Routes[i], &rec.Expect.Routes[i]); diff != "" {
			return fmt.Sprintf("route %d: %s", i, diff)
		}
	}
	for i := range rec.Expect.Lookups {
		l, _ := g.Lookup(rec.Expect.Lookups[i].Path)
		if diff := differsIfNamed(&l.Route, &rec.Expect.Lookups[i]); diff != "" {
			return "lookup " + rec.Expect.Lookups[i].Path + ": " + diff
		}
	}
	if u := rec.Expect.Unlisted; u != nil {
		return differsIfNamed(&g.Routes[len(g.Routes)-1], u)
	}
	return ""
}

func differsIfNamed(r *normalize.Route, want *recordedRoute) string {
	if r.Kind == normalize.Aggregate {
		return ""
	}
	diff := effective(r, want)
	switch {
	case diff == "" && r.Divergences != 0:
		return "equal, yet named: " + r.Divergences.String()
	case diff != "" && r.Divergences == 0:
		return "differs, yet nothing is named: " + diff
	case diff == "":
		return ""
	}
	if o := r.Otherwise(); effective(&o, want) != "" {
		return "otherwise: " + effective(&o, want)
	}
	return ""
}

// effective compares what a route gets with a recording.
func effective(r *normalize.Route, want *recordedRoute) string {
	a := recordedRoute{QoS: options(r), Active: r.Active, TimeoutS: optional(r.RouteTimeout.Value), OuterMS: r.OuterTimeout.V}
	b := recordedRoute{QoS: want.QoS, Active: want.Active, TimeoutS: want.TimeoutS, OuterMS: want.OuterMS}
	if r.ByPolly() {
		b.Polly = want.Polly
		if r.Active {
			a.Polly = &recordedPolly{Breaker: breakerOf(r), Timeout: optional(r.AttemptTimeout)}
		}
		if b.Polly != nil {
			b.Polly = &recordedPolly{Breaker: b.Polly.Breaker, Timeout: b.Polly.Timeout}
		}
		return differ(&a, &b)
	}
	b.Builtin = want.Builtin
	if r.Active {
		a.Builtin = &recordedBuiltin{Timeout: optional(r.AttemptTimeout)}
		if breaker := breakerOf(r); breaker != nil {
			a.Builtin.recordedBreaker = *breaker
		}
	}
	return differ(&a, &b)
}

// namedByDefinition applies the definition literally: it resolves the whole
// gateway once for every divergence removed and added.
func namedByDefinition(cfg *config.Configuration, g *normalize.Gateway) string {
	observed := normalize.ResolveUnder(cfg, g.Profile, profile.AllDivergences)
	removed, added := map[profile.Divergences]*normalize.Gateway{}, map[profile.Divergences]*normalize.Gateway{}
	for d := range profile.AllDivergences.All() {
		removed[d] = normalize.ResolveUnder(cfg, g.Profile, profile.AllDivergences&^d)
		added[d] = normalize.ResolveUnder(cfg, g.Profile, d)
	}
	for i := range g.Routes {
		want := changing(removed, observed, i)
		if want == 0 {
			want = changing(added, g, i)
		}
		if got := g.Routes[i].Divergences; got != want {
			return fmt.Sprintf("route %d: got names %s, want %s", i, got, want)
		}
		if got := observed.Routes[i].Divergences; got != want {
			return fmt.Sprintf("route %d as observed: got names %s, want %s", i, got, want)
		}
	}
	return ""
}

// changing returns the divergences under which route i is not that of base.
func changing(gateways map[profile.Divergences]*normalize.Gateway, base *normalize.Gateway, i int) profile.Divergences {
	var set profile.Divergences
	for d, g := range gateways {
		if visible(&g.Routes[i]) != visible(&base.Routes[i]) {
			set |= d
		}
	}
	return set
}

// seen is everything that a reader sees of a route's result.
type seen struct {
	options [5]number
	active  bool
	kind    normalize.BreakerKind
	breaker [4]number
	attempt number
	seconds number
	outerMS int64
}

// number is a value that may be unset; NaN is equal to itself.
type number struct {
	isSet bool
	v     ratio
}

func visible(r *normalize.Route) seen {
	o, b := &r.Options, &r.Breaker
	return seen{
		options: [...]number{of(o.BreakDuration.Value), of(o.MinimumThroughput.Value), of(o.FailureRatio.Value),
			of(o.SamplingDuration.Value), of(o.Timeout.Value)},
		active:  r.Active,
		kind:    b.Kind,
		breaker: [...]number{of(b.MinimumThroughput), of(b.FailureRatio), of(b.SamplingDuration), of(b.BreakDuration)},
		attempt: of(r.AttemptTimeout),
		seconds: of(r.RouteTimeout.Value),
		outerMS: r.OuterTimeout.V,
	}
}

func of[T int32 | float64](v config.Value[T]) number {
	return number{v.IsSet(), ratioOf(float64(v.V))}
}
