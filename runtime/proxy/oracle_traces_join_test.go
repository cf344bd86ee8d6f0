package proxy_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/margay-dev/margay/runtime/plan"
)

// aggregate asks all members and joins what they answer.
func (f *foreteller) aggregate(i int, step *traceStep, of *plan.Aggregate, path string, tell func(foretoldAnswer)) {
	answers := make([]foretoldAnswer, len(of.Members))
	left := len(of.Members)
	for n, member := range of.Members {
		at := slices.IndexFunc(f.plan.Routes, func(r plan.Route) bool { return r.ID == member.Route })
		r := &foretoldRequest{f: f, step: step, index: i, begun: f.now, route: &f.plan.Routes[at], path: path}
		r.tell = func(a foretoldAnswer) {
			answers[n] = a
			if left--; left == 0 {
				tell(f.join(of, answers))
			}
		}
		r.enter()
	}
}

// join is the answer of an aggregate: an error of a member, or an object with
// what all of them said.
func (f *foreteller) join(of *plan.Aggregate, answers []foretoldAnswer) foretoldAnswer {
	var b bytes.Buffer
	for i, a := range answers {
		if a.down || a.aborted {
			return foretoldAnswer{status: a.status, aborted: a.aborted}
		}
		value := a.body
		if !f.rules.AggregateText {
			value = foretoldMember(a)
		}
		fmt.Fprintf(&b, ",%s:%s", quoted(of.Members[i].Key), value)
	}
	return foretoldAnswer{status: 200, body: "{" + b.String()[1:] + "}"}
}

func foretoldMember(a foretoldAnswer) string {
	switch {
	case a.body == "":
		return "null"
	case json.Valid([]byte(a.body)):
		return a.body
	case a.status < 400:
		return quoted(a.body)
	}
	return fmt.Sprintf(`{"title":%s,"status":%d,"detail":%s}`, quoted(http.StatusText(a.status)), a.status, quoted(a.body))
}
