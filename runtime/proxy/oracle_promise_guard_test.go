package proxy_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// guardDifferences are those of what stands in front of the routes.
var guardDifferences = []difference{
	{"mapped-address", unmapAddress},
	{"preflight-method", askPreflight},
	{"claim-injection", encodeClaim},
	{"non-ascii-value", sendLetters},
	{"framing-transform", leaveFraming},
	{"header-case", replaceAnyCase},
	{"cached-open", neverKeepOpen},
	{"cached-variant", keepVariants},
	{"cached-cookie", keepNoCookie},
	{"aggregate-body", sendWholeBody},
	{"aggregate-text", joinAsJSON},
	{"quota-status", sendStatusAlone},
	{"message-braces", sendBraces},
	{"retry-after-fraction", wholeSeconds},
}

// client is the address that every recorded client has.
const client = "127.0.0.1"

// unmapAddress: ::ffff:127.0.0.1 is 127.0.0.1.
func unmapAddress(p *promise) bool {
	r := p.route()
	if r == nil {
		return false
	}
	isClient := func(pattern string) bool { return strings.EqualFold(pattern, "::ffff:"+client) }
	switch o := r.SecurityOptions; {
	case slices.ContainsFunc(o.IPBlockedList, isClient) && p.answer.Status != http.StatusForbidden:
		return p.refuse(http.StatusForbidden)
	case slices.ContainsFunc(o.IPAllowedList, isClient) && p.answer.Status == http.StatusForbidden:
		return p.passOn()
	}
	return false
}

// askPreflight: a request that goes out with another method is no preflight.
func askPreflight(p *promise) bool {
	r := p.route()
	if r == nil || r.DownstreamHttpMethod == "" || r.AuthenticationOptions == nil || p.step.Request.method() != http.MethodOptions ||
		header(p.step.Request.fields(), "authorization") != "" || p.answer.Status == http.StatusUnauthorized {
		return false
	}
	return p.refuse(http.StatusUnauthorized)
}

// subject returns who the client says it is; see guardtest.Words.
func (p *promise) subject() string {
	_, said, _ := strings.Cut(header(p.step.Request.fields(), "authorization"), " ")
	said, _, _ = strings.Cut(said, ";")
	return said
}

// encodeClaim: a claim stays one value of the query.
func encodeClaim(p *promise) bool {
	r := p.route()
	if r == nil || len(p.contacts) != 1 || !strings.ContainsAny(p.subject(), "&#=+") {
		return false
	}
	path, _, _ := strings.Cut(p.contacts[0].Target, "?")
	for name, claim := range r.AddQueriesToRequest {
		if strings.Contains(claim, "[sub]") && strings.HasSuffix(claim, "value") && !strings.Contains(p.step.Request.target(), "?") {
			p.retarget(0, path+"?"+name+"="+strings.ReplaceAll(url.QueryEscape(p.subject()), "+", "%20"))
			return p.contacts[0].Target != p.step.Expect.Downstream.Target
		}
	}
	return false
}

func isLetters(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) }

// sendLetters: a letter beyond ASCII in a transform goes out in UTF-8.
func sendLetters(p *promise) bool {
	r := p.route()
	if r == nil || p.step.Expect.Status < 400 {
		return false
	}
	for name, value := range r.UpstreamHeaderTransform {
		if isLetters(value) && len(p.contacts) == 0 && p.passOn() {
			p.contacts[0].Headers = append(without(p.contacts[0].Headers, name), [2]string{name, value})
			return true
		}
	}
	for name, value := range r.DownstreamHeaderTransform {
		if isLetters(value) && len(p.contacts) == 1 {
			p.scripted(&p.step.Upstream, &p.contacts[0])
			p.nameSelf()
			p.answer.Headers = append(p.answer.Headers, [2]string{name, value})
			return true
		}
	}
	return false
}

// nameSelf puts the upstream's port in place of the script's word for it.
func (p *promise) nameSelf() {
	for i := range p.answer.Headers {
		value := strings.ReplaceAll(p.answer.Headers[i][1], "{{SELF}}", "{{"+p.contacts[0].Upstream+"}}")
		if strings.HasPrefix(value, "http://") && strings.Count(value, "/") == 2 {
			value += "/" // see withSlash
		}
		p.answer.Headers[i][1] = value
	}
}

