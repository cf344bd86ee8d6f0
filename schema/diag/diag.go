// Package diag holds what margay has to say about a configuration: findings
// with the exact text that is wrong, other places that matter, and safe edits.
//
// It defines what a finding is and in which order findings come; it neither
// finds anything nor prints anything.
package diag

import (
	"cmp"
	"slices"

	"github.com/margay-dev/margay/schema/source"
)

// Severity says how bad a finding is. The zero value is invalid on purpose.
type Severity uint8

// Severities, mildest first, so that they compare.
const (
	// Info is worth knowing and asks for nothing.
	Info Severity = iota + 1
	// Warning is a value that is replaced, ignored or dangerous.
	Warning
	// Error means that Ocelot does not start, drops the route, or does the
	// opposite of what is written.
	Error
)

// String returns "info", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return "invalid"
}

// ParseSeverity returns the severity with the given name; ok is false for any
// other text.
func ParseSeverity(name string) (s Severity, ok bool) {
	for s := Info; s <= Error; s++ {
		if s.String() == name {
			return s, true
		}
	}
	return 0, false
}

// Diagnostic is one finding.
type Diagnostic struct {
	// Rule is the stable kebab-case ID of the rule that found it.
	Rule string
	// Severity is how bad it is; never zero in a finished finding.
	Severity Severity
	// Message is one line in plain words: the fact, then what was expected.
	// It quotes the user's text and has no full stop.
	Message string
	// Span is the smallest text that is wrong. It may be zero when a finding
	// is about something that is missing altogether.
	Span source.Span
	// Effect says what Ocelot does instead; may be empty.
	Effect string
	// Ocelot is the text that Ocelot itself would write to its log for this,
	// so that people find it by searching their log line; may be empty.
	Ocelot string
	// Related are other places that matter, such as the first of two
	// duplicates.
	Related []Related
	// Help is an instruction: what to write instead; may be empty.
	Help string
	// Fix is a safe edit; nil if there is none.
	Fix *Fix
	// Subject names what the finding is about, independent of its place:
	// a route's identity and an option, for baselines and for grouping.
	Subject Subject
	// Cause groups findings that one mistake brought about: findings with
	// the same Rule and Cause print as one block with a count. Empty: each
	// stands alone.
	Cause string
}

// Subject is the identity of what a finding is about. It survives moved lines
// and reordered routes.
type Subject struct {
	// Route is the route's methods, template and host, or its Key; empty for
	// a finding about no route.
	Route string
	// Option is the path below the route or the global section, such as
	// "QoSOptions.Timeout"; may be empty.
	Option string
}

// Related is another place that a finding points to.
type Related struct {
	Span    source.Span
	Message string
}

// Fix is an edit that removes a finding's cause without changing what Ocelot
// resolves, except where Title says so.
type Fix struct {
	// Title says in the imperative what the edit does.
	Title string
	// Edits do not overlap.
	Edits []Edit
	// Unsafe marks an edit that changes what Ocelot computes: it is offered
	// and never applied on its own.
	Unsafe bool
}

// Edit replaces the text of Span by NewText; an empty span inserts.
type Edit struct {
	Span    source.Span
	NewText string
}

// Compare orders findings by file name, place, severity (worst first), rule
// and message, so that output is the same from run to run. Findings without a
// place come first.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(fileName(a), fileName(b)),
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Span.End, b.Span.End),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
	)
}

func fileName(d Diagnostic) string {
	if d.Span.File == nil {
		return ""
	}
	return d.Span.File.Name
}

// List collects findings. The zero value is empty and ready. A List is not an
// error: warnings are not failures.
type List struct{ all []Diagnostic }

// Add appends findings.
func (l *List) Add(ds ...Diagnostic) { l.all = append(l.all, ds...) }

// Append takes over the findings of other.
func (l *List) Append(other *List) {
	if other != nil {
		l.all = append(l.all, other.all...)
	}
}

// Change calls f for each finding, to fill in what it lacks.
func (l *List) Change(f func(*Diagnostic)) {
	for i := range l.all {
		f(&l.all[i])
	}
}

// Grow makes room for n more findings.
func (l *List) Grow(n int) { l.all = slices.Grow(l.all, n) }

// Len returns how many findings there are; a nil List has none.
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return len(l.all)
}

// Sorted returns the findings in the order of Compare, each once: two
// findings with the same rule, place and message are one.
func (l *List) Sorted() []Diagnostic {
	slices.SortStableFunc(l.all, Compare)
	return slices.CompactFunc(slices.Clone(l.all), func(a, b Diagnostic) bool {
		return a.Rule == b.Rule && a.Span == b.Span && a.Message == b.Message
	})
}

// Count returns how many findings are at least as severe as least.
func Count(ds []Diagnostic, least Severity) int {
	n := 0
	for i := range ds {
		if ds[i].Severity >= least {
			n++
		}
	}
	return n
}
