package proxy_test

import (
	"slices"
	"testing"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/guard/guardtest"
	"github.com/margay-dev/margay/runtime/proxy"
)

// guarded returns options with the guards of a recorded gateway.
func guarded(rec *routingRecord, o proxy.Options) proxy.Options {
	schemes := map[string]guard.Scheme{}
	for _, name := range rec.Gateway.Schemes {
		schemes[name] = guardtest.Words(name)
	}
	set := guard.New(guard.Options{Schemes: schemes})
	o.Guards, o.Aggregates = set.Guards, set.Aggregates
	return o
}

func TestEveryPromiseIsADifference(t *testing.T) {
	known := map[string]bool{}
	for _, d := range guard.Differences() {
		known[d.ID] = true
	}
	for _, d := range differences() {
		if !known[d.name] {
			t.Errorf("%s is in no list of differences", d.name)
		}
	}
}

// differences returns the named differences in the order in which they change
// what is promised: what settles the answer comes first.
func differences() []difference {
	return slices.Concat(requestDifferences, guardDifferences, stateDifferences, answerDifferences, lastDifferences)
}
