package pipeline_test

import (
	"errors"
	"testing"

	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
)

// TestSwapIf asks only about plans that are good, and does as it is told.
func TestSwapIf(t *testing.T) {
	of := func(id string) *plan.Plan {
		return &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: []plan.Route{{
			ID: id, Match: plan.Match{Kind: plan.Static, Path: "/" + id},
			Backend: plan.Backend{Scheme: "http", Path: "/", Hosts: []plan.Host{{Name: "a"}}}, OuterTimeout: new(plan.Millis(1000)), Failures: plan.Failures{TransportErrors: plan.Failure},
		}}}
	}
	set, err := pipeline.NewSet(of("one"), pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	no := errors.New("no")
	refuse := func() error { asked++; return no }
	bad := of("two")
	bad.Version = "x"
	if err := set.SwapIf(bad, refuse); err == nil || errors.Is(err, no) || asked != 0 {
		t.Errorf("a bad plan: got %v, asked %d times", err, asked)
	}
	if err := set.SwapIf(of("two"), refuse); !errors.Is(err, no) || asked != 1 || set.Pipeline("one") == nil || set.Pipeline("two") != nil {
		t.Errorf("a refused plan: got %v, asked %d times, and the old plan is gone: %t", err, asked, set.Pipeline("one") == nil)
	}
	agree := func() error {
		if set.Pipeline("two") != nil {
			t.Error("in force before it was agreed on")
		}
		return nil
	}
	if err := set.SwapIf(of("two"), agree); err != nil || set.Pipeline("two") == nil || set.Pipeline("one") != nil {
		t.Errorf("a plan that is agreed on: got %v", err)
	}
}
