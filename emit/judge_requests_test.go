package emit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/route"
	"github.com/margay-dev/margay/schema/diag"
)

// at returns the route of the plan whose template stands at a place.
func (j *judge) at(d diag.Diagnostic) (int, string) {
	for i, r := range j.routes {
		if r.Static == nil {
			continue
		}
		for _, template := range []string{r.Static.UpstreamPathTemplate.V, r.Static.DownstreamPathTemplate.V} {
			origin := r.Static.UpstreamPathTemplate.Origin
			if template == r.Static.DownstreamPathTemplate.V && j.result.span(origin).Start != d.Span.Start {
				origin = r.Static.DownstreamPathTemplate.Origin
			}
			if span := j.result.span(origin); span.File == d.Span.File && span.Start <= d.Span.Start && d.Span.Start < span.End {
				return i, r.Static.UpstreamPathTemplate.V
			}
		}
	}
	return -1, ""
}

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// request makes a request for a template, with the same value for every
// placeholder or, where that is "", with values by chance.
func (j *judge) request(r *normalize.Route, value, query string) (*route.Request, error) {
	path, _, _ := strings.Cut(r.Static.UpstreamPathTemplate.V, "?")
	path = placeholder.ReplaceAllStringFunc(path, func(string) string {
		if value != "" {
			return value
		}
		return []string{"7", "a/b", "x.y", "me-too", "1/2/3"}[j.rand.IntN(5)]
	})
	target, err := route.ParseTarget(path + query)
	method := "GET"
	if verbs := slices.Collect(verbsOf(r)); len(verbs) > 0 {
		method = strings.ToUpper(verbs[j.rand.IntN(len(verbs))])
	}
	return &route.Request{Method: method, Host: r.Static.UpstreamHost.V, Target: target}, err
}

func verbsOf(r *normalize.Route) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, verb := range r.Static.UpstreamHttpMethod.All() {
			if !yield(verb.V) {
				return
			}
		}
	}
}

// neverTaken sends requests that the route is written for.
func (j *judge) neverTaken(d diag.Diagnostic) string {
	i, _ := j.at(d)
	if i < 0 {
		return "its route is not found"
	}
	for range 40 {
		req, err := j.request(j.routes[i], "", "")
		if err != nil {
			continue
		}
		if m, err := j.table.Match(req); err == nil && m.Index() == i {
			return req.Method + " reaches it"
		}
	}
	return ""
}

// takenByAnother sends the request that the message names.
func (j *judge) takenByAnother(d diag.Diagnostic) string {
	request, _, _ := strings.Cut(d.Message, ",")
	method, path, _ := strings.Cut(request, " ")
	target, err := route.ParseTarget(path)
	if err != nil {
		return err.Error()
	}
	m, err := j.table.Match(&route.Request{Method: method, Target: target})
	if err != nil {
		return err.Error()
	}
	taker := j.routes[m.Index()]
	if i, _ := j.at(d); m.Index() == i {
		return "the route takes it itself"
	}
	return objectIf(taker.Static.AuthenticationOptions != nil && len(taker.Static.AuthenticationOptions.AuthenticationProviderKey.V) > 0, "who takes it asks for authentication, too")
}

// dotsArrive sends two dots, encoded twice. margay's own runtime refuses what
// Ocelot passes on, and says why.
func (j *judge) dotsArrive(d diag.Diagnostic) string {
	i, _ := j.at(d)
	if i < 0 {
		return "its route is not found"
	}
	req, err := j.request(j.routes[i], "%252e%252e", "")
	if err != nil {
		return err.Error()
	}
	m, err := j.table.Match(req)
	if err != nil {
		return err.Error()
	}
	out, err := m.BackendTarget(req.Target)
	return objectIf(err == nil || !strings.Contains(err.Error(), "leaves its place"), fmt.Sprint("the backend is asked for ", out, err))
}

// queryChanges sends a query with a plus in it.
func (j *judge) queryChanges(d diag.Diagnostic) string {
	i, _ := j.at(d)
	if i < 0 {
		return "its route is not found"
	}
	const query = "?q=a+b&c"
	req, err := j.request(j.routes[i], "7", query)
	if err != nil {
		return err.Error()
	}
	m, err := j.table.Match(req)
	if err != nil || m.Index() != i {
		return "" // another route takes it: nothing to see
	}
	out, err := m.BackendTarget(req.Target)
	if err != nil {
		return err.Error()
	}
	return objectIf(strings.HasSuffix(out, query), "the backend is asked for "+out)
}
