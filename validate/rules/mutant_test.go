package rules_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate/validatetest"
)

// mutant is a generated gateway while a defect is planted in it.
type mutant struct {
	plant
	rand   *rand.Rand
	seed   uint64
	routes int
	clean  validatetest.Parts

	// head stands in front of the text; text is the file with the routes, called
	// main; others are the other files.
	head, text, main string
	others           validatetest.Parts
	// planted are the places of the defect in text or, in another file, the
	// whole of it.
	planted   []stretch
	elsewhere map[string]bool
}

// stretch is a part of the text, by offsets.
type stretch struct{ from, to int }

// open takes in a generated gateway. Loaded from several files, the global
// section is in a file of its own.
func (m *mutant) open(text []byte) {
	m.text, m.main, m.others, m.elsewhere = string(text), "ocelot.json", validatetest.Parts{}, map[string]bool{}
	if m.profile != "" {
		m.head = "// profile: " + m.profile + "\n"
	}
	if m.way == "" {
		return
	}
	brace := strings.Index(m.text, "{\n")
	global := strings.Index(m.text, "  \"GlobalConfiguration\"")
	routes := strings.TrimRight(m.text[brace+2:global], ", \n")
	m.others["ocelot.global.json"] = "{\n" + m.text[global:]
	if m.way != "merge" {
		m.others["ocelot.z.json"] = "{}"
	}
	m.text, m.main = "{\n// load: "+m.way+"\n"+routes+"\n}\n", "ocelot.a.json"
}

func (m *mutant) parts() validatetest.Parts {
	parts := validatetest.Parts{m.main: m.head + m.text}
	for name, text := range m.others {
		parts[name] = text
	}
	return parts
}

// any, grouped and single choose a route: any one, one of the group that lives
// on the global section, or one with QoSOptions of its own.
func (m *mutant) any() int     { return m.rand.IntN(m.routes) }
func (m *mutant) grouped() int { return m.rand.IntN((m.routes+7)/8) * 8 }

func (m *mutant) single() int {
	for {
		if i := m.any(); i%8 != 0 {
			return i
		}
	}
}

// two chooses two routes, the first one first.
func (m *mutant) two() (int, int) {
	for {
		if i, j := m.single(), m.single(); i < j {
			return i, j
		}
	}
}

func (m *mutant) pick(from ...string) string { return from[m.rand.IntN(len(from))] }

// block returns the members of a route.
func (m *mutant) block(i int) stretch {
	from := strings.Index(m.text, fmt.Sprintf("    {\n      \"Key\": \"route-%06d\"", i)) + len("    {\n")
	return stretch{from, from + strings.Index(m.text[from:], "\n    },\n") + 1}
}

// plantAt puts text at an offset and remembers where.
func (m *mutant) plantAt(at, cut int, text string) {
	for n := range m.planted {
		if p := &m.planted[n]; p.from >= at {
			p.from, p.to = p.from+len(text)-cut, p.to+len(text)-cut
		}
	}
	m.text = m.text[:at] + text + m.text[at+cut:]
	m.planted = append(m.planted, stretch{at, at + len(text)})
}

// first and last add a member to a route, before or behind all others.
func (m *mutant) first(i int, member string) { m.line(m.block(i).from, "      ", member) }
func (m *mutant) last(i int, member string)  { m.line(m.block(i).to, "      ", member) }

func (m *mutant) line(at int, indent, member string) {
	m.text = m.text[:at] + indent + ",\n" + m.text[at:]
	for n := range m.planted {
		if p := &m.planted[n]; p.from >= at {
			p.from, p.to = p.from+len(indent)+2, p.to+len(indent)+2
		}
	}
	m.plantAt(at+len(indent), 0, member)
}

// global and root add a member to the global section or to the root.
func (m *mutant) global(member string) {
	m.line(strings.Index(m.text, "\"GlobalConfiguration\": {\n")+len("\"GlobalConfiguration\": {\n"), "    ", member)
}

func (m *mutant) root(member string) { m.line(strings.Index(m.text, "{\n")+2, "  ", member) }

var remark = regexp.MustCompile(` //.*$`)

