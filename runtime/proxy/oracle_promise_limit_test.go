package proxy_test

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// configuredLimit is the rule of a rate limit. Deprecated names win.
type configuredLimit struct {
	EnableRateLimiting                     *bool
	Limit                                  int64
	Period, Wait                           string
	PeriodTimespan                         *float64
	StatusCode, HttpStatusCode             *int
	QuotaMessage, QuotaExceededMessage     *string
	EnableHeaders, DisableRateLimitHeaders *bool
}

// status returns the status over the limit.
func (l *configuredLimit) status() int {
	switch {
	case l.HttpStatusCode != nil:
		return *l.HttpStatusCode
	case l.StatusCode != nil:
		return *l.StatusCode
	}
	return http.StatusTooManyRequests
}

// message returns the text over the limit, where one is written.
func (l *configuredLimit) message() string {
	switch {
	case l.QuotaExceededMessage != nil:
		return *l.QuotaExceededMessage
	case l.QuotaMessage != nil:
		return *l.QuotaMessage
	}
	return ""
}

// headers reports whether answers say how much is left, and when to come again.
func (l *configuredLimit) headers() bool {
	if l.DisableRateLimitHeaders != nil {
		return !*l.DisableRateLimitHeaders
	}
	return l.EnableHeaders == nil || *l.EnableHeaders
}

// pause returns how long a client over the limit is turned away at most.
func (l *configuredLimit) pause() time.Duration {
	wait := spanOf(l.Wait)
	if l.PeriodTimespan != nil {
		wait = time.Duration(*l.PeriodTimespan * float64(time.Second))
	}
	if wait > 0 {
		return wait
	}
	return spanOf(l.Period)
}

// span is a number with its unit, which is milliseconds where none is written.
var span = regexp.MustCompile(`^(\d+(?:\.\d+)?)(ms|[smhd])?$`)

// spanOf reads a period; 0 if it is none.
func spanOf(text string) time.Duration {
	m := span.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if m == nil {
		return 0
	}
	number, _ := strconv.ParseFloat(m[1], 64)
	units := map[string]time.Duration{"": time.Millisecond, "ms": time.Millisecond, "s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	return time.Duration(number * float64(units[m[2]]))
}

// brace is what a composite format of .NET says with braces: one for itself, or
// one of the values that Ocelot gives.
var brace = regexp.MustCompile(`\{\{|\}\}|\{[0-2]\}`)

// isUnformattable reports whether String.Format throws for a message.
func isUnformattable(message string) bool {
	return strings.ContainsAny(brace.ReplaceAllString(message, ""), "{}")
}

// overLimit returns the message of a rule over its limit. What stands in braces
// and is no value stays.
func (l *configuredLimit) overLimit() string {
	return brace.ReplaceAllStringFunc(l.message(), func(found string) string {
		switch found {
		case "{{", "}}":
			return found[:1]
		case "{0}":
			return strconv.FormatInt(max(l.Limit, -l.Limit), 10)
		case "{1}":
			return l.Period
		}
		return strconv.Itoa(int((l.pause() + time.Second - 1) / time.Second))
	})
}

// isBodiless reports whether answers with a status have no body.
func isBodiless(status int) bool {
	return slices.Contains([]int{http.StatusNoContent, http.StatusResetContent, http.StatusNotModified}, status)
}

// sendStatusAlone: over a limit whose status allows no body there is none.
func sendStatusAlone(p *promise) bool {
	r := p.route()
	if r == nil || !isBodiless(r.RateLimitOptions.status()) || !slices.Contains(p.step.Expect.ErrorCodes, "QuotaExceededError") || p.step.Expect.Status == http.StatusServiceUnavailable {
		return false
	}
	p.leaveBody(r.RateLimitOptions.status())
	return true
}

// leaveBody promises a status that allows no body.
func (p *promise) leaveBody(status int) {
	p.answer.Status, p.answer.End, p.answer.Framing, p.answer.Body = status, "", "none", new("")
	p.answer.Headers = without(p.answer.Headers, "content-length")
	if status == http.StatusResetContent { // RFC 9110, section 15.3.6
		p.answer.Framing = "length:0"
		p.setHeader("content-length", "0")
	}
}

// sendBraces: a message with a brace is sent as it is, with the status that it
// has anyway.
func sendBraces(p *promise) bool {
	r := p.route()
	if r == nil || !strings.Contains(p.step.Expect.Unhandled, "FormatException") || len(p.contacts) > 0 {
		return false
	}
	limit := &r.RateLimitOptions
	if !isUnformattable(limit.message()) {
		return false
	}
	p.answer.Status = limit.status()
	if limit.headers() {
		p.setHeader("retry-after", "<decimal seconds, just under "+strconv.FormatFloat(limit.pause().Seconds(), 'f', -1, 64)+">")
	}
	if isBodiless(p.answer.Status) {
		p.leaveBody(p.answer.Status)
		return true
	}
	p.setBody(limit.overLimit())
	if p.step.Request.method() == http.MethodHead {
		p.answer.Body, p.answer.BodyLen = new(""), 0
	}
	return true
}

// wholeSeconds: Retry-After of a rate limit has no fraction.
func wholeSeconds(p *promise) bool {
	after := header(p.answer.Headers, "retry-after")
	if most, ok := strings.CutPrefix(after, "<decimal seconds, just under "); ok {
		p.setHeader("retry-after", "<whole seconds, at most "+most)
		return true
	}
	exact, err := strconv.ParseFloat(after, 64)
	if err != nil || exact == float64(int(exact)) || !slices.Contains(p.step.Expect.ErrorCodes, "QuotaExceededError") {
		return false
	}
	p.setHeader("retry-after", strconv.Itoa(int(exact)+1))
	return true
}