// leaveFraming: no transform writes what frames a message.
func leaveFraming(p *promise) bool {
	r := p.route()
	if r == nil {
		return false
	}
	frames := func(transforms map[string]string) bool {
		for name := range transforms {
			if strings.EqualFold(name, "Content-Length") || strings.EqualFold(name, "Transfer-Encoding") {
				return true
			}
		}
		return false
	}
	switch {
	case frames(r.UpstreamHeaderTransform) && len(p.contacts) == 0:
		return p.passOn()
	case frames(r.UpstreamHeaderTransform) && p.contacts[0].Framing == "chunked" && p.step.Request.Chunks == nil:
		c := &p.contacts[0]
		c.Headers = without(c.Headers, "transfer-encoding")
		c.Framing = "none"
		if length := header(p.step.Request.fields(), "content-length"); length != "" {
			c.Framing = "length:" + length
		}
		return true
	case frames(r.DownstreamHeaderTransform) && len(p.contacts) == 1 && p.answer.Status == 500:
		p.scripted(&p.step.Upstream, &p.contacts[0])
		p.nameSelf()
		return true
	}
	return false
}

// replaceAnyCase: a transform of an answer finds its header in any letter case.
func replaceAnyCase(p *promise) bool {
	r := p.route()
	if r == nil || len(p.contacts) != 1 {
		return false
	}
	changed := false
	for name, value := range r.DownstreamHeaderTransform {
		find, replace, ok := strings.Cut(value, ",")
		replace = strings.ReplaceAll(strings.TrimLeft(replace, " "), "{BaseUrl}", "http://localhost:5000")
		sent := p.step.Upstream.Headers
		i := slices.IndexFunc(sent, func(h [2]string) bool { return strings.EqualFold(h[0], name) && h[0] != name })
		if !ok || i < 0 || !strings.Contains(sent[i][1], find) || strings.Contains(replace, "{") {
			continue
		}
		p.setHeader(strings.ToLower(name), strings.TrimSpace(strings.ReplaceAll(sent[i][1], find, replace)))
		changed = true
	}
	return changed
}

// keptBy is what an answer is kept under.
func (p *promise) keptBy() string { return p.step.Request.method() + " " + p.step.Request.target() }

// neverKeepOpen: what an open circuit answers is never kept; nor is the answer to
// a client with credentials.
func neverKeepOpen(p *promise) bool {
	r := p.route()
	if r == nil || r.CacheOptions == nil && r.FileCacheOptions == nil {
		return false
	}
	known := header(p.step.Request.fields(), "authorization")+header(p.step.Request.fields(), "cookie") != ""
	fromCache := len(p.contacts) == 0 && p.at > 0
	switch {
	case fromCache && known && p.answer.Status < 400:
		return p.passOn()
	case fromCache && p.past.rejected[p.keptBy()] && p.answer.Status == http.StatusServiceUnavailable:
		if a, ok := p.past.kept[p.keptBy()]; ok {
			p.answer = a
			return true
		}
		if !p.passOn() {
			return false
		}
		p.past.kept[p.keptBy()] = p.answer
		return true
	case p.answer.Status == http.StatusServiceUnavailable && len(p.contacts) == 0:
		p.past.rejected[p.keptBy()] = true
	}
	return false
}

// keepVariants: an answer that varies is kept for the headers that it varies
// with.
func keepVariants(p *promise) bool {
	r := p.route()
	if r == nil || r.CacheOptions == nil && r.FileCacheOptions == nil || len(p.contacts) > 0 {
		return false
	}
	for _, before := range slices.Backward(p.record.Steps[:p.at]) {
		vary := header(before.Upstream.Headers, "vary")
		if before.Expect.Downstream == nil || before.Request.target() != p.step.Request.target() || vary == "" {
			continue
		}
		for name := range strings.SplitSeq(vary, ",") {
			name = strings.TrimSpace(name)
			if header(before.Request.fields(), name) != header(p.step.Request.fields(), name) {
				return p.passOn()
			}
		}
	}
	return false
}