// value returns where the value of a route's member stands, which is on one
// line; members of QoSOptions are indented further.
func (m *mutant) value(i int, indent, name string) stretch {
	b := m.block(i)
	prefix := "\n" + indent + "\"" + name + "\": "
	from := strings.Index("\n"+m.text[b.from:b.to], prefix)
	if from < 0 {
		return stretch{}
	}
	from += b.from + len(prefix) - 1
	line, _, _ := strings.Cut(m.text[from:], "\n")
	line = strings.TrimSuffix(strings.TrimRight(remark.ReplaceAllString(line, ""), " "), ",")
	return stretch{from, from + len(line)}
}

func (m *mutant) read(i int, name string) string {
	at := m.value(i, "      ", name)
	return m.text[at.from:at.to]
}

// set replaces the value of a route's member.
func (m *mutant) set(i int, name, value string) {
	at := m.value(i, "      ", name)
	if at.to == 0 {
		m.last(i, "\""+name+"\": "+value)
		return
	}
	m.plantAt(at.from, at.to-at.from, value)
}

// quietly makes a change that is not the defect itself.
func (m *mutant) quietly(change func()) {
	kept := len(m.planted)
	change()
	m.planted = m.planted[:kept]
}

// drop removes a member of a route and marks the route as the place.
func (m *mutant) drop(i int, name string) {
	at := m.value(i, "      ", name)
	start := strings.LastIndexByte(m.text[:at.from], '\n') + 1
	end := at.to + strings.IndexByte(m.text[at.to:], '\n') + 1
	if name == "QoSOptions" {
		end = start + strings.Index(m.text[start:], "\n      },\n") + len("\n      },\n")
	}
	b := m.block(i)
	m.text = m.text[:start] + m.text[end:]
	m.planted = append(m.planted, stretch{b.from, b.to - (end - start)})
}

// qos replaces QoSOptions of a route.
func (m *mutant) qos(i int, section string) {
	if m.value(i, "      ", "QoSOptions").to > 0 {
		m.quietly(func() { m.drop(i, "QoSOptions") })
	}
	m.last(i, "\"QoSOptions\": "+section)
}

// resilience adds margay's own options to a route.
func (m *mutant) resilience(i int, section string) { m.last(i, "\"ResilienceOptions\": "+section) }

// template gives a route other templates of its own.
func (m *mutant) template(i int, up, down string) {
	m.set(i, "UpstreamPathTemplate", "\""+up+"\"")
	m.set(i, "DownstreamPathTemplate", "\""+down+"\"")
}

// path is what the upstream template of a route begins with, before {id}.
func (m *mutant) path(i int) string {
	return strings.TrimSuffix(strings.Trim(m.read(i, "UpstreamPathTemplate"), "\""), "/{id}")
}

// file adds a file that is the defect as a whole.
func (m *mutant) file(name, text string) {
	m.others[name] = text
	m.elsewhere[name] = true
}

// where describes the planted places.
func (m *mutant) where() string {
	var all []string
	for _, p := range m.planted {
		all = append(all, m.text[p.from:p.to])
	}
	for name := range m.elsewhere {
		all = append(all, name)
	}
	return fmt.Sprintf("%q", all)
}

// isHere says whether a finding stands where the defect was planted.
func (m *mutant) isHere(d diag.Diagnostic) bool {
	if m.touches(d.Span) {
		return true
	}
	for _, r := range d.Related {
		if m.beside && r.Span.File != nil && r.Span.File.Name == m.main && m.holds(r.Span) {
			return true
		}
	}
	return m.beside && d.Span.File == nil
}

// holds says whether a planted place lies within a span.
func (m *mutant) holds(s source.Span) bool {
	for _, p := range m.planted {
		if s.Start <= p.from+len(m.head) && s.End >= p.from+len(m.head) {
			return true
		}
	}
	return false
}

func (m *mutant) touches(s source.Span) bool {
	if s.File == nil || m.elsewhere[s.File.Name] {
		return s.File != nil
	}
	for _, p := range m.planted {
		if from := p.from + len(m.head); s.File.Name == m.main && s.Start >= from && s.Start <= p.to+len(m.head) && s.End <= p.to+len(m.head)+2 {
			return true
		}
	}
	return false
}
