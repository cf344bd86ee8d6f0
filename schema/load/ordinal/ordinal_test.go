package ordinal_test

import (
	"slices"
	"testing"

	"github.com/margay-dev/margay/schema/load/ordinal"
)

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"Routes", "rOUTES", true},
		{"Routes", "Route", false},
		{"a", "b", false},
		{"é", "É", true},
		{"caféx", "CAFÉX", true},
		{"σ", "ς", true},
		{"Σ", "ς", true},
		{"\u212a", "k", false}, // Kelvin sign
		{"i", "İ", false},
		{"ı", "I", false},
		{"ſ", "S", false},
		{"ß", "SS", false},
		{"[", "{", false},
		{"é", "e", false},
		{"aé", "a", false},
	} {
		if got := ordinal.Equal(test.a, test.b); got != test.want {
			t.Errorf("Equal(%q, %q) = %t, want %t", test.a, test.b, got, test.want)
		}
		if got := ordinal.Equal(test.b, test.a); got != test.want {
			t.Errorf("Equal(%q, %q) = %t, want %t", test.b, test.a, got, test.want)
		}
		if test.want && ordinal.Hash(test.a) != ordinal.Hash(test.b) {
			t.Errorf("Hash(%q) and Hash(%q) differ", test.a, test.b)
		}
	}
}

func TestCompareOrdersLikeFileNames(t *testing.T) {
	names := []string{"ocelot.b.json", "OCELOT.A.json", "ocelot.a.b.json", "ocelot._.json", "ocelot.é.json", "ocelot.😀.json", "ocelot.ﬀ.json"}
	want := []string{"ocelot.a.b.json", "OCELOT.A.json", "ocelot.b.json", "ocelot._.json", "ocelot.é.json", "ocelot.😀.json", "ocelot.ﬀ.json"}
	slices.SortFunc(names, ordinal.Compare)
	if !slices.Equal(names, want) {
		t.Errorf("got  %q\nwant %q", names, want)
	}
}
