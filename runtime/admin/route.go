package admin

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// detail is one route with where its values come from.
type detail struct {
	ID string `json:"id"`
	At string `json:"at,omitempty"`
	// Words say what the route gets.
	Words []string `json:"words"`
	// Values are those whose place is known, in the order of the plan.
	Values []value `json:"values"`
	// Route is the route of the plan.
	Route *plan.Route `json:"route"`
}

type value struct {
	Field string          `json:"field"`
	Value json.RawMessage `json:"value"` // null where it is not set
	At    string          `json:"at"`
}

func (a *admin) route(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	p := a.Proxy.Plan()
	for i := range p.Routes {
		route := &p.Routes[i]
		if route.ID != id && (route.Match.Kind != plan.Unlisted || !telemetry.IsServiceRoute(id)) {
			continue
		}
		masked := a.masked(route)
		words := []string{}
		for _, sentence := range a.Words(route) {
			words = append(words, a.Mask(sentence))
		}
		known := values(&masked)
		masked.Origins = nil // they stand beside the values
		respond(w, detail{ID: id, At: route.At, Words: words, Values: known, Route: &masked})
		return
	}
	plain(w, http.StatusNotFound, "there is no route of this name")
}

// values finds the values that the origins of a route are about.
func values(r *plan.Route) []value {
	text, err := json.Marshal(r)
	if err != nil {
		return nil
	}
	all := []value{}
	for _, o := range r.Origins {
		all = append(all, value{Field: o.Field, Value: member(text, strings.Split(o.Field, ".")), At: o.At})
	}
	return all
}

// member returns the member of an object at a path; null if it has none.
func member(text json.RawMessage, path []string) json.RawMessage {
	for _, name := range path {
		var object map[string]json.RawMessage
		if json.Unmarshal(text, &object) != nil || object[name] == nil {
			return json.RawMessage("null")
		}
		text = object[name]
	}
	return text
}

// plan shows the plan in force.
func (a *admin) plan(w http.ResponseWriter, _ *http.Request) {
	shown := *a.Proxy.Plan()
	shown.Routes = slices.Clone(shown.Routes)
	for i := range shown.Routes {
		shown.Routes[i] = a.masked(&shown.Routes[i])
	}
	shown.Aggregates = slices.Clone(shown.Aggregates)
	for i := range shown.Aggregates {
		match := &shown.Aggregates[i].Match
		match.Headers = a.maskedMatches(match.Headers)
	}
	respond(w, &shown)
}

// hidden stands where a secret would.
const hidden = "***"

// masked returns a route without secrets: values of headers that carry one, or
// by which the route is chosen, and the names by which clients are exempt from a
// limit.
func (a *admin) masked(r *plan.Route) plan.Route {
	out := *r
	out.RequestHeaders, out.ResponseHeaders = a.maskedHeaders(r.RequestHeaders), a.maskedHeaders(r.ResponseHeaders)
	out.Match.Headers = a.maskedMatches(r.Match.Headers)
	if r.RateLimit != nil && len(r.RateLimit.ExemptClients) > 0 {
		limit := *r.RateLimit
		limit.ExemptClients = slices.Repeat([]string{hidden}, len(limit.ExemptClients))
		out.RateLimit = &limit
	}
	return out
}

func (a *admin) maskedHeaders(list []plan.HeaderTransform) []plan.HeaderTransform {
	out := slices.Clone(list)
	for i := range out {
		out[i].Value = a.Mask(out[i].Value)
		if secretHeader(out[i].Name) && !placeholder(out[i].Value) {
			out[i].Value = hidden
		}
	}
	return out
}

func (a *admin) maskedMatches(list []plan.HeaderMatch) []plan.HeaderMatch {
	out := slices.Clone(list)
	for i := range out {
		out[i].Template = a.Mask(out[i].Template)
		if secretHeader(out[i].Name) && !placeholder(out[i].Template) {
			out[i].Template = hidden
		}
	}
	return out
}

// secretHeader says whether a header of such a name carries a secret as a rule.
func secretHeader(name string) bool {
	name = strings.ToLower(name)
	for _, part := range []string{"auth", "cookie", "token", "secret", "key", "password", "credential", "signature"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// placeholder says whether a value is one placeholder, such as {TraceId}.
func placeholder(text string) bool {
	return strings.HasPrefix(text, "{") && strings.IndexByte(text, '}') == len(text)-1
}
