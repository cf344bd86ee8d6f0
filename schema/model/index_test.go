package model_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/model"
)

func TestIndexFindsWhatMemberFinds(t *testing.T) {
	types := map[string]*model.Type{}
	collect(model.Root(), types)
	for _, typ := range types {
		names := make([]string, len(typ.Members))
		for i := range typ.Members {
			names[i] = typ.Members[i].Name
		}
		x := model.NewIndex(names)
		for i, name := range names {
			for _, spelling := range []string{name, strings.ToLower(name), strings.ToUpper(name)} {
				if got := x.Find(spelling); got != i {
					t.Errorf("%s: Find(%q) = %d, want %d", typ.Name, spelling, got, i)
				}
			}
			for _, other := range []string{name + "s", name[1:], " " + name, strings.Replace(name, "s", "ſ", 1) + "ſ"} {
				if got, want := x.Find(other), typ.Member(other); got >= 0 && want == nil {
					t.Errorf("%s: Find(%q) = %d, want -1", typ.Name, other, got)
				}
			}
		}
	}
	var none model.Index
	if got := none.Find("Routes"); got != -1 {
		t.Errorf("Find in an empty index = %d, want -1", got)
	}
}

func BenchmarkIndexFind(b *testing.B) {
	route := model.Root().Member("Routes").Object
	names := make([]string, len(route.Members))
	for i := range route.Members {
		names[i] = route.Members[i].Name
	}
	x := model.NewIndex(names)
	b.ReportAllocs()
	for b.Loop() {
		for _, name := range names {
			if x.Find(name) < 0 {
				b.Fatal(name)
			}
		}
	}
}
