package proxy_test

import (
	"encoding/json"
	"net/http"
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
	{"cached-open", ownKept("cached-open")},
	{"cached-private", ownKept("cached-private")},
	{"cached-part", ownKept("cached-part")},
	{"cached-variant", ownKept("cached-variant")},
	{"cache-key", ownKept("cache-key")},
	{"cached-cookie", ownKept("cached-cookie")},
	{"aggregate-body", sendWholeBody},
	{"aggregate-text", joinAsJSON},
	{"quota-status", sendStatusAlone},
	{"message-braces", sendBraces},
	{"retry-after-fraction", wholeSeconds},
}

// askPreflight: a request that goes out with another method is no preflight.
func askPreflight(p *promise) bool {
	r := p.route()
	if r == nil || r.DownstreamHttpMethod == "" || !r.AuthenticationOptions.known() || p.step.Request.method() != http.MethodOptions ||
		header(p.step.Request.fields(), "authorization") != "" || p.answer.Status == http.StatusUnauthorized {
		return false
	}
	return p.refuse(http.StatusUnauthorized)
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
		joined = append(joined, quoted(key)+":"+p.memberJSON(key, value))
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
	all := p.settings()
	m, _, ok := p.match()
	if !ok || m.Aggregate() == nil || m.Index() >= len(all.Aggregates) {
		return nil
	}
	return all.Aggregates[m.Index()].RouteKeys
}

// memberJSON is what the pasted value of a member becomes.
func (p *promise) memberJSON(key, value string) string {
	failed := p.failureOf(key, value)
	switch {
	case value == "" && failed == 0:
		return "null"
	case json.Valid([]byte(value)):
		return value
	case failed == 0:
		if all, ok := p.callsJSON(key, value); ok {
			return all
		}
		return quoted(value)
	}
	out := `{"title":` + quoted(http.StatusText(failed)) + `,"status":` + strconv.Itoa(failed)
	if value != "" {
		out += `,"detail":` + quoted(value)
	}
	return out + "}"
}

// callsJSON is what the pasted values of a member become that is called for each
// value of another answer; false if they are no list of what its backend says.
func (p *promise) callsJSON(key, value string) (string, bool) {
	rest, ok := strings.CutPrefix(value, "[")
	if !ok || len(p.callsOf(key)) < 2 {
		return "", false
	}
	var all []string
	for rest != "" {
		said, found := "", false
		for _, c := range p.callsOf(key) {
			one := string(p.step.Upstream.of(c).body(c.Upstream, c))
			if behind, ok := strings.CutPrefix(rest, one); ok && behind != "" && strings.Contains(",]", behind[:1]) && (!found || len(one) > len(said)) {
				said, found = one, true
			}
		}
		if !found {
			return "", false
		}
		all = append(all, p.memberJSON(key, said))
		rest = rest[len(said)+1:]
	}
	return "[" + strings.Join(all, ",") + "]", true
}

// callsOf returns the requests that went to the backend of a member.
func (p *promise) callsOf(key string) (calls []*contact) {
	for _, r := range p.settings().Routes {
		prefix, _, _ := strings.Cut(r.DownstreamPathTemplate, "{")
		for i := range p.contacts {
			if c := &p.contacts[i]; r.Key == key && slices.Contains(r.upstreams(), c.Upstream) && strings.HasPrefix(c.Target, prefix) {
				calls = append(calls, c)
			}
		}
	}
	return calls
}

// failureOf returns the status with which a member failed; 0 if it did not. Of
// several calls it is that of the one which brought the value.
func (p *promise) failureOf(key, value string) int {
	for _, c := range p.callsOf(key) {
		if s := p.step.Upstream.of(c); s.Status >= 400 && string(s.body(c.Upstream, c)) == value {
			return s.Status
		}
	}
	return 0
}
