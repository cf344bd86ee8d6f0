package proxy_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/margay-dev/margay/runtime/plan"
)

// ocelotRules are rules of Ocelot in place of margay's, each under the name of
// the difference. With none of them a foreteller says what margay owes.
type ocelotRules struct {
	LeakedProbe, LateResult, OuterUncounted, AbortCounted, ClientTrips, HiddenResend, ReloadState, ReloadInvalid bool
	LeasedBeforeAsked, UpgradeUnprotected, MissingProvider, CachedOpen, FirstOptions, FrozenDynamic              bool
	ObsText, TruncatedBody, AggregateText, Unenforced                                                            bool
}

// ruled returns the rules of Ocelot by the names of their differences.
func ruled() map[string]ocelotRules {
	return map[string]ocelotRules{
		"leaked-probe": {LeakedProbe: true}, "late-result": {LateResult: true}, "outer-uncounted": {OuterUncounted: true},
		"abort-counted": {AbortCounted: true}, "client-trips": {ClientTrips: true}, "hidden-resend": {HiddenResend: true},
		"reload-state": {ReloadState: true}, "reload-invalid": {ReloadInvalid: true}, "leased-before-asked": {LeasedBeforeAsked: true},
		"upgrade-unprotected": {UpgradeUnprotected: true}, "cached-open": {CachedOpen: true}, "truncated-body": {TruncatedBody: true},
		"aggregate-text": {AggregateText: true}, "obs-text": {ObsText: true}, "missing-provider": {MissingProvider: true},
		"unenforced": {Unenforced: true}, "first-options": {FirstOptions: true}, "frozen-dynamic": {FrozenDynamic: true},
	}
}

// and returns the rules of both.
func (r ocelotRules) and(o ocelotRules) ocelotRules {
	a, b := reflect.ValueOf(&r).Elem(), reflect.ValueOf(o)
	for i := range a.NumField() {
		if b.Field(i).Bool() {
			a.Field(i).SetBool(true)
		}
	}
	return r
}

// foretold returns what a foreteller with rules of Ocelot says.
func (y *player) foretold(first *plan.Plan, rules ocelotRules) []traceObserved {
	f, err := newForeteller(y.rec, first, y.plans, rules)
	if err != nil {
		return make([]traceObserved, len(y.rec.Steps))
	}
	return f.foretell()
}

// named returns the differences that matter: those without whose rule a
// foreteller with all of Ocelot's would say something else; if there are none,
// those with whose rule one of margay's would. It returns what the former says,
// too.
func (y *player) named(first *plan.Plan, own []traceObserved) (names []string, theirs []traceObserved) {
	rules := ruled()
	sorted := slices.Sorted(maps.Keys(rules))
	without := func(gone string) (all ocelotRules) {
		for _, name := range sorted {
			if name != gone {
				all = all.and(rules[name])
			}
		}
		return all
	}
	theirs = y.foretold(first, without(""))
	for _, name := range sorted {
		if !same(y.foretold(first, without(name)), theirs) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		return names, theirs
	}
	for _, name := range sorted {
		if !same(y.foretold(first, rules[name]), own) {
			names = append(names, name)
		}
	}
	return names, theirs
}

func same(a, b []traceObserved) bool { return slices.Equal(plainObserved(a), plainObserved(b)) }

func plainObserved(all []traceObserved) (out []string) {
	for _, o := range all {
		body, complete := "", false
		if o.Body != nil {
			body = *o.Body
		}
		if o.Complete != nil {
			complete = *o.Complete
		}
		out = append(out, fmt.Sprint(o.Outcome, o.Status, body, complete, o.Contacts, o.Answers, o.InOrder))
	}
	return out
}
