package profile_test

import (
	"slices"
	"strings"
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
		if !profile.KnownVersion(version) || p.Documented() {
			t.Errorf("%s is no program", version)
		}
		if p.KnowsNewNames() != (p.Divergences() != 0) {
			t.Errorf("%s: what is compared with the documentation is what has its names", version)
		}
		if found, ok := profile.Find(version); !ok || found.Version != version || found.Asked != "" || !found.HasProvider() {
			t.Errorf("%s: found %+v", version, found)
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

func TestFind(t *testing.T) {
	for _, tt := range []struct{ text, version, notice string }{
		{"25.0.0", "25.0", ""},
		{"25", "25.0", ""},
		{"25.0.0-beta.2", "25.0", ""},
		{"v24.1.0", "24.1", ""},
		{"24.0.0", "24.0", ""},
		{"24", "24.0", ""},
		{"23.4.1", "23.4", ""},
		{"23.3", "23.4", "23.3 resolves QoS as 23.4 does"},
		{"23.3.6", "23.4", "23.3.6 resolves QoS as 23.4 does"},
		{"23.2.2", "23.2", ""},
		{"23.1", "22.0", "nothing is recorded of 23.1: 22.0 is the nearest, and may differ"},
		{"23", "22.0", "nothing is recorded of 23: 22.0 is the nearest, and may differ"},
		{"22", "22.0", ""},
		{"22.0.0", "22.0", "nothing is recorded of 22.0.0: 22.0 is the nearest, and may differ"},
		{"18.0.0", "22.0", "nothing is recorded of 18.0.0: 22.0 is the nearest, and may differ"},
		{"13.5.2", "22.0", "nothing is recorded of 13.5.2: 22.0 is the nearest, and may differ"},
		{"24.2.1", "24.1", "nothing is recorded of 24.2.1: 24.1 is the nearest, and may differ"},
		{"26.1", "25.0", "nothing is recorded of 26.1: 25.0 is the nearest, and may differ"},
	} {
		p, ok := profile.Find(tt.text)
		if !ok || p.Version != tt.version || p.Notice() != tt.notice {
			t.Errorf("%s: got %s %q %v", tt.text, p.Version, p.Notice(), ok)
		}
	}
	for _, text := range []string{"", "latest", "24.x", "24..1", "-1", "24.0.1.2.3", "0", "99999999999"} {
		if p, ok := profile.Find(text); ok {
			t.Errorf("%q is found: %+v", text, p)
		}
	}
}

func TestCaveat(t *testing.T) {
	for text, want := range map[string]string{
		"18.0": "up to 21.0", "21.0.0": "up to 21.0", "22.0.0": "22.0.0 alone", "22.0.1": "", "22.0": "", "23.1": "23.0 and 23.1", "23.3": "", "26.0": "",
	} {
		p, _ := profile.Find(text)
		if got := p.Caveat(); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: got %q want %q", text, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	older, _ := profile.Find("23.3.0")
	names := older.Names()
	if n := names.Member("globalconfiguration").Member("SecurityOptions"); n.Reading != profile.Unread || n.Until.String() != "23.4.1" {
		t.Errorf("got %+v", n)
	}
	if n := names.Member("GlobalConfiguration").Member("CacheOptions"); n.Reading != profile.AsNow {
		t.Errorf("got %+v", n)
	}
	if n := names.Member("Routes").Items.Member("QoSOptions").Member("TIMEOUTVALUE"); n.Reading != profile.NotNullable {
		t.Errorf("got %+v", n)
	}
	if older.Knows("23.3.0", "24.1.0") != true {
		t.Error("23.3 does not know what it brought")
	}
	for _, version := range []string{"24.1", "25.0"} {
		if p, _ := profile.Find(version); p.Names() != nil {
			t.Errorf("%s reads something otherwise than 25.0", version)
		}
	}
}
