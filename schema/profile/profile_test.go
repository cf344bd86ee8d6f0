package profile_test

import (
	"slices"
	"testing"

	"github.com/margay-dev/margay/schema/profile"
)

func TestDivergences(t *testing.T) {
	if got := profile.AllDivergences.Len(); got != 9 {
		t.Fatalf("got %d divergences want 9", got)
	}
	for d := range profile.AllDivergences.All() {
		if parsed, ok := profile.ParseDivergence(d.String()); !ok || parsed != d {
			t.Errorf("%s: parsed as %v %v", d, parsed, ok)
		}
		if d.Documented() == "" || d.Observed() == "" {
			t.Errorf("%s has no texts", d)
		}
	}
	both := profile.UnlistedTimeout | profile.ZeroThroughput
	if got := both.Names(); !slices.Equal(got, []string{"zero-throughput", "unlisted-timeout"}) {
		t.Errorf("got names %v", got)
	}
	if profile.Divergences(0).Names() != nil || both.Documented() != "" {
		t.Error("a set that is not a single divergence has texts")
	}
	if _, ok := profile.ParseDivergence(""); ok {
		t.Error("the empty ID parses")
	}
}

func TestVersions(t *testing.T) {
	for _, version := range profile.Versions() {
		p := profile.Profile{Version: version}
		if !profile.KnownVersion(version) || p.Documented() || p.Divergences() == 0 {
			t.Errorf("%s is not a program with divergences", version)
		}
	}
	var documented profile.Profile
	if documented.Divergences() != 0 || !documented.KnowsNewNames() {
		t.Error("the documentation diverges from itself")
	}
	if profile.KnownVersion("") || profile.KnownVersion("1.0") {
		t.Error("a version without facts is known")
	}
}
