// Package ratelimit bounds how many requests a client may make in a fixed
// window, as Ocelot 25.0 does (RateLimiting, RateLimitingMiddleware; recordings
// rl-*).
//
// A client is the value of a request header. Its first request starts a window
// of Period; from the one that exceeds Limit on it is turned away, until the
// window ends, or, where a Wait is set, until Wait has passed since then. Then
// the next request starts a new window. Requests that are turned away count.
//
// Counters live in a [Store], which outlives plans and is bounded: when it is
// full, the client that was seen longest ago is forgotten. Time is monotonic.
package ratelimit

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
)

// Limiter applies one rule. It is safe for concurrent use.
type Limiter struct {
	store  *Store
	rule   *plan.RateLimit
	name   string // of the rule, as messages call it
	shared string // what counters of equal rules have in common
	exempt map[string]bool
}

// New returns the limiter of a rule. Limiters of one store share a counter
// where prefix, Share and rule are equal. The rule must not change.
func New(store *Store, rule *plan.RateLimit) *Limiter {
	name := ruleName(rule)
	l := &Limiter{store: store, rule: rule, name: name, exempt: make(map[string]bool, len(rule.ExemptClients)),
		shared: strings.Join([]string{rule.KeyPrefix, rule.Share, name}, "\x00")}
	for _, client := range rule.ExemptClients {
		l.exempt[client] = true
	}
	return l
}

// Outcome is what becomes of a request.
type Outcome uint8

// The outcomes.
const (
	// Exempt requests are not counted.
	Exempt Outcome = iota
	// Admitted requests are counted and may pass.
	Admitted
	// Exceeded requests are turned away, and counted.
	Exceeded
	// Unknown is a request that does not say whose it is. It is turned away.
	Unknown
)

// Decision is the answer to one request.
type Decision struct {
	Outcome Outcome
	// Remaining is how many requests are left in the window, and Reset is when it
	// ends. Both belong to Admitted.
	Remaining int64
	Reset     time.Time
	// RetryAfter is how long the client has to wait. It belongs to Exceeded.
	RetryAfter time.Duration
}

// Take counts a request of a client and decides on it. The client is the value
// of the rule's ClientHeader, several joined by commas; empty is not known.
func (l *Limiter) Take(client string) Decision { return l.take(l.shared, client) }

// TakeFor does so where one rule is for many services, each with counters of
// its own.
func (l *Limiter) TakeFor(service, client string) Decision {
	return l.take(l.shared+"\x00"+service, client)
}

func (l *Limiter) take(shared, client string) Decision {
	switch {
	case l.exempt[client]:
		return Decision{Outcome: Exempt}
	case client == "":
		return Decision{Outcome: Unknown}
	}
	now := time.Now()
	at := now.Sub(l.store.epoch)
	c := l.store.count(shared, client, func(c counter, known bool) counter { return l.next(c, known, at) })
	if c.total > l.rule.Limit {
		return Decision{Outcome: Exceeded, RetryAfter: l.retryAfter(c, at)}
	}
	return Decision{Outcome: Admitted, Remaining: l.rule.Limit - c.total,
		Reset: now.Add(c.started - at + l.rule.Period.Duration())}
}

// next returns the counter behind one more request.
func (l *Limiter) next(c counter, known bool, now time.Duration) counter {
	fresh := counter{started: now, total: 1, exceeded: never}
	if !known {
		return l.mark(fresh, now)
	}
	c.total++
	c = l.mark(c, now)
	inWindow := behind(c.started, l.rule.Period) >= now
	inWait := c.exceeded != never && behind(c.exceeded, l.rule.Wait) >= now
	if !inWindow && !inWait || c.total > l.rule.Limit && l.retryAfter(c, now) < 0 {
		return l.mark(fresh, now)
	}
	return c
}

// mark notes when the limit was exceeded. A limit of 0 is exceeded by the first
// request already.
func (l *Limiter) mark(c counter, now time.Duration) counter {
	if c.total > l.rule.Limit && c.exceeded == never {
		c.exceeded = now
	}
	return c
}

// retryAfter returns how long a client over the limit has to wait; less than 0
// if it need not any more.
func (l *Limiter) retryAfter(c counter, now time.Duration) time.Duration {
	end := behind(c.exceeded, l.rule.Wait)
	if l.rule.Wait == 0 {
		end = behind(c.started, l.rule.Period)
	}
	if end > now {
		return end - now
	}
	return -1
}

// behind returns the moment so long after a start, or the last one that there is:
// the longest period of a plan would turn round, and the limit would be none.
func behind(start time.Duration, wait plan.Millis) time.Duration {
	return start + min(wait.Duration(), math.MaxInt64-max(start, 0))
}

// ruleName returns "limit/period/wWait", the periods with their units.
func ruleName(r *plan.RateLimit) string {
	return strconv.FormatInt(r.Limit, 10) + "/" + periodText(r) + "/w" + inUnits(r.Wait)
}

func periodText(r *plan.RateLimit) string {
	if r.PeriodText != "" {
		return r.PeriodText
	}
	return inUnits(r.Period)
}

// inUnits writes a time in the largest unit that needs no fraction.
func inUnits(m plan.Millis) string {
	for _, u := range []struct {
		millis plan.Millis
		name   string
	}{{86_400_000, "d"}, {3_600_000, "h"}, {60_000, "m"}, {1000, "s"}} {
		if m > 0 && m%u.millis == 0 {
			return strconv.FormatInt(int64(m/u.millis), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(m), 10) + "ms"
}
