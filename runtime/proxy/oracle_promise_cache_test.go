package proxy_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// kept are the answers that margay keeps, by what was asked. Those of one
// question vary with the same headers.
type kept map[string][]keptAnswer

type keptAnswer struct {
	answer recordedAnswer
	end    time.Time
	varies []string // names of headers of the request, in lower case
	values []string
}

// question is what Ocelot keeps the answer to a step under: the method that the
// backend is asked with, the URL, a header and, where it is told so, the body.
func (p *promise) question(step *routingStep, r *configuredRoute) string {
	q := step.Request
	fields := q.fields()
	text := cmp.Or(r.DownstreamHttpMethod, q.method()) + " " + header(fields, "host") + q.target() + " "
	for _, f := range fields {
		if strings.EqualFold(f[0], cmp.Or(r.CacheOptions.Header, "OC-Cache-Control")) {
			text += f[1]
		}
	}
	if r.CacheOptions.EnableContentHashing && q.Body != nil {
		text += " " + *q.Body
	}
	return text
}

// ownQuestion is what margay keeps it under: each route has its own answers.
func (p *promise) ownQuestion(r *configuredRoute) string {
	return fmt.Sprint(p.step.Expect.MatchedRoute, " ", r.UpstreamPathTemplate, " ") + p.question(p.step, r)
}

// ownKept promises what margay keeps, and no other answer of the past, where the
// difference is the one with this name.
func ownKept(name string) func(p *promise) bool {
	return func(p *promise) bool {
		if p.cached == nil {
			p.cached = new(p.answerKept())
		}
		return *p.cached == name
	}
}

// answerKept promises what margay keeps, and returns the difference from what
// Ocelot kept; empty if there is none.
func (p *promise) answerKept() string {
	r := p.route()
	if r == nil || r.CacheOptions.TtlSeconds <= 0 || len(p.contacts) > 1 {
		return ""
	}
	if len(p.contacts) == 1 {
		p.keep(r)
		return ""
	}
	why, isHit := p.hit(r)
	if !isHit {
		return ""
	}
	if answer, ok := p.find(r); ok {
		isOther := answer.Body != nil && p.answer.Body != nil && *answer.Body != *p.answer.Body
		switch cookie := header(p.answer.Headers, "set-cookie"); {
		case isOther && why != "":
			p.answer = answer
			return why
		case cookie != "":
			p.answer.Headers = without(p.answer.Headers, "set-cookie")
			return "cached-cookie"
		}
		return ""
	}
	if why == "" || !p.passOn() {
		return ""
	}
	p.keep(r)
	return why
}

// find returns the answer that margay keeps for the step.
func (p *promise) find(r *configuredRoute) (recordedAnswer, bool) {
	for _, k := range p.past.kept[p.ownQuestion(r)] {
		if time.Now().Before(k.end) && slices.Equal(k.values, p.valuesOf(k.varies)) {
			return k.answer, true
		}
	}
	return recordedAnswer{}, false
}

// valuesOf returns the values of headers of the request.
func (p *promise) valuesOf(names []string) (values []string) {
	for _, name := range names {
		values = append(values, header(p.step.Request.fields(), name))
	}
	return values
}

// keep notes the answer of a backend where margay keeps it.
func (p *promise) keep(r *configuredRoute) {
	if p.unkept(p.step, r) != "" || len(p.step.Expect.ErrorCodes) > 0 && p.answer.Status >= 400 || p.step.Expect.Unhandled != "" {
		return
	}
	varies := slices.Sorted(slices.Values(listed(p.step.Upstream.Headers, "vary")))
	if slices.Contains(varies, "*") {
		return
	}
	k := keptAnswer{answer: p.answer, end: time.Now().Add(time.Duration(r.CacheOptions.TtlSeconds) * time.Second),
		varies: varies, values: p.valuesOf(varies)}
	k.answer.Reason = http.StatusText(p.answer.Status)
	k.answer.Headers = without(p.answer.Headers, "set-cookie")
	question := p.ownQuestion(r)
	isReplaced := func(old keptAnswer) bool {
		return !slices.Equal(old.varies, varies) || slices.Equal(old.values, k.values)
	}
	p.past.kept[question] = append(slices.DeleteFunc(p.past.kept[question], isReplaced), k)
}

// unkept returns the difference for which margay does not keep the answer to a
// step; empty if it keeps it.
func (p *promise) unkept(step *routingStep, r *configuredRoute) string {
	said := listed(step.Upstream.Headers, "cache-control")
	fields := step.Request.fields()
	isShared := func(s string) bool {
		seconds, ok := strings.CutPrefix(s, "s-maxage=")
		return s == "public" || ok && strings.Trim(seconds, `"0`) != ""
	}
	usesClaims := len(r.AddQueriesToRequest)+len(r.ChangeDownstreamPathTemplate)+len(r.AddHeadersToRequest) > 0
	switch {
	case slices.Contains(said, "private"):
		return "cached-private"
	case slices.ContainsFunc([]string{"range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range"},
		func(name string) bool { return header(fields, name) != "" }):
		return "cached-part"
	case usesClaims:
		return "cached-open"
	case r.AuthenticationOptions.known() || header(fields, "authorization")+header(fields, "cookie")+header(fields, "proxy-authorization") != "":
		if !slices.ContainsFunc(said, isShared) || slices.Contains(said, "no-store") {
			return "cached-open"
		}
	}
	return ""
}

// hit reports whether Ocelot answers the step with what it kept, and returns the
// difference for which margay does not.
func (p *promise) hit(r *configuredRoute) (why string, ok bool) {
	e := &p.step.Expect
	if len(e.ErrorCodes) > 0 || e.Unhandled != "" {
		return "", false
	}
	for i := p.at - 1; i >= 0; i-- {
		before := &p.record.Steps[i]
		of := (&promise{record: p.record, step: before, past: p.past}).matchedRoute()
		if of == nil || before.Request == nil || p.question(before, of) != p.question(p.step, r) {
			continue
		}
		rejected := before.Expect.Downstream == nil && before.Expect.Body != nil && strings.HasPrefix(*before.Expect.Body, "Circuit breaker is open")
		switch why = p.unkept(before, of); {
		case rejected:
			return "cached-open", true
		case before.Expect.Downstream == nil:
			continue // an answer from the cache itself
		case why != "":
			return why, true
		case fmt.Sprint(before.Expect.MatchedRoute) != fmt.Sprint(e.MatchedRoute):
			return "cache-key", true
		case len(listed(before.Upstream.Headers, "vary")) > 0:
			return "cached-variant", true
		}
		return "", true
	}
	return "", false
}
