package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/margay-dev/margay/runtime/route"
)

// matchJSON is what margay match prints for programs. Within a version members
// are added, never changed.
type matchJSON struct {
	Version int         `json:"version"`
	Request requestJSON `json:"request"`
	// Match is null where no route takes the request.
	Match *matchedJSON `json:"match"`
	// Failure says why, with the status that is answered.
	Failure *failureJSON `json:"failure,omitempty"`
	// Others are the other static routes and aggregates whose path fits, in
	// order of precedence.
	Others []candidateJSON `json:"others"`
	// Dropped are the routes that were written for the request and that Ocelot
	// drops.
	Dropped []droppedRouteJSON `json:"dropped,omitempty"`
}

// requestJSON is the request as routing sees it: the target without dot
// segments, percent-encoded.
type requestJSON struct {
	Method string `json:"method"`
	Host   string `json:"host"`
	Target string `json:"target"`
}

type droppedRouteJSON struct {
	Path     string `json:"path"`
	Template string `json:"template"`
	At       string `json:"at"`
	Text     string `json:"text"`
}

type failureJSON struct {
	Reason string `json:"reason"`
	Status int    `json:"status"`
}

// routeRefJSON names a route or an aggregate. Index is its place in the
// configuration; null for unlisted services, and where a plan was read.
type routeRefJSON struct {
	Kind  string `json:"kind"`
	Index *int   `json:"index"`
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"`
	At    string `json:"at,omitempty"`
}

type matchedJSON struct {
	routeRefJSON
	// Values are the placeholders, in the order of the template.
	Values []valueJSON `json:"values"`
	// Calls are what backends are asked: one, or one for each member of an
	// aggregate.
	Calls []call `json:"calls"`
	// Sentences say what the route gets; none for an aggregate.
	Sentences []string `json:"sentences"`
}

type valueJSON struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// candidateJSON is a route whose path fits. Verdict is "beaten", "wrong
// method", "wrong host" or "wrong header", with the header's name.
type candidateJSON struct {
	routeRefJSON
	Priority int    `json:"priority"`
	Verdict  string `json:"verdict"`
	Header   string `json:"header,omitempty"`
}

func (m *matching) printJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m.record()); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

func (m *matching) record() *matchJSON {
	out := &matchJSON{
		Version: 1,
		Request: requestJSON{Method: m.request.Method, Host: m.request.Host, Target: m.request.Target.String()},
		Others:  []candidateJSON{},
	}
	if m.failure != nil {
		out.Failure = &failureJSON{Reason: m.failure.Error(), Status: failureStatus(m.failure)}
	} else {
		out.Match = m.matched()
	}
	for i := range m.candidates {
		if c := &m.candidates[i]; m.failure != nil || c.Verdict != route.Taken {
			out.Others = append(out.Others, m.candidate(c))
		}
	}
	for _, lost := range m.dropped() {
		out.Dropped = append(out.Dropped, droppedRouteJSON{lost.Path, m.gateway.Mask(lost.Match.Path), lost.At, lost.Words})
	}
	return out
}

func failureStatus(err error) int {
	if err == route.ErrNoRoute {
		return 404
	}
	return 500
}

func (m *matching) matched() *matchedJSON {
	out := &matchedJSON{Values: []valueJSON{}, Calls: m.calls(), Sentences: []string{}}
	if m.match.Aggregate() != nil {
		out.routeRefJSON = m.aggregateRef(m.match.Index())
	} else {
		out.routeRefJSON = m.routeRef(m.match.Index())
		out.Sentences = m.sentences(m.match.Index())
	}
	for name, value := range m.match.Values() {
		out.Values = append(out.Values, valueJSON{name, value})
	}
	return out
}

func (m *matching) routeRef(index int) routeRefJSON {
	r := &m.plan.Routes[index]
	return routeRefJSON{Kind: string(r.Match.Kind), Index: known(m.routeNumber(index)), ID: r.ID, Name: r.Name, At: r.At}
}

func (m *matching) aggregateRef(index int) routeRefJSON {
	a := &m.plan.Aggregates[index]
	return routeRefJSON{Kind: "aggregate", Index: known(m.aggregateNumber(index)), ID: a.ID, Name: a.Name, At: a.At}
}

// known returns nil for a number that is none.
func known(number int) *int {
	if number < 0 {
		return nil
	}
	return &number
}

func (m *matching) candidate(c *route.Candidate) candidateJSON {
	out := candidateJSON{Verdict: string(c.Verdict), Header: c.Header}
	if c.Aggregate != nil {
		for i := range m.plan.Aggregates {
			if &m.plan.Aggregates[i] == c.Aggregate {
				out.routeRefJSON, out.Priority = m.aggregateRef(i), c.Aggregate.Match.Priority
			}
		}
		return out
	}
	for i := range m.plan.Routes {
		if &m.plan.Routes[i] == c.Route {
			out.routeRefJSON, out.Priority = m.routeRef(i), c.Route.Match.Priority
		}
	}
	return out
}
