package clientip_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/guard/clientip"
	"github.com/margay-dev/margay/runtime/plan"
	"pgregory.net/rapid"
)

func admits(t *testing.T, lists plan.ClientIPs, client string) bool {
	t.Helper()
	f, err := clientip.New(&lists)
	if err != nil {
		t.Fatal(err)
	}
	return f.Admits(netip.MustParseAddr(client))
}

func TestPatterns(t *testing.T) {
	for _, tt := range []struct{ pattern, in, out string }{
		{"10.0.0.1", "10.0.0.1", "10.0.0.2"},
		{" 10.0.0.1 ", "10.0.0.1", "10.0.0.0"},
		{"10.0.0.0/8", "10.255.255.255", "11.0.0.0"},
		{"10.0.0.77/28", "10.0.0.64", "10.0.0.63"},
		{"10.0.0.0 / 24", "10.0.0.255", "10.0.1.0"},
		{"0.0.0.0/0", "255.255.255.255", "::1"},
		{"10.0.0.1-10.0.1.1", "10.0.0.255", "10.0.1.2"},
		{"10.0.0.1 - 3", "10.0.0.3", "10.0.0.4"},
		{"10.0.0.1–3", "10.0.0.2", "10.0.0.0"},
		{"10.0.0.0/255.255.255.0", "10.0.0.9", "10.0.1.9"},
		{"10.0.0.0/0.0.0.0", "1.2.3.4", "fe80::1"},
		{"::1", "::1", "::2"},
		{"fe80::/10", "fe80::1%eth0", "ff00::1"},
		{"2001:db8::1-2001:db8::ff", "2001:db8::80", "2001:db8::100"},
		{"2001:db8::/ffff:ffff::", "2001:db8:1::1", "2001:db9::1"},
		{"::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"},
		{"10.0.0.1", "::ffff:10.0.0.1", "::ffff:10.0.0.2"},
		{"::ffff:10.0.0.0/104", "10.9.9.9", "11.0.0.0"},
	} {
		only := plan.ClientIPs{Allowed: []string{tt.pattern}}
		if !admits(t, only, tt.in) {
			t.Errorf("%q should hold %s", tt.pattern, tt.in)
		}
		if admits(t, only, tt.out) {
			t.Errorf("%q should not hold %s", tt.pattern, tt.out)
		}
		blocked := plan.ClientIPs{Blocked: []string{tt.pattern}}
		if admits(t, blocked, tt.in) || !admits(t, blocked, tt.out) {
			t.Errorf("%q does not block %s alone", tt.pattern, tt.in)
		}
	}
}

func TestPatternsThatAreNone(t *testing.T) {
	for _, pattern := range []string{"", "abc", "127.0.0.256", "10.0.0.1/33", "10.0.0.9-3", "10.0.0.1-::1", "10.0.0.1-300",
		"10.0.0.0/255.0.255.0", "10.0.0.0/ffff::", "::1/255.0.0.0", "10.0.0.0/", "/24", "-", "10.0.0.1-", "010.0.0.1", "::1-5", "*"} {
		f, err := clientip.New(&plan.ClientIPs{Allowed: []string{pattern}})
		wrong, ok := errors.AsType[*clientip.PatternError](err)
		if !ok || wrong.Pattern != pattern || wrong.List != "IPAllowedList" {
			t.Errorf("%q: got %v", pattern, err)
		}
		if f.Admits(netip.MustParseAddr("10.0.0.1")) {
			t.Errorf("%q: a list that cannot be read admits a client", pattern)
		}
	}
}

func TestNamesEveryBadPattern(t *testing.T) {
	_, err := clientip.New(&plan.ClientIPs{Allowed: []string{"x", "10.0.0.1"}, Blocked: []string{"y"}})
	const want = `IPAllowedList holds "x", which is no address, range or network` + "\n" + `IPBlockedList holds "y", which is no address, range or network`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestLists(t *testing.T) {
	none := plan.ClientIPs{}
	both := plan.ClientIPs{Allowed: []string{"10.0.0.1"}, Blocked: []string{"10.0.0.0/24"}}
	excluded := both
	excluded.AllowedBeatBlocked = true
	for _, tt := range []struct {
		lists  plan.ClientIPs
		client string
		want   bool
	}{
		{none, "1.2.3.4", true},
		{both, "10.0.0.1", false},
		{both, "10.0.1.1", false},
		{excluded, "10.0.0.1", true},
		{excluded, "10.0.0.2", false},
		{excluded, "10.0.1.1", false},
	} {
		if got := admits(t, tt.lists, tt.client); got != tt.want {
			t.Errorf("%+v, %s: got %v", tt.lists, tt.client, got)
		}
	}
}

func TestUnknownClientPassesOnlyWithoutLists(t *testing.T) {
	open, _ := clientip.New(nil)
	guarded, _ := clientip.New(&plan.ClientIPs{Blocked: []string{"10.0.0.1"}})
	if !open.Admits(netip.Addr{}) || guarded.Admits(netip.Addr{}) {
		t.Error("an unknown client passes a list")
	}
}

// A filter with many networks decides as each of them alone does.
func TestAgreesWithPrefixes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		network := rapid.Custom(func(rt *rapid.T) netip.Prefix {
			b := rapid.SliceOfN(rapid.Byte(), 2, 2).Draw(rt, "bytes")
			return netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, b[0], b[1]}), rapid.IntRange(16, 32).Draw(rt, "bits"))
		})
		networks := rapid.SliceOfN(network, 1, 20).Draw(rt, "networks")
		var patterns []string
		for _, p := range networks {
			patterns = append(patterns, p.String())
		}
		f, err := clientip.New(&plan.ClientIPs{Blocked: patterns})
		if err != nil {
			rt.Fatal(err)
		}
		b := rapid.SliceOfN(rapid.Byte(), 2, 2).Draw(rt, "client")
		client := netip.AddrFrom4([4]byte{10, 0, b[0], b[1]})
		blocked := false
		for _, p := range networks {
			blocked = blocked || p.Masked().Contains(client)
		}
		if f.Admits(client) == blocked {
			rt.Fatalf("%s, %s: got admitted %v", strings.Join(patterns, " "), client, !blocked)
		}
	})
}

func FuzzPatterns(f *testing.F) {
	for _, seed := range []string{"10.0.0.1", "10.0.0.1-9", "10.0.0.0/8", "::/0", "fe80::1%x", "10.0.0.0/255.255.0.0", "–"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		filter, err := clientip.New(&plan.ClientIPs{Allowed: []string{pattern}})
		if err != nil && filter.Admits(netip.IPv4Unspecified()) {
			t.Errorf("%q: refused, but admits", pattern)
		}
	})
}

func BenchmarkAdmits(b *testing.B) {
	lists := &plan.ClientIPs{}
	for i := range 1000 {
		lists.Blocked = append(lists.Blocked, netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 0}).String()+"/25")
	}
	f, err := clientip.New(lists)
	if err != nil {
		b.Fatal(err)
	}
	client := netip.MustParseAddr("10.1.1.200")
	b.ReportAllocs()
	for b.Loop() {
		if !f.Admits(client) {
			b.Fatal("blocked")
		}
	}
}
