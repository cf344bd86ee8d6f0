package proxy_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/guard/guardtest"
	"github.com/margay-dev/margay/runtime/proxy"
)

// guarded returns options with the guards of a recorded gateway.
func guarded(rec *routingRecord, o proxy.Options) proxy.Options {
	schemes := map[string]guard.Scheme{}
	for _, name := range rec.Gateway.Schemes {
		schemes[name] = guardtest.Words(name)
	}
	set := guard.New(guard.Options{Schemes: schemes})
	o.Guards, o.Aggregates = set.Guards, set.Aggregates
	return o
}

// guardExcuses are the named differences of guards.
var guardExcuses = []excuse{
	{"shared-cookies", func(c *comparison) bool { return c.isRefused("shared-cookies") }},
	{"unenforced", func(c *comparison) bool {
		return c.isRefused("client-ips", "load-balancer", "handlers", "aggregator", "authentication", "claims", "rate-limit")
	}},
	{"mapped-address", explainMapped},
	{"claim-injection", explainInjection},
	{"non-ascii-value", explainLetters},
	{"framing-transform", explainFraming},
	{"header-case", explainCase},
	{"cached-open", explainCachedOpen},
	{"cached-variant", explainVariant},
	{"cached-cookie", explainCookie},
	{"preflight-method", explainPreflight},
	{"aggregate-body", explainChunks},
	{"aggregate-text", explainJoined},
	{"quota-status", explainQuota},
	{"message-braces", explainBraces},
}

// isRefused excuses requests for routes that are not served because of one of
// these settings.
func (c *comparison) isRefused(settings ...string) bool {
	isOne := func(u proxy.Unenforced) bool { return slices.Contains(settings, u.Setting) }
	if !c.answered(503) || len(c.seen) != 0 ||
		!slices.ContainsFunc(c.refused, func(r proxy.Refusal) bool { return slices.ContainsFunc(r.Unenforced, isOne) }) {
		return false
	}
	c.dropAll()
	return true
}

func TestEveryExcuseIsADifference(t *testing.T) {
	known := map[string]bool{}
	for _, d := range guard.Differences() {
		known[d.ID] = true
	}
	for _, e := range slices.Concat(guardExcuses, excuses) {
		if !known[e.name] {
			t.Errorf("%s is in no list of differences", e.name)
		}
	}
}

func explainMapped(c *comparison) bool {
	if !strings.Contains(c.record.Config, `"::ffff:127.0.0.1"`) || c.answered(403) != strings.Contains(c.record.Config, "IPBlockedList") {
		return false
	}
	c.dropAll()
	return true
}

// explainInjection excuses a query in which a claim stays one value.
func explainInjection(c *comparison) bool {
	got, _, ok := c.retargeted()
	_, said, found := strings.Cut(header(c.step.Request.Headers, "authorization"), " ")
	said, _, _ = strings.Cut(said, ";")
	_, query, _ := strings.Cut(got, "?")
	values, err := url.ParseQuery(query)
	if !ok || !found || err != nil || !strings.Contains(said, "&") || values.Get("sub") != said {
		return false
	}
	c.drop(ofTarget...)
	return true
}

// scripted reports whether the client got what the backend answered.
func (c *comparison) scripted() bool {
	status := c.step.Upstream.Status
	if status == 0 {
		status = 200
	}
	return c.got.status == status && c.got.end == "" && len(c.seen) == 1 &&
		(c.step.Request.Method == "HEAD" || string(c.got.body) == string(c.step.Upstream.body(c.seen[0].Upstream, &c.seen[0])))
}

// portToken stands for a port in a recorded configuration.
var portToken = regexp.MustCompile(`\{\{\w+\}\}`)

// transforms returns the header transforms of the routes, both ways, by the
// names of the headers.
func (c *comparison) transforms() map[string]string {
	type section struct{ UpstreamHeaderTransform, DownstreamHeaderTransform map[string]string }
	var all struct {
		Routes              []section
		GlobalConfiguration section
	}
	if json.Unmarshal(portToken.ReplaceAll([]byte(c.record.Config), []byte("0")), &all) != nil {
		return nil
	}
	out := map[string]string{}
	for _, s := range append(all.Routes, all.GlobalConfiguration) {
		for _, m := range []map[string]string{s.UpstreamHeaderTransform, s.DownstreamHeaderTransform} {
			for name, value := range m {
				out[name] = value
			}
		}
	}
	return out
}

// explainLetters excuses a letter beyond ASCII that goes out in UTF-8.
func explainLetters(c *comparison) bool {
	isHigh := func(r rune) bool { return r >= 0x80 }
	for name, value := range c.transforms() {
		if !strings.ContainsFunc(value, isHigh) || !c.scripted() || c.step.Expect.Status < 400 {
			continue
		}
		if header(c.got.headers, strings.ToLower(name)) == value || header(c.seen[0].Headers, strings.ToLower(name)) == value {
			c.dropAll()
			return true
		}
	}
	return false
}

