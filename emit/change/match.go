package change

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// pair is a route of both sides, by position in their entries; -1 where one of
// them has it not.
type pair struct{ old, new int }

// match pairs the routes of both sides: by ID, and what is left by marks that
// exactly one route of each side has. Two routes that are only alike stay apart:
// it is better to report one as removed and one as added than to mix up two.
func (c *comparison) match() {
	m := &matching{old: c.old, new: c.new, partner: make([]int, len(c.old.entries)), taken: make([]bool, len(c.new.entries))}
	for i := range c.old.entries {
		m.partner[i] = -1
		if j, ok := c.new.byID[c.old.entries[i].id]; ok && !m.taken[j] {
			m.join(i, j)
		}
	}
	for _, mark := range []func(*entry) string{byPath, byShape, byKey, byBackend} {
		m.unique(mark)
	}
	c.partner = m.partner
	for j := range c.new.entries {
		if !m.taken[j] {
			c.pairs = append(c.pairs, pair{-1, j})
		}
	}
	for i, j := range m.partner {
		c.pairs = append(c.pairs, pair{i, j})
	}
	slices.SortStableFunc(c.pairs, func(a, b pair) int { return c.place(a) - c.place(b) })
}

// place is where a pair stands in the report: by the new side, and what is gone
// behind what was before it.
func (c *comparison) place(p pair) int {
	if p.new >= 0 {
		return 2 * p.new
	}
	for i := p.old; i >= 0; i-- {
		if c.partner[i] >= 0 {
			return 2*c.partner[i] + 1
		}
	}
	return -1
}

type matching struct {
	old, new *Side
	partner  []int
	taken    []bool
}

func (m *matching) join(i, j int) { m.partner[i], m.taken[j] = j, true }

// unique joins the routes that are left and have a mark that no other one left
// on their side has. "" is no mark.
func (m *matching) unique(mark func(*entry) string) {
	const several = -2
	marks := map[string]int{}
	collect := func(at map[string]int, text string, i int) {
		if _, seen := at[text]; seen {
			i = several
		}
		at[text] = i
	}
	for j := range m.new.entries {
		if text := mark(&m.new.entries[j]); !m.taken[j] && text != "" {
			collect(marks, text, j)
		}
	}
	if len(marks) == 0 {
		return
	}
	own := map[string]int{}
	for i := range m.old.entries {
		if text := mark(&m.old.entries[i]); m.partner[i] < 0 && text != "" {
			collect(own, text, i)
		}
	}
	for text, i := range own {
		if j, ok := marks[text]; ok && i >= 0 && j >= 0 && (m.old.entries[i].route == nil) == (m.new.entries[j].route == nil) {
			m.join(i, j)
		}
	}
}

// byPath is what a route matches, but for its methods.
func byPath(e *entry) string {
	if e.match.Path == "" {
		return ""
	}
	return e.match.Host + "\x00" + e.match.Path + "\x00" + headerText(e)
}

// byShape is what a route matches, but for the names of placeholders and the
// case of letters.
func byShape(e *entry) string {
	if e.match.Path == "" {
		return ""
	}
	var b strings.Builder
	inside := false
	for _, r := range e.match.Path {
		switch {
		case r == '{':
			inside = true
			b.WriteByte('{')
		case r == '}':
			inside = false
		case !inside:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return e.match.Host + "\x00" + strings.Join(e.match.Methods, ",") + "\x00" + b.String() + "\x00" + headerText(e)
}

func headerText(e *entry) string {
	var b strings.Builder
	for _, h := range e.match.Headers {
		b.WriteString(h.Name + ":" + h.Template + "\x00")
	}
	return b.String()
}

func byKey(e *entry) string {
	if e.route == nil {
		return ""
	}
	return e.route.Key
}

// byBackend is where the requests of a route go: its methods, hosts or service,
// and the template of the path that is asked for there.
func byBackend(e *entry) string {
	if e.route == nil || len(e.route.Backend.Hosts) == 0 && e.route.Backend.Service == "" {
		return ""
	}
	b := e.route.Backend
	parts := []string{strings.Join(e.match.Methods, ","), e.match.Host, b.Scheme, b.Service, b.Namespace, b.Path}
	for _, h := range b.Hosts {
		parts = append(parts, h.Name+":"+strconv.Itoa(h.Port))
	}
	return strings.Join(parts, "\x00")
}
