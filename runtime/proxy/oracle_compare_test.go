package proxy_test

import (
	"bytes"
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// diff is one place where an answer is not the recorded one.
type diff struct {
	field     string
	got, want string
}

func (d diff) String() string { return fmt.Sprintf("%s: got %s, want %s", d.field, d.got, d.want) }

// comparison is an answer beside the promised one.
type comparison struct {
	promise *promise
	record  *routingRecord
	step    *routingStep
	got     *answer
	seen    []contact
	names   func(string) string
	diffs   []diff
}

func (c *comparison) differ(field string, got, want any) {
	g, w := fmt.Sprintf("%.300q", fmt.Sprint(got)), fmt.Sprintf("%.300q", fmt.Sprint(want))
	if g != w || fmt.Sprint(got) != fmt.Sprint(want) {
		c.diffs = append(c.diffs, diff{field, g, w})
	}
}

// compare lists the differences. What no client or backend depends on does not
// count:
//   - the order and the case of headers, Server and Date;
//   - whether the values of a list stand on one line or on several (RFC 9110,
//     section 5.3), for cookies too;
//   - in answers of the HTTP server itself, which no gateway has seen: anything
//     but that the request was refused (4xx or 5xx) and the connection closed;
//   - Content-Type and Content-Length of a 304;
//   - traceparent and baggage, which .NET adds when the application has a logger;
//   - whether a backend saw the head of a request whose body never came, and the
//     part of a body that it read before it answered;
//   - in which order the members of an aggregate reach their backends;
//   - the slash behind the host of a Location without a path (RFC 3986, section
//     6.2.3);
//   - how much of a body arrives before its connection is reset;
//   - whether the limit of a body counts the lines of its chunks;
//   - whether an answer to HTTP/1.0 says that the connection ends, as it does
//     anyway;
//   - whether a connection goes on after an answer that came before the request
//     was whole.
func (c *comparison) compare() {
	want := &c.promise.answer
	if want.Status == 413 && c.withinLimit() {
		return
	}
	if c.promise.atDoor {
		c.compareRefusal()
		return
	}
	if want.End == "client_aborted" || want.End == "client_closed" {
		c.compareContacts()
		return
	}
	c.differ("end", c.got.end, want.End)
	c.differ("status", c.got.status, want.Status)
	if want.End != "closed_no_response" {
		c.differ("reason", c.got.reason, want.Reason)
	}
	c.compareHeaders("header ", c.got.headers, want.Headers)
	if c.got.status != 304 && !(c.got.framing == "none" && c.step.Request.Method == "HEAD") {
		c.differ("framing", c.got.framing, want.Framing)
	}
	if !c.isResetPart() {
		c.compareBody("body", c.got.body, want.Body, want.BodySHA, want.BodyLen)
	}
	c.differ("interim", c.got.interim, want.Interim)
	c.differ("trailers", c.got.trailers, want.Trailers)
	c.compareRetryAfter()
	c.compareContacts()
}

// isResetPart reports whether the client got the beginning of a body whose
// connection was reset: what was in flight is lost.
func (c *comparison) isResetPart() bool {
	if c.step.Upstream.Cut != "reset" || c.promise.answer.End != "closed_in_body" || len(c.promise.contacts) != 1 {
		return false
	}
	whole := c.step.Upstream.body(c.promise.contacts[0].Upstream, &c.promise.contacts[0])
	return len(c.got.body) <= len(whole)/2 && bytes.HasPrefix(whole, c.got.body)
}

// compareRefusal compares an answer of the HTTP server itself.
func (c *comparison) compareRefusal() {
	c.differ("status", c.got.status, c.promise.answer.Status)
	c.differ("header connection", header(c.got.headers, "connection"), "close")
	c.compareContacts()
}

// compareRetryAfter compares the seconds until an open circuit closes: those of
// its break, less what has passed since the last request that it let through.
func (c *comparison) compareRetryAfter() {
	if c.promise.breaks == 0 {
		return
	}
	up := func(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
	least := max(1, up(c.promise.breaks-time.Since(c.promise.past.asked)))
	got, err := strconv.Atoi(header(c.got.headers, "retry-after"))
	if err != nil || got < least || got > up(c.promise.breaks) {
		c.differ("retry-after", header(c.got.headers, "retry-after"), fmt.Sprintf("%d to %d", least, up(c.promise.breaks)))
	}
}

// withinLimit reports whether the chunks of a body hold no more than the limit.
func (c *comparison) withinLimit() bool {
	all := strings.Join(c.step.Request.Chunks, "")
	return all != "" && int64(len(all)) <= c.record.Gateway.MaxBody
}

func (c *comparison) compareBody(field string, got []byte, text *string, hash string, length int) {
	if text != nil {
		c.differ(field, c.names(string(got)), *text)
	} else if hash != "" && sum(got) != hash {
		c.differ(field, fmt.Sprintf("%d bytes", len(got)), fmt.Sprintf("other %d bytes", length))
	}
}

// compareHeaders compares headers by name.
func (c *comparison) compareHeaders(prefix string, got, want [][2]string) {
	g, w := byName(got), byName(want)
	names := []string{}
	for n := range g {
		names = append(names, n)
	}
	for n := range w {
		if _, both := g[n]; !both {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		switch {
		case n == "date", n == "server", n == "traceparent", n == "baggage",
			n == "connection" && (c.step.Request.TwoPartsDelay > 0 || c.step.Request.isOld() || c.step.Upstream.isEarly()),
			c.got.status == 304 && (n == "content-type" || n == "content-length"):
			continue
		}
		separator := ", "
		switch n {
		case "cookie":
			separator = "; "
		case "location":
			g[n], w[n] = withSlash(g[n]), withSlash(w[n])
		}
		if gv, wv := c.names(strings.Join(g[n], separator)), strings.Join(w[n], separator); !c.fits(gv, wv) || (g[n] == nil) != (w[n] == nil) {
			c.differ(prefix+n, gv, wv)
		}
	}
}

func byName(headers [][2]string) map[string][]string {
	out := map[string][]string{}
	for _, h := range headers {
		n := strings.ToLower(h[0])
		out[n] = append(out[n], h[1])
	}
	return out
}

// changing is what stands in a recording for values that change.
var changing = regexp.MustCompile(`<[^<>]+>`)

// fits compares with a text in which <…> stands for what changes.
func (c *comparison) fits(got, want string) bool {
	at := changing.FindStringIndex(want)
	if at == nil || got == want {
		return got == want
	}
	value, ok := strings.CutPrefix(got, want[:at[0]])
	value, ok2 := strings.CutSuffix(value, want[at[1]:])
	return ok && ok2 && c.changes(value, want[at[0]+1:at[1]-1])
}

// changes reports whether a value is one of a kind.
func (c *comparison) changes(value, kind string) bool {
	if most, ok := strings.CutPrefix(kind, "whole seconds, at most "); ok {
		n, err := strconv.Atoi(value)
		limit, _ := strconv.ParseFloat(most, 64)
		passed := time.Since(c.promise.past.began).Seconds()
		return err == nil && float64(n) < limit+1 && n > 0 && float64(n) >= limit-passed
	}
	switch kind {
	case "seconds": // see compareRetryAfter
		return true
	case "utc-iso-7digits":
		_, err := time.Parse("2006-01-02T15:04:05.0000000Z", value)
		return err == nil
	}
	return value != "" && !strings.ContainsAny(value, " <>")
}

func (c *comparison) compareContacts() {
	want := c.promise.contacts
	if len(want) == 0 && len(c.seen) == 1 && (c.unsent(&c.seen[0]) || c.promise.atDoor && c.seen[0].Framing == "chunked") || strings.Contains(c.record.ConfigNote, "race") {
		return
	}
	if len(want) > 1 && strings.Contains(c.record.Config, "RouteKeys") {
		want = slices.SortedFunc(slices.Values(want), byTarget)
		slices.SortFunc(c.seen, byTarget)
	}
	c.differ("contacts", len(c.seen), len(want))
	for i := range min(len(c.seen), len(want)) {
		c.compareContact(&c.seen[i], &want[i])
	}
}

// unsent reports whether the body of a request did not come whole.
func (c *comparison) unsent(got *contact) bool {
	q := c.step.Request
	return (q.CutAt != nil || q.TwoPartsDelay > 0 || c.got.status == 413) && (got.Framing != fmt.Sprintf("length:%d", got.BodyLen) || got.Framing == "chunked")
}

func (c *comparison) compareContact(got, want *contact) {
	c.differ("sent upstream", got.Upstream, want.Upstream)
	c.differ("sent method", got.Method, want.Method)
	c.differ("sent target", c.names(got.Target), want.Target)
	c.differ("sent version", got.Version, want.Version)
	c.differ("sent host", c.names(got.Host), want.Host)
	c.compareHeaders("sent header ", got.Headers, want.Headers)
	c.differ("sent framing", got.Framing, want.Framing)
	if !c.step.Upstream.isEarly() && (want.Body != nil || want.BodySHA != "") {
		var body []byte
		if got.Body != nil {
			body = []byte(*got.Body)
		}
		c.compareBody("sent body", body, want.Body, want.BodySHA, want.BodyLen)
	}
	c.differ("sent trailers", got.Trailers, want.Trailers)
}

func byTarget(a, b contact) int {
	return cmp.Or(cmp.Compare(a.Upstream, b.Upstream), cmp.Compare(a.Target, b.Target))
}

// withSlash returns locations with a path where they have none.
func withSlash(locations []string) []string {
	out := slices.Clone(locations)
	for i, l := range out {
		if u, err := url.Parse(l); err == nil && u.Host != "" && u.Path == "" {
			u.Path = "/"
			out[i] = u.String()
		}
	}
	return out
}
