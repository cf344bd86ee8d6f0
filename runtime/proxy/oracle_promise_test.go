package proxy_test

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

// promise is the answer that margay owes to a recorded step: Ocelot's own, as
// the named differences change it. They see the configuration, the request, the
// script of the upstreams and the recorded answers; margay's answer they never
// see, so that a name can excuse nothing but what it promises.
type promise struct {
	record  *routingRecord
	step    *routingStep
	at      int // index of the step
	gateway *stagedGateway
	stage   *stage
	past    *past

	answer   recordedAnswer
	contacts []contact
	// whole: the answer is settled, later differences do not concern it.
	whole bool
	// atDoor: the HTTP server refuses the request, see compareRefusal.
	atDoor bool
	// breaks is the break of the open circuit that rejects the request; zero
	// where none does.
	breaks time.Duration
	cached *string // the difference in what is kept that the step has, once that was asked
	turned *string // the host that the balancer alone chooses, once it was asked
	names  []string
}

// past is what the steps before did.
type past struct {
	stale    bool                        // the last configuration was refused
	reloads  int                         // configurations that were put in force
	circuits map[string]*foretoldCircuit // by route
	began    time.Time                   // when the first step was played
	asked    time.Time                   // when the last step that reached a backend began
	refused  time.Time                   // when a host refused a connection
	settings *configuration              // the configuration in force
	turns    turns
	kept     kept
}

func newPast(config string) *past {
	return &past{began: time.Now(), settings: configured(config), circuits: map[string]*foretoldCircuit{}, turns: newTurns(), kept: kept{}}
}

// difference is a named difference as a rule. It reports whether the step is one
// that it concerns, and changes the promise then.
type difference struct {
	name string
	make func(p *promise) bool
}

// promised returns what margay owes to a step.
func promised(rec *routingRecord, step *routingStep, at int, g *stagedGateway, s *stage, past *past, known []difference) *promise {
	p := &promise{record: rec, step: step, at: at, gateway: g, stage: s, past: past, answer: step.Expect}
	p.answer.Headers = slices.Clone(step.Expect.Headers)
	all := step.Expect.DownstreamAll
	if all == nil && step.Expect.Downstream != nil {
		all = []contact{*step.Expect.Downstream}
	}
	for _, c := range all {
		c.Headers = slices.Clone(c.Headers)
		p.contacts = append(p.contacts, c)
	}
	p.atDoor = step.Expect.refusedAtDoor()
	for _, d := range known {
		if !p.whole && d.make(p) {
			p.names = append(p.names, d.name)
		}
	}
	if !p.atDoor {
		p.promiseReason()
	}
	return p
}

// refusedAtDoor reports whether Kestrel refused the request before anybody else
// saw it.
func (a *recordedAnswer) refusedAtDoor() bool {
	return a.Status >= 400 && a.MatchedRoute == nil && len(a.ErrorCodes) == 0 && header(a.Headers, "connection") == "close"
}

// promiseReason is the difference reason-phrase, which concerns every answer.
func (p *promise) promiseReason() {
	if p.answer.Status == 0 || p.answer.End == "closed_no_response" {
		return
	}
	standard := cmp.Or(http.StatusText(p.answer.Status), "status code "+strconv.Itoa(p.answer.Status))
	if p.answer.Reason != standard {
		p.answer.Reason = standard
		p.names = append(p.names, "reason-phrase")
	}
}

// refuse promises an answer of the gateway's own, without a body, and that no
// backend is asked.
func (p *promise) refuse(status int) bool {
	p.answer = recordedAnswer{Status: status, Reason: http.StatusText(status), Framing: "none", Body: new("")}
	if p.step.Request.method() != http.MethodHead {
		p.answer.Headers, p.answer.Framing = [][2]string{{"Content-Length", "0"}}, "length:0"
	}
	p.contacts, p.whole, p.atDoor = nil, true, false
	return true
}

// refuseAtDoor promises that the HTTP server refuses the request.
func (p *promise) refuseAtDoor(status int) bool {
	p.refuse(status)
	p.atDoor = true
	return true
}

