package change_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/validate/reach"
)

// TestOrderAgainstEveryRequest turns routes that overlap into another order, with
// other priorities, and sends every short request to both: the report says that
// requests move exactly if one does.
func TestOrderAgainstEveryRequest(t *testing.T) {
	requests := everyPath([]string{"a", "b", "z"}, 3)
	rapid.Check(t, func(rt *rapid.T) {
		templates := rapid.SliceOfNDistinct(rapid.Custom(template), 2, 6, rapid.ID[string]).Draw(rt, "templates")
		moved := rapid.Permutation(templates).Draw(rt, "moved")
		var bumped string
		if rapid.Bool().Draw(rt, "with priority") {
			bumped = moved[0]
		}
		r := compare(t, configOf(templates, ""), configOf(moved, bumped))
		old, new := tableOf(templates, ""), tableOf(moved, bumped)
		example := ""
		for _, path := range requests {
			request := reach.Request{Method: "GET", Target: path}
			a, b := old.TakerOf(request, nil), new.TakerOf(request, nil)
			if a >= 0 && b >= 0 && templates[a] != moved[b] {
				example = fmt.Sprintf("%s goes to %s instead of %s", path, moved[b], templates[a])
			}
		}
		said := len(r.Requests) > 0
		for _, route := range r.Routes {
			for _, c := range route.Changes {
				said = said || c.Aspect == "reach"
			}
		}
		if said != (example != "") {
			rt.Fatalf("%v → %v (%s first): a request that moves: %q; got\n%s", templates, moved, bumped, example, text(t, r))
		}
	})
}

func template(t *rapid.T) string {
	n := rapid.IntRange(1, 3).Draw(t, "segments")
	var b strings.Builder
	for i := range n {
		s := rapid.SampledFrom([]string{"a", "b", "{x}"}).Draw(t, "segment")
		b.WriteString("/" + strings.Replace(s, "x", fmt.Sprintf("x%d", i), 1))
	}
	return b.String()
}

func everyPath(segments []string, depth int) []string {
	var all []string
	level := []string{""}
	for range depth {
		var next []string
		for _, path := range level {
			for _, s := range segments {
				next = append(next, path+"/"+s)
			}
		}
		all, level = append(all, next...), next
	}
	return all
}

func configOf(templates []string, bumped string) string {
	var routes []string
	for _, text := range templates {
		r := fmt.Sprintf("%q: %q", "UpstreamPathTemplate", text)
		if text == bumped {
			r += `, "Priority": 7`
		}
		routes = append(routes, r)
	}
	return config(routes...)
}

func tableOf(templates []string, bumped string) *reach.Table {
	var entries []reach.Entry
	for _, text := range templates {
		e := reach.Entry{Template: text, Priority: 1}
		if text == bumped {
			e.Priority = 7
		}
		entries = append(entries, e)
	}
	return reach.New(entries)
}
