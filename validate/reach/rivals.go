package reach

import (
	"slices"
	"strings"
)

// Rivals returns the positions of the routes that may take a request that the
// route at position i takes too, in ascending order, i left out. It may name
// too many, never too few; it looks along the segments of the template and
// compares with no other route.
func (t *Table) Rivals(i int) []int {
	t.rivals.once.Do(t.plant)
	e := &t.entries[i]
	var found []int
	t.rivals.root.meet(segmentsOf(e.Template), func(j int) {
		o := &t.entries[j]
		if j != i && (o.Host == e.Host || o.Host == "" || e.Host == "") && shareMethod(e, o) {
			found = append(found, j)
		}
	})
	slices.Sort(found)
	return slices.Compact(found)
}

func (t *Table) plant() {
	t.rivals.root = &branch{}
	for i := range t.entries {
		t.rivals.root.add(segmentsOf(t.entries[i].Template), i)
	}
}

func shareMethod(a, b *entry) bool {
	return len(a.Methods) == 0 || len(b.Methods) == 0 || slices.ContainsFunc(a.Methods, b.takes)
}

// stretch is a part of a template between slashes.
type stretch struct {
	text string
	// any is a segment with a placeholder; rest may take several.
	any, rest bool
}

// segmentsOf parts a template as far as segments tell something: what is behind
// a last placeholder, a dot, or a metacharacter is rest.
func segmentsOf(template string) []stretch {
	path, _, query := strings.Cut(template, "?")
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, metacharacters) || query {
		return []stretch{{rest: true}}
	}
	var list []stretch
	for rest, more := strings.TrimSuffix(path[1:], "/"), true; more; {
		var s string
		s, rest, more = strings.Cut(rest, "/")
		switch {
		case more && !strings.Contains(s, ".") && strings.Contains(s, "{") && isOneSegment(s):
			list = append(list, stretch{any: true})
		case strings.ContainsAny(s, "{}."):
			return append(list, stretch{rest: true})
		default:
			list = append(list, stretch{text: strings.ToLower(s)})
		}
	}
	return list
}

// branch is a place between segments.
type branch struct {
	texts map[string]*branch
	any   *branch
	// rest are the routes that go on in a way that segments do not tell, ends
	// those that stop here.
	rest, ends []int
}

func (b *branch) add(segments []stretch, i int) {
	for _, s := range segments {
		switch {
		case s.rest:
			b.rest = append(b.rest, i)
			return
		case s.any:
			if b.any == nil {
				b.any = &branch{}
			}
			b = b.any
		default:
			if b.texts == nil {
				b.texts = map[string]*branch{}
			}
			if b.texts[s.text] == nil {
				b.texts[s.text] = &branch{}
			}
			b = b.texts[s.text]
		}
	}
	b.ends = append(b.ends, i)
}

// meet calls f for the routes below b that fit the segments of another.
func (b *branch) meet(segments []stretch, f func(int)) {
	if b == nil {
		return
	}
	each(b.rest, f)
	if len(segments) == 0 {
		each(b.ends, f)
		return
	}
	s, after := segments[0], segments[1:]
	switch {
	case s.rest:
		b.all(f)
		return
	case s.any:
		for _, child := range b.texts {
			child.meet(after, f)
		}
	default:
		b.texts[s.text].meet(after, f)
	}
	b.any.meet(after, f)
}

// all calls f for every route below b but those of its own rest.
func (b *branch) all(f func(int)) {
	each(b.ends, f)
	for _, child := range b.texts {
		each(child.rest, f)
		child.all(f)
	}
	if b.any != nil {
		each(b.any.rest, f)
		b.any.all(f)
	}
}

func each(list []int, f func(int)) {
	for _, i := range list {
		f(i)
	}
}
