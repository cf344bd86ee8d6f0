// Package baseline keeps the findings that a team has decided to live with, so
// that a linter on an old gateway speaks of new ones only.
//
// It takes findings and splits them into those that a file knows and the rest,
// and writes that file. A finding is known by what it is about (its rule, the
// route and the option), never by its line or its words.
package baseline

import (
	"cmp"
	"maps"
	"slices"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
)

// Version is the version of the file. A reader refuses any other.
const Version = 1

// Rule is the rule of the findings about the file.
const Rule = "baseline"

// Entry is a number of findings about one subject.
type Entry struct {
	// Rule, Route and Option say what the findings are about, for people.
	Rule   string `json:"rule"`
	Route  string `json:"route,omitempty"`
	Option string `json:"option,omitempty"`
	// Fingerprint is that of report.Fingerprints without a number. It alone
	// decides.
	Fingerprint string `json:"fingerprint"`
	// Count is how many there are; 1 is left out of the file.
	Count int `json:"count,omitempty"`
}

// Baseline is what is known of some gateways, by their names. The zero value
// knows nothing.
type Baseline struct {
	gateways map[string]map[string]Entry
}

// Split is what a baseline makes of the findings of a gateway.
type Split struct {
	// Fresh are those that it does not know, Held those that it holds back,
	// both in the order in which they came.
	Fresh, Held []diag.Diagnostic
	// Gone are those that it knows and that are not there any more.
	Gone []Entry
}

// Split parts the findings of a gateway. Of several about one subject, the
// first ones are held, as many as are known. Findings for which lasting is
// true are fresh in any case.
func (b *Baseline) Split(gateway string, ds []diag.Diagnostic, lasting func(diag.Diagnostic) bool) Split {
	left := maps.Clone(b.gateways[gateway])
	var s Split
	for _, d := range ds {
		known, ok := left[report.Fingerprint(d)]
		if !ok || known.Count == 0 || lasting(d) {
			s.Fresh = append(s.Fresh, d)
			continue
		}
		s.Held = append(s.Held, d)
		known.Count--
		left[known.Fingerprint] = known
	}
	for _, e := range left {
		if e.Count > 0 {
			s.Gone = append(s.Gone, e)
		}
	}
	slices.SortFunc(s.Gone, compare)
	return s
}

// With returns a baseline that knows these findings of a gateway and no others
// of it; what it knows of other gateways stays. Texts go through mask before
// they are kept.
func (b *Baseline) With(gateway string, ds []diag.Diagnostic, mask func(string) string) *Baseline {
	known := map[string]Entry{}
	for _, d := range ds {
		print := report.Fingerprint(d)
		e, ok := known[print]
		if !ok {
			e = Entry{Rule: d.Rule, Route: mask(d.Subject.Route), Option: mask(d.Subject.Option), Fingerprint: print}
		}
		e.Count++
		known[print] = e
	}
	next := &Baseline{gateways: map[string]map[string]Entry{}}
	maps.Copy(next.gateways, b.gateways)
	delete(next.gateways, gateway)
	if len(known) > 0 {
		next.gateways[gateway] = known
	}
	return next
}

// Gateways returns the names of all gateways of which something is known.
func (b *Baseline) Gateways() []string { return slices.Sorted(maps.Keys(b.gateways)) }

// Len returns how many findings of a gateway are known.
func (b *Baseline) Len(gateway string) int {
	n := 0
	for _, e := range b.gateways[gateway] {
		n += e.Count
	}
	return n
}

// Total returns how many findings are known of all gateways.
func (b *Baseline) Total() int {
	n := 0
	for gateway := range b.gateways {
		n += b.Len(gateway)
	}
	return n
}

func compare(a, b Entry) int {
	return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Route, b.Route), cmp.Compare(a.Option, b.Option), cmp.Compare(a.Fingerprint, b.Fingerprint))
}
