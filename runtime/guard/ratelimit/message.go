package ratelimit

import (
	"strconv"
	"strings"
	"time"
)

// Message returns the body of the answer to a request over the limit: {0} of
// the rule's Message is the limit, {1} the period and {2} the seconds to wait.
// Doubled braces stand for one; other braces stay as they are.
func (l *Limiter) Message(d Decision) string {
	return strings.NewReplacer("{{", "{", "}}", "}",
		"{0}", strconv.FormatInt(l.rule.Limit, 10),
		"{1}", periodText(l.rule),
		"{2}", RetryAfter(d)).Replace(l.rule.Message)
}

// UnknownMessage returns the body of the answer to a client that does not say
// who it is, in Ocelot's words. It does not name the header: who may pass has
// been told.
func (l *Limiter) UnknownMessage(route string) string {
	return "Rate limiting client could not be identified for the route '" + route +
		"' due to a missing or unknown client ID header required by rule '" + l.name + "'!"
}

// RetryAfter returns the value of the Retry-After header for a request that is
// turned away: whole seconds, rounded up; -1 for an unknown client, whom no
// waiting helps.
func RetryAfter(d Decision) string {
	if d.Outcome == Unknown {
		return "-1"
	}
	return strconv.FormatInt(int64((d.RetryAfter+time.Second-1)/time.Second), 10)
}

// ResetText returns the value of the X-RateLimit-Reset header, in UTC with the
// seven digits of .NET's round-trip format.
func ResetText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.0000000Z") }
