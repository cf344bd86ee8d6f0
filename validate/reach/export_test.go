package reach

import (
	"regexp"

	"github.com/margay-dev/margay/schema/template"
)

// First returns a function that finds the route that takes a path, without any
// index and by the regular expressions themselves.
func First(t *Table) func(path string) int {
	patterns := make([]*regexp.Regexp, len(t.entries))
	for i := range t.entries {
		if pattern, err := template.Pattern(t.entries[i].Template, template.Options{CaseSensitive: t.entries[i].CaseSensitive}); err == nil {
			patterns[i] = regexp.MustCompile(pattern)
		}
	}
	return func(path string) int {
		best := -1
		for i, p := range patterns {
			if p != nil && (best < 0 || t.entries[i].rank < t.entries[best].rank) && p.MatchString(path) {
				best = i
			}
		}
		return best
	}
}

// Reaching returns a path with which the route at position i is reached.
func Reaching(t *Table, i int) string {
	_, target, _ := t.shadowFor(&t.entries[i], "")
	return target
}

// Longest returns how many routes the longest list of an index holds.
func Longest(t *Table) int {
	longest := 0
	for _, x := range t.hosts {
		for _, n := range x.nodes {
			for _, head := range []int32{n.ends, n.rest} {
				length := 0
				x.list(head, func(int) bool { length++; return true })
				longest = max(longest, length)
			}
		}
	}
	return longest
}
