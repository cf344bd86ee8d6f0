package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/runtime/route"
	"github.com/margay-dev/margay/schema/prose"
)

// shownCandidates bounds how many other routes the text names.
const shownCandidates = 10

func (m *matching) printText(w io.Writer) error {
	text := &lines{width: width(w)}
	text.paragraph("", m.headline())
	if m.gateway != nil && !m.gateway.Starts() {
		text.paragraph("", "Ocelot does not start with this; the answer is what its routes would do.")
	}
	if m.failure != nil {
		m.writeFailure(text)
	} else {
		m.writeMatch(text)
	}
	m.writeOthers(text)
	m.writeDropped(text)
	if m.failure == nil && m.match.Aggregate() == nil {
		text.paragraph("", "")
		text.paragraph("", "In words: "+strings.Join(m.sentences(m.match.Index()), " "))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func (m *matching) writeFailure(text *lines) {
	if m.failure == route.ErrNoRoute {
		text.paragraph("", fmt.Sprintf("no route takes %s %s: it is answered 404", m.request.Method, m.request.Target))
		return
	}
	text.paragraph("", fmt.Sprintf("%s, so every request that fits is answered %d", m.failure, failureStatus(m.failure)))
}

// writeMatch writes the route with its values and what its backend is asked, on
// one line if there is room.
func (m *matching) writeMatch(text *lines) {
	title, values := m.matched().title(), ""
	for name, value := range m.match.Values() {
		values += "  " + name + "=" + value
	}
	calls := m.calls()
	first, more := calls[0].words()
	whole := title + values + "  →  " + first
	if prose.Wide(whole) <= text.width && len(calls) == 1 && more == nil {
		text.paragraph("", whole)
		return
	}
	text.paragraph("  ", title)
	if values != "" {
		text.paragraph("    ", values)
	}
	for i := range calls {
		first, more := calls[i].words()
		text.paragraph("     ", "  →  "+first)
		for _, other := range more {
			text.paragraph("     ", "     "+other)
		}
	}
}

// title is what people call a route.
func (r *routeRefJSON) title() string {
	name := r.ID
	switch r.Kind {
	case "aggregate":
		name = "aggregate " + name
	case "dynamic":
		name = "service " + name
	case "unlisted":
		return "any unlisted service"
	}
	if r.Index == nil {
		return name
	}
	return fmt.Sprintf("#%d %s", *r.Index, name)
}

// words returns what a backend is asked, and the lines that follow.
func (c *call) words() (first string, more []string) {
	if c.Refused != "" {
		return fmt.Sprintf("not sent: %s; answered %d", c.Refused, c.Status), nil
	}
	if len(c.URLs) == 0 {
		return c.Method + " nowhere: the route has no host", nil
	}
	first = c.Method + " " + c.URLs[0]
	for _, url := range c.URLs[1:] {
		more = append(more, "or "+url)
	}
	if len(more) > 0 && c.LoadBalancer != "" {
		more[len(more)-1] += " (" + c.LoadBalancer + ")"
	} else if len(more) > 0 {
		more = []string{"its other hosts are never asked: the route has no load balancer"}
	}
	if c.Service != "" {
		more = append(more, "discovery finds the hosts of "+c.Service)
	}
	return first, more
}

func (m *matching) writeOthers(text *lines) {
	others := m.record().Others
	for i := range others[:min(shownCandidates, len(others))] {
		text.paragraph("  ", others[i].words())
	}
	if n := len(others) - shownCandidates; n > 0 {
		text.paragraph("  ", fmt.Sprintf("and %d more (--format json lists them)", n))
	}
}

// words says why a route whose path fits does not take the request.
func (c *candidateJSON) words() string {
	switch route.Verdict(c.Verdict) {
	case route.Beaten:
		return fmt.Sprintf("also matching, but later: %s (Priority %d)", c.title(), c.Priority)
	case route.WrongMethod:
		return "not for this method: " + c.title()
	case route.WrongHost:
		return "not for this host: " + c.title()
	}
	return fmt.Sprintf("not without the header %s that it demands: %s", c.Header, c.title())
}

// lines is a text for a terminal of some width.
type lines struct {
	strings.Builder
	width int
}

// paragraph adds a text; the lines behind its first one are indented.
func (l *lines) paragraph(indent, text string) {
	emit.Paragraph(&l.Builder, indent, printable(text), l.width)
}
