package route

import (
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// Verdict says what became of a route for one request.
type Verdict string

// The verdicts on routes whose path fits the request.
const (
	Taken       Verdict = "taken"
	Beaten      Verdict = "beaten"       // another route comes first
	WrongMethod Verdict = "wrong method" // the route has methods, not this one
	WrongHost   Verdict = "wrong host"   // the route has a host, not this one
	WrongHeader Verdict = "wrong header" // a header is missing or does not fit
)

// Candidate is a route or an aggregate whose path fits a request.
type Candidate struct {
	// Route or Aggregate is set.
	Route     *plan.Route
	Aggregate *plan.Aggregate
	Verdict   Verdict
	// Header is the name of the first header that does not fit.
	Header string
}

// Explain returns every static route and aggregate whose path fits the
// request, the one that takes it first, the others in order of precedence. It
// compares with each of them and is meant for people, not for every request.
func (t *Table) Explain(r *Request) []Candidate {
	var out []Candidate
	taken := -1
	for rank := range t.entries {
		e := &t.entries[rank]
		if !e.template.fits(e.textOf(r.Target)) {
			continue
		}
		c := t.candidate(e, r)
		if c.Verdict == Beaten && (taken < 0 || e.match.Host != "" && out[taken].match().Host == "") {
			taken = len(out)
		}
		out = append(out, c)
	}
	if taken < 0 {
		return out
	}
	first := out[taken]
	first.Verdict = Taken
	copy(out[1:taken+1], out[:taken])
	out[0] = first
	return out
}

func (c *Candidate) match() *plan.Match {
	if c.Route != nil {
		return &c.Route.Match
	}
	return &c.Aggregate.Match
}

// candidate judges a route whose path fits, Beaten standing for one that fits
// in everything.
func (t *Table) candidate(e *entry, r *Request) Candidate {
	c := Candidate{Verdict: Beaten}
	if e.aggregate {
		c.Aggregate = &t.plan.Aggregates[e.index]
	} else {
		c.Route = &t.plan.Routes[e.index]
	}
	host, _, _ := strings.Cut(r.Host, ":")
	if e.match.Host != "" && e.match.Host != host {
		c.Verdict = WrongHost
		return c
	}
	if !e.admitsMethod(r.Method) {
		c.Verdict = WrongMethod
		return c
	}
	for i := range e.headers {
		if !e.headers[i].fits(r) {
			c.Verdict, c.Header = WrongHeader, e.headers[i].name
			return c
		}
	}
	return c
}

// textOf returns the text that the template of e is compared with.
func (e *entry) textOf(in Target) string {
	if e.template.whole {
		return in.text
	}
	return in.Path()
}
