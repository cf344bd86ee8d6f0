package claims_test

import (
	"errors"
	"net/url"
	"testing"

	"github.com/margay-dev/margay/runtime/guard/claims"
	"github.com/margay-dev/margay/runtime/plan"
	"pgregory.net/rapid"
)

func TestHasScope(t *testing.T) {
	for _, tt := range []struct {
		has  []string
		want error
	}{
		{nil, claims.ErrScope},
		{[]string{"s1"}, nil},
		{[]string{"s3"}, claims.ErrScope},
		{[]string{"S1"}, claims.ErrScope},
		{[]string{"s9 s1"}, nil},
		{[]string{"s9", "s1 s2"}, claims.ErrScope},
		{[]string{"s9", "s2"}, nil},
	} {
		var c claims.Claims
		for _, s := range tt.has {
			c = append(c, claims.Claim{Type: "scope", Value: s})
		}
		if err := c.HasScope([]string{"s1", "s2"}); !errors.Is(err, tt.want) {
			t.Errorf("%q: got %v, want %v", tt.has, err, tt.want)
		}
	}
	if err := claims.Claims(nil).HasScope(nil); err != nil {
		t.Errorf("no scopes: got %v", err)
	}
}

func TestMeet(t *testing.T) {
	c := claims.Claims{{Type: "role", Value: "user"}, {Type: "role", Value: "admin"}, {Type: "uid", Value: "7"}}
	captured := func(name string) (string, bool) { return "7", name == "x" }
	for _, tt := range []struct {
		kind, value string
		want        error
	}{
		{"role", "admin", nil},
		{"role", "Admin", claims.ErrClaim},
		{"Role", "admin", claims.ErrClaim},
		{"role", "", claims.ErrClaim},
		{"uid", "{x}", nil},
		{"role", "{x}", claims.ErrClaim},
		{"uid", "{y}", claims.ErrClaim},
		{"uid", "{}", claims.ErrClaim},
	} {
		if err := c.Meet([]plan.ClaimRequirement{{Type: tt.kind, Value: tt.value}}, captured); !errors.Is(err, tt.want) {
			t.Errorf("%s=%s: got %v, want %v", tt.kind, tt.value, err, tt.want)
		}
	}
	all := []plan.ClaimRequirement{{Type: "uid", Value: "7"}, {Type: "role", Value: "other"}}
	if err := c.Meet(all, captured); !errors.Is(err, claims.ErrClaim) {
		t.Errorf("one of two: got %v", err)
	}
	if err := claims.Claims(nil).Meet(all, captured); !errors.Is(err, claims.ErrClaim) {
		t.Errorf("an unknown client: got %v", err)
	}
}

func TestPick(t *testing.T) {
	c := claims.Claims{{Type: "sub", Value: "a|b;c"}, {Type: "r", Value: "1"}, {Type: "r", Value: "2"}, {Type: "u", Value: "é→è→"}}
	for _, tt := range []struct {
		from plan.ClaimCopy
		want string
		err  error
	}{
		{plan.ClaimCopy{Claim: "sub"}, "a|b;c", nil},
		{plan.ClaimCopy{Claim: "sub", Delimiter: "|", Index: 1}, "b;c", nil},
		{plan.ClaimCopy{Claim: "sub", Delimiter: "|;", Index: 2}, "c", nil},
		{plan.ClaimCopy{Claim: "sub", Delimiter: "|", Index: 2}, "", claims.ErrMissing},
		{plan.ClaimCopy{Claim: "r"}, "1,2", nil},
		{plan.ClaimCopy{Claim: "u", Delimiter: "→", Index: 1}, "è", nil},
		{plan.ClaimCopy{Claim: "u", Delimiter: "→", Index: 2}, "", nil},
		{plan.ClaimCopy{Claim: "Sub"}, "", claims.ErrMissing},
	} {
		if got, err := c.Pick(tt.from); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%+v: got %q, %v", tt.from, got, err)
		}
	}
}

func TestWithReplacesTheFirstOfItsType(t *testing.T) {
	c := claims.Claims{{Type: "a", Value: "1"}, {Type: "a", Value: "2"}}
	changed := c.With("a", "3")
	if got := changed.Values("a"); len(got) != 2 || got[0] != "2" || got[1] != "3" {
		t.Errorf("got %q", got)
	}
	if got := c.Values("a"); got[0] != "1" {
		t.Errorf("the original changed: %q", got)
	}
}

func TestQuery(t *testing.T) {
	c := claims.Claims{{Type: "sub", Value: "u1"}, {Type: "evil", Value: "u 1&admin=1#?%"}}
	sub := plan.ClaimCopy{Name: "sub", Claim: "sub"}
	for _, tt := range []struct {
		query, want string
		from        plan.ClaimCopy
	}{
		{"", "?sub=u1", sub},
		{"?z=1", "?z=1&sub=u1", sub},
		{"?sub=spoof&z=1&SUB=spoof", "?sub=u1&z=1", sub},
		{"?Sub=spoof", "?Sub=u1", sub},
		{"?z=%26+x&&q", "?z=%26%20x&q=&sub=u1", sub},
		{"?z=%zz", "?z=%25zz&sub=u1", sub},
		{"", "?sub=u%201%26admin%3D1%23%3F%25", plan.ClaimCopy{Name: "sub", Claim: "evil"}},
	} {
		if got, err := c.Query(tt.query, []plan.ClaimCopy{tt.from}); got != tt.want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", tt.query, got, err, tt.want)
		}
	}
	if got, err := c.Query("?a=%zz", nil); got != "?a=%zz" || err != nil {
		t.Errorf("nothing to add: got %q, %v", got, err)
	}
	if _, err := c.Query("", []plan.ClaimCopy{{Name: "x", Claim: "none"}}); !errors.Is(err, claims.ErrMissing) {
		t.Errorf("got %v", err)
	}
}

// Whatever a claim holds, it arrives as one parameter, and the client's own
// ones stay what they were.
func TestAClaimStaysOneParameter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		value, name := rapid.String().Draw(rt, "value"), rapid.StringN(1, 8, 16).Draw(rt, "name")
		c := claims.Claims{{Type: "c", Value: value}}
		query, err := c.Query("?other=1", []plan.ClaimCopy{{Name: name + "!", Claim: "c"}})
		if err != nil {
			rt.Fatal(err)
		}
		got, err := url.ParseQuery(query[1:])
		if err != nil || len(got) != 2 || got.Get(name+"!") != value || got.Get("other") != "1" {
			rt.Fatalf("got %q, %v", got, err)
		}
	})
}
