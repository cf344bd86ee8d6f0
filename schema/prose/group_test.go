package prose_test

import (
	"strconv"
	"testing"

	"github.com/margay-dev/margay/schema/prose"
)

func TestAlsoAt(t *testing.T) {
	type thing struct {
		name string
		line int
	}
	named := func(x *thing) (name, place string) {
		if x.line == 0 {
			return x.name, ""
		}
		return x.name, "line " + strconv.Itoa(x.line)
	}
	for _, c := range []struct {
		things []thing
		want   string
	}{
		{[]thing{{"a", 1}}, ""},
		{[]thing{{"a", 1}, {"b", 1}, {"c", 2}, {"d", 0}}, "also b, c (line 2), d"},
		{[]thing{{"a", 0}, {"b", 0}, {"c", 2}}, "also b, c (line 2)"},
	} {
		block := prose.Group(c.things, func(*thing) (string, bool) { return "", true })[0]
		if got := prose.AlsoAt(prose.View{}, &block, named); got != c.want {
			t.Errorf("got %q want %q", got, c.want)
		}
	}
}