// keepNoCookie: cookies are the first client's alone.
func keepNoCookie(p *promise) bool {
	r := p.route()
	if r == nil || r.CacheOptions == nil && r.FileCacheOptions == nil || len(p.contacts) > 0 || header(p.answer.Headers, "set-cookie") == "" {
		return false
	}
	p.answer.Headers = without(p.answer.Headers, "set-cookie")
	return true
}

// sendWholeBody: every member of an aggregate gets the whole body.
func sendWholeBody(p *promise) bool {
	body := strings.Join(p.step.Request.Chunks, "")
	if body == "" || len(p.contacts) < 2 {
		return false
	}
	for i := range p.contacts {
		c := &p.contacts[i]
		length := strconv.Itoa(len(body))
		c.Headers = append(without(c.Headers, "transfer-encoding"), [2]string{"Content-Length", length})
		c.Framing, c.Body, c.BodySHA, c.BodyLen = "length:"+length, &body, "", len(body)
	}
	return true
}

// joinAsJSON: what is no JSON becomes some: nothing is null, a failure an
// object, everything else a text.
func joinAsJSON(p *promise) bool {
	if p.answer.Body == nil || !strings.HasPrefix(*p.answer.Body, "{") || json.Valid([]byte(*p.answer.Body)) {
		return false
	}
	rest := *p.answer.Body
	var joined []string
	keys := p.aggregateKeys()
	for i, key := range keys {
		_, rest, _ = strings.Cut(rest, `"`+key+`":`)
		value := strings.TrimSuffix(rest, "}")
		if i+1 < len(keys) {
			value, _, _ = strings.Cut(rest, `,"`+keys[i+1]+`":`)
		}
		joined = append(joined, quoted(key)+":"+p.memberJSON(value))
	}
	if len(keys) == 0 {
		return false
	}
	p.setBody("{" + strings.Join(joined, ",") + "}")
	return true
}

// quoted returns a text as JSON, which needs no care for HTML.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text)
	return strings.TrimSpace(b.String())
}

// aggregateKeys returns the keys of the members, in order.
func (p *promise) aggregateKeys() []string {
	all := configured(p.record.Config)
	m, _, ok := p.match()
	if !ok || m.Aggregate() == nil || m.Index() >= len(all.Aggregates) {
		return nil
	}
	return all.Aggregates[m.Index()].RouteKeys
}

// memberJSON is what one pasted value becomes.
func (p *promise) memberJSON(value string) string {
	switch {
	case value == "":
		return "null"
	case json.Valid([]byte(value)):
		return value
	}
	for _, s := range p.step.Upstream.ByPath {
		if s.Body != nil && *s.Body == value && s.Status >= 400 {
			return `{"title":` + quoted(http.StatusText(s.Status)) + `,"status":` + strconv.Itoa(s.Status) + `,"detail":` + quoted(value) + `}`
		}
	}
	return quoted(value)
}

// sendStatusAlone: over a limit whose status allows no body there is none.
func sendStatusAlone(p *promise) bool {
	r := p.route()
	if r == nil || r.RateLimitOptions.StatusCode != http.StatusNoContent || !slices.Contains(p.step.Expect.ErrorCodes, "QuotaExceededError") {
		return false
	}
	p.answer.Status, p.answer.End, p.answer.Framing, p.answer.Body = http.StatusNoContent, "", "none", new("")
	p.answer.Headers = without(p.answer.Headers, "content-length")
	return true
}

// sendBraces: a message with a brace is sent as it is.
func sendBraces(p *promise) bool {
	r := p.route()
	if r == nil || !strings.ContainsAny(r.RateLimitOptions.QuotaMessage, "{}") || p.answer.Status != 500 || len(p.contacts) > 0 {
		return false
	}
	p.answer.Status = http.StatusTooManyRequests
	p.setBody(r.RateLimitOptions.QuotaMessage)
	p.setHeader("retry-after", "<decimal seconds, just under "+strconv.Itoa(r.RateLimitOptions.seconds())+">")
	return true
}

// wholeSeconds: Retry-After of a rate limit has no fraction.
func wholeSeconds(p *promise) bool {
	after := header(p.answer.Headers, "retry-after")
	most, ok := strings.CutPrefix(after, "<decimal seconds, just under ")
	if !ok {
		return false
	}
	p.setHeader("retry-after", "<whole seconds, at most "+most)
	return true
}