// method returns the method of the request line.
func (q *recordedRequest) method() string {
	if q.Raw != nil {
		method, _, _ := strings.Cut(strings.TrimLeft(*q.Raw, "\r\n"), " ")
		return method
	}
	return q.Method
}

// target returns the target of the request line.
func (q *recordedRequest) target() string {
	if q.Raw != nil {
		_, rest, _ := strings.Cut(strings.TrimLeft(*q.Raw, "\r\n"), " ")
		target, _, _ := strings.Cut(rest, " ")
		return target
	}
	return q.Target
}

// fields returns the headers.
func (q *recordedRequest) fields() (out [][2]string) {
	if q.Raw == nil {
		return q.Headers
	}
	head, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimLeft(*q.Raw, "\r\n"), "\r\n", "\n"), "\n\n") // a line feed alone ends a line too
	for _, line := range strings.Split(head, "\n")[1:] {
		if i := len(out) - 1; i >= 0 && strings.HasPrefix(line, " ") {
			out[i][1] += line
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		out = append(out, [2]string{name, strings.TrimSpace(value)})
	}
	return out
}

// match looks the request up in the routing table, whose answers the tests of
// package route hold against a reference of their own.
func (p *promise) match() (*route.Match, route.Target, bool) {
	target, err := route.ParseTarget(p.step.Request.target())
	if err != nil {
		return nil, target, false
	}
	asked := route.Request{Method: p.step.Request.method(), Host: header(p.step.Request.fields(), "host"), Target: target, Header: http.Header{}}
	for _, h := range p.step.Request.fields() {
		asked.Header.Add(h[0], h[1])
	}
	if authority, ok := strings.CutPrefix(p.step.Request.target(), "http://"); ok {
		asked.Host, _, _ = strings.Cut(authority, "/")
	}
	m, err := p.gateway.proxy.Table().Match(&asked)
	return &m, target, err == nil
}

// retarget promises another target, in the request and in a body that repeats
// it.
func (p *promise) retarget(i int, target string) {
	from := p.contacts[i].Target
	p.contacts[i].Target = target
	if p.answer.Body != nil && p.step.Upstream.speaks() == nil && strings.HasSuffix(*p.answer.Body, from) {
		p.setBody(strings.TrimSuffix(*p.answer.Body, from) + target)
	}
}

// speaks returns the body that the script states; nil where it repeats the
// request.
func (s *script) speaks() *string {
	if s.Body != nil || s.BodyBase64 != "" || s.BodyLen > 0 || s.Raw != nil || s.ByPath != nil {
		return new("")
	}
	return nil
}

// setBody promises another body of the same kind.
func (p *promise) setBody(text string) {
	p.answer.Body, p.answer.BodySHA, p.answer.BodyLen = &text, "", len(text)
	if strings.HasPrefix(p.answer.Framing, "length:") {
		p.answer.Framing = "length:" + strconv.Itoa(len(text))
		p.setHeader("content-length", strconv.Itoa(len(text)))
	}
}

// setHeader promises a header with one value.
func (p *promise) setHeader(name, value string) {
	p.answer.Headers = append(without(p.answer.Headers, name), [2]string{name, value})
}

// without returns headers without those of a name.
func without(headers [][2]string, name string) [][2]string {
	return slices.DeleteFunc(slices.Clone(headers), func(h [2]string) bool { return strings.EqualFold(h[0], name) })
}

// moved promises another upstream, in the request and in the answer, which says
// whose it is.
func (p *promise) moved(i int, to string) {
	from := p.contacts[i].Upstream
	if from == to {
		return
	}
	p.contacts[i].Upstream = to
	p.contacts[i].Host = strings.ReplaceAll(p.contacts[i].Host, "{{"+from+"}}", "{{"+to+"}}")
	if header(p.answer.Headers, "x-up") != "" {
		p.setHeader("x-up", to)
	}
	if p.answer.Body != nil && p.step.Upstream.speaks() == nil && strings.HasPrefix(*p.answer.Body, from+" ") {
		p.setBody(to + strings.TrimPrefix(*p.answer.Body, from))
	}
}