// explainFraming excuses messages whose framing a transform did not change.
func explainFraming(c *comparison) bool {
	if !c.scripted() {
		return false
	}
	sent := ""
	if c.step.Request.Body != nil {
		sent = *c.step.Request.Body
	}
	for name := range c.transforms() {
		if strings.EqualFold(name, "Content-Length") || strings.EqualFold(name, "Transfer-Encoding") {
			if len(sent) == c.seen[0].BodyLen {
				c.dropAll()
				return true
			}
		}
	}
	return false
}

// explainCase excuses a replacement in a header that the backend writes in
// another letter case.
func explainCase(c *comparison) bool {
	before := len(c.diffs)
	for name, value := range c.transforms() {
		find, replace, ok := strings.Cut(value, ",")
		replace = strings.ReplaceAll(strings.TrimLeft(replace, " "), "{BaseUrl}", "http://localhost:5000")
		sent := c.step.Upstream.Headers
		i := slices.IndexFunc(sent, func(h [2]string) bool { return strings.EqualFold(h[0], name) && h[0] != name })
		if !ok || i < 0 {
			continue
		}
		want := strings.ReplaceAll(sent[i][1], find, replace)
		if header(c.got.headers, strings.ToLower(name)) == strings.TrimSpace(want) {
			c.drop("header " + strings.ToLower(name))
		}
	}
	return len(c.diffs) < before
}

// explainCachedOpen excuses answers that are the backend's own, where Ocelot
// gives away what it kept of an open circuit or of a client with credentials.
func explainCachedOpen(c *comparison) bool {
	fromCache := c.step.Expect.Downstream == nil && c.step.Expect.DownstreamAll == nil
	known := header(c.step.Request.Headers, "authorization")+header(c.step.Request.Headers, "cookie") != ""
	keptOpen := c.step.Expect.Status == 503 && c.got.status == 200
	if !strings.Contains(c.record.Config, "CacheOptions") || !fromCache || !(known || keptOpen) {
		return false
	}
	if !c.scripted() && !(keptOpen && len(c.seen) == 0) {
		return false
	}
	c.dropAll()
	return true
}

// explainVariant excuses an answer of the backend where Ocelot gives away one
// that varies with headers.
func explainVariant(c *comparison) bool {
	varies := func(s routingStep) bool { return header(s.Upstream.Headers, "vary") != "" }
	if !strings.Contains(c.record.Config, "CacheOptions") || c.step.Expect.Downstream != nil || !c.scripted() ||
		!slices.ContainsFunc(c.record.Steps, varies) {
		return false
	}
	c.dropAll()
	return true
}

func explainPreflight(c *comparison) bool {
	if c.step.Request.Method != "OPTIONS" || !strings.Contains(c.record.Config, "DownstreamHttpMethod") || !c.answered(401) || len(c.seen) != 0 {
		return false
	}
	c.dropAll()
	return true
}

func explainCookie(c *comparison) bool {
	if !strings.Contains(c.record.Config, "CacheOptions") || len(c.seen) != 0 || header(c.got.headers, "set-cookie") != "" {
		return false
	}
	had := c.has("header set-cookie")
	c.drop("header set-cookie")
	return had
}

// explainChunks excuses bodies in chunks that every member of an aggregate got.
func explainChunks(c *comparison) bool {
	body := strings.Join(c.step.Request.Chunks, "")
	if body == "" || len(c.seen) < 2 {
		return false
	}
	for _, s := range c.seen {
		if s.Body == nil || *s.Body != body {
			return false
		}
	}
	c.drop("sent header content-length", "sent header transfer-encoding", "sent framing", "sent body")
	return true
}

// explainJoined excuses a joined answer in which everything that is no JSON
// became some.
func explainJoined(c *comparison) bool {
	var members map[string]any
	if !c.has("body") || c.has("status") || c.step.Expect.Body == nil || json.Unmarshal(c.got.body, &members) != nil ||
		json.Valid([]byte(*c.step.Expect.Body)) {
		return false
	}
	for key, value := range members {
		pasted := ""
		switch v := value.(type) {
		case string:
			pasted = v
		case map[string]any:
			if detail, ok := v["detail"].(string); ok {
				pasted = detail
			}
		}
		if !strings.Contains(*c.step.Expect.Body, `"`+key+`":`+pasted) {
			return false
		}
	}
	c.drop("body", "framing", "header content-length")
	return true
}

func explainQuota(c *comparison) bool {
	if !strings.Contains(c.record.Config, `"StatusCode":204`) || c.got.status != 204 || len(c.got.body) != 0 || c.got.end != "" {
		return false
	}
	c.dropAll()
	return true
}

func explainBraces(c *comparison) bool {
	var all struct {
		Routes []struct{ RateLimitOptions struct{ QuotaMessage string } }
	}
	_ = json.Unmarshal(portToken.ReplaceAll([]byte(c.record.Config), []byte("0")), &all)
	for _, r := range all.Routes {
		message := r.RateLimitOptions.QuotaMessage
		if strings.ContainsAny(message, "{}") && c.got.status == 429 && c.step.Expect.Status == 500 && len(c.seen) == 0 &&
			strings.HasPrefix(string(c.got.body), message[:strings.IndexAny(message, "{}")]) {
			c.dropAll()
			return true
		}
	}
	return false
}