// passes promises that the request goes to an upstream, and that its scripted
// answer comes back.
func (p *promise) passes(upstream, target string) {
	q := p.step.Request
	method := q.method()
	if r := p.route(); r != nil && r.DownstreamHttpMethod != "" {
		method = strings.ToUpper(r.DownstreamHttpMethod)
	}
	c := contact{Upstream: upstream, Method: method, Target: target, Version: "HTTP/1.1", Host: "127.0.0.1:{{" + upstream + "}}", Framing: "none"}
	for _, h := range q.fields() {
		if !strings.EqualFold(h[0], "host") && !slices.Contains(hops, strings.ToLower(h[0])) {
			c.Headers = append(c.Headers, h)
		}
	}
	body := ""
	if q.Body != nil {
		body = *q.Body
	}
	if body != "" || header(c.Headers, "content-length") != "" {
		c.Framing = "length:" + header(c.Headers, "content-length")
	}
	c.Body, c.BodyLen = &body, len(body)
	p.contacts, p.atDoor = []contact{c}, false
	p.scripted(p.step.Upstream.of(&c), &c)
}

// of returns the script of the upstream that a contact reaches.
func (s *script) of(c *contact) *script {
	for _, by := range []struct {
		scripts map[string]script
		name    string
	}{{s.ByPath, c.Target}, {s.ByUpstream, c.Upstream}} {
		if one, ok := by.scripts[by.name]; ok {
			return &one
		}
		if one, ok := by.scripts["*"]; ok {
			return &one
		}
	}
	return s
}

// scripted promises the answer that the script of an upstream gives to a
// contact.
func (p *promise) scripted(what *script, c *contact) {
	p.answer = recordedAnswer{Status: cmp.Or(what.Status, 200), Framing: "none", Body: new(""), Headers: [][2]string{{"X-Up", c.Upstream}}}
	headers := what.Headers
	if headers == nil {
		headers = [][2]string{{"Content-Type", "text/plain"}}
	}
	p.answer.Headers = append(p.answer.Headers, headers...)
	body := what.body(c.Upstream, c)
	length := strconv.Itoa(len(body))
	switch {
	case p.step.Request.method() == http.MethodHead:
		p.answer.Headers = append(p.answer.Headers, [2]string{"Content-Length", length})
		return
	case p.answer.Status == 204, p.answer.Status == 304:
		return
	case what.Framing == "chunked", what.Framing == "close":
		p.answer.Framing = "chunked"
		p.answer.Headers = append(p.answer.Headers, [2]string{"Transfer-Encoding", "chunked"})
	default:
		p.answer.Framing = "length:" + length
		p.answer.Headers = append(p.answer.Headers, [2]string{"Content-Length", length})
	}
	p.answer.Body, p.answer.BodyLen = new(string(body)), len(body)
}

// route returns the configured route that Ocelot matched, or that the routing
// table finds; nil if there is none.
func (p *promise) route() *configuredRoute {
	if p.step.Expect.MatchedRoute != nil {
		return p.matchedRoute()
	}
	if m, _, ok := p.match(); ok && m.Aggregate() == nil {
		return p.configuredAt(m.Index())
	}
	return nil
}

// matchedRoute returns the configured route that Ocelot matched.
func (p *promise) matchedRoute() *configuredRoute {
	switch v := p.step.Expect.MatchedRoute.(type) {
	case float64:
		return p.configuredAt(int(v))
	case string:
		if i, err := strconv.Atoi(v); err == nil {
			return p.configuredAt(i)
		}
		if v == "dynamic" {
			return p.settings().dynamic(p.service())
		}
	}
	return nil
}

// settings returns the configuration in force.
func (p *promise) settings() *configuration {
	if p.past == nil {
		return configured(p.record.Config)
	}
	return p.past.settings
}

func (p *promise) configuredAt(i int) *configuredRoute {
	all := p.settings()
	if i >= len(all.Routes) {
		return nil
	}
	return &all.Routes[i]
}

// planned returns the route of the plan that takes the request.
func (p *promise) planned() *plan.Route {
	if m, _, ok := p.match(); ok {
		return m.Route()
	}
	return nil
}
