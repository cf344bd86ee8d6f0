package emit

import (
	"fmt"
	"math"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/profile"
)

// Sentences says in plain words what a route of a result gets, as Explain does:
// when its breaker opens, how long a caller waits, and what margay alone runs.
func Sentences(r *Result, route *normalize.Route) []string {
	return append(qosSentences(r.Gateway, route), resilienceSentences(route)...)
}

// PlanSentences says the same of a route of a plan.
func PlanSentences(route *plan.Route) []string {
	sentences := []string{circuitSentence(route.Breaker, route.Failures, countingOf(route.Failures)), boundSentence(boundsOf(route))}
	return append(sentences, strategySentences(route)...)
}

// qosSentences are about the breaker and the timeouts of a route.
func qosSentences(g *normalize.Gateway, route *normalize.Route) []string {
	return sentencesOf(route, sharedOwner(g, route), g.Profile)
}

// sentencesOf says what a route gets that has the breaker of owner. Where every
// request fails, no breaker and no timeout comes into it.
func sentencesOf(route, owner *normalize.Route, p profile.Profile) []string {
	switch {
	case refused(route):
		return []string{fmt.Sprintf("every request is answered 500: %s. The start is fine, and no log line warns.", refusalWords(route, namesOfRelease(p)))}
	case route.Failure() != nil:
		return []string{fmt.Sprintf("every request is answered 500, and the service is not asked: the outer timeout comes to %s, and no timer can have that.",
			duration(route.OuterTimeout.V))}
	}
	return []string{breakerSentence(owner, p), waitSentence(route, owner)}
}

// breakerSentence says in plain words when a route's breaker opens, on what,
// and for how long.
func breakerSentence(route *normalize.Route, p profile.Profile) string {
	if route.Breaker.Kind == normalize.NoBreaker && !route.Active {
		return "there is no circuit breaker: QoS is not active, so a failing service is asked again and again."
	}
	return circuitSentence(breaker(route), failures(route, p), counting(p))
}

// counting says what an attempt timeout is to the breaker of a profile.
func counting(p profile.Profile) profile.Counting {
	if p.Provider == profile.Polly {
		return p.Facts().Timeouts
	}
	return profile.Counted
}

// countingOf says what a timeout is to the breaker of a plan.
func countingOf(f plan.Failures) profile.Counting {
	if f.Timeouts == plan.Success {
		return profile.Uncounted
	}
	return profile.Counted
}

func circuitSentence(b *plan.Breaker, f plan.Failures, timeouts profile.Counting) string {
	switch {
	case b == nil:
		return "there is no circuit breaker: a failing service is asked again and again."
	case b.Kind == plan.Expression:
		return fmt.Sprintf("when %s is true, looked at every %s, every request is answered %d for %s; then more and more of them are let through over %s.",
			printable(b.Expression), duration(int64(b.CheckPeriod)), b.ResponseCode, duration(int64(b.FallbackDuration)), duration(int64(b.RecoveryDuration)))
	}
	when := fmt.Sprintf("after %s in a row (%s)", plural(int64(b.MinimumThroughput), "failure"), failureWords(f, timeouts))
	if b.Kind != plan.Consecutive {
		when = fmt.Sprintf("when at least %s of at least %s calls within %s fail (%s)", percent(b.FailureRatio),
			grouped(int64(b.MinimumThroughput)), duration(int64(b.SamplingDuration)), failureWords(f, timeouts))
	}
	open := duration(int64(b.BreakDuration))
	text := fmt.Sprintf("%s every request is answered 503 for %s, then one request may try; if it fails, another %s.", when, open, open)
	if hint := hairTrigger(b); hint != "" {
		text += " " + hint
	}
	return text
}

// hairTrigger says that a ratio of so few calls is reached by one failure.
func hairTrigger(b *plan.Breaker) string {
	if b.Kind == plan.Consecutive || math.Ceil(float64(b.MinimumThroughput)*b.FailureRatio) > 1 {
		return ""
	}
	return fmt.Sprintf("One failure after %s is enough.", plural(int64(b.MinimumThroughput)-1, "good call"))
}

// failureWords says what counts as a failure.
func failureWords(f plan.Failures, timeouts profile.Counting) string {
	var codes []string
	for _, c := range f.StatusCodes {
		text := fmt.Sprint(c.First)
		if c.Last != c.First {
			text += fmt.Sprintf("–%d", c.Last)
		}
		codes = append(codes, text)
	}
	what := "status " + strings.Join(codes, ", ")
	if len(codes) == 0 {
		what = "no status"
	}
	if f.TransportErrors == plan.Success {
		return what + timeoutWords(timeouts) + " a connection that is refused counts as a success"
	}
	return what + ", a timeout, or no connection"
}

// timeoutWords says what a timeout is to Polly's breaker, in the middle of a
// list.
func timeoutWords(timeouts profile.Counting) string {
	switch timeouts {
	case profile.Uncounted:
		return "; a timeout does not count, and"
	case profile.Raced:
		return " or a timeout, unless the timer of the whole request, which is as long, comes first;"
	}
	return " or a timeout;"
}

// bounds are what ends a call.
type bounds struct {
	outer, attempt int64 // milliseconds; an attempt of 0 has none
	retries        bool
}

func boundsOf(route *plan.Route) bounds {
	b := bounds{outer: math.MaxInt64, attempt: int64(route.AttemptTimeout), retries: route.Retry != nil}
	if route.OuterTimeout != nil {
		b.outer = int64(*route.OuterTimeout)
	}
	return b
}

// waitSentence says how long a caller waits at worst, and what ends it. owner is
// the route whose attempt timeout is in force, see sharedOwner.
func waitSentence(route, owner *normalize.Route) string {
	outer := route.OuterTimeout.V
	if outer == normalize.Infinite {
		outer = math.MaxInt64
	}
	return boundSentence(bounds{
		outer: outer, attempt: int64(owner.AttemptTimeout.V),
		retries: route.Resilience != nil && route.Resilience.Retry != nil,
	})
}

func boundSentence(b bounds) string {
	switch {
	case b.outer < 0:
		return fmt.Sprintf("Every request is answered 500: the outer timeout comes to %s.", duration(b.outer))
	case b.outer == 0:
		return "Requests are answered 503 at once: the outer timeout comes to 0 ms."
	case b.outer == math.MaxInt64:
		return "No timeout bounds how long a caller waits."
	case b.attempt <= 0:
		return fmt.Sprintf("A caller waits at most %s: no attempt timeout is set, so a hanging service is cut off by the outer timeout.", duration(b.outer))
	case b.retries:
		return fmt.Sprintf("Each attempt is cut off after %s, and a caller waits at most %s, retries and the waits between them included.", duration(b.attempt), duration(b.outer))
	case b.outer < b.attempt:
		return fmt.Sprintf("A caller waits at most %s: the whole request is cut off before the attempt timeout of %s.", duration(b.outer), duration(b.attempt))
	}
	return fmt.Sprintf("A caller waits at most %s: then the attempt is cut off and answered 503.", duration(b.attempt))
}

// resilienceSentences are about what only margay runs.
func resilienceSentences(route *normalize.Route) []string {
	o := route.Resilience
	if o == nil {
		return nil
	}
	var lowered plan.Route
	addResilient(&lowered, o)
	return append(strategySentences(&lowered), "ResilienceOptions are run by margay alone: Ocelot ignores them.")
}

func strategySentences(route *plan.Route) []string {
	var all []string
	if x := route.Retry; x != nil {
		text := fmt.Sprintf("A failed %s request is sent again up to %s", strings.Join(x.Methods, ", "), times(x.MaxRetryAttempts))
		if x.Budget != nil {
			text += fmt.Sprintf(", as long as retries stay below %s of the requests", percent(x.Budget.RetryRatio))
		}
		all = append(all, text+".")
	}
	if x := route.Limiter; x != nil {
		all = append(all, fmt.Sprintf("At most %s run at a time, %s may wait.", plural(int64(x.PermitLimit), "call"), grouped(int64(x.QueueLimit))))
	}
	if x := route.Fallback; x != nil {
		all = append(all, fallbackSentence(x))
	}
	if x := route.PassiveHealth; x != nil {
		all = append(all, fmt.Sprintf("A host that fails %s is passed over for %s while others are left.", failingText(x), duration(int64(x.BreakDuration))))
	}
	if route.Chaos != nil {
		all = append(all, "Chaos injects faults on purpose.")
	}
	return all
}

// failingText says when passive health takes a host for failing.
func failingText(b *plan.Breaker) string {
	if b.Kind == plan.Consecutive {
		return times(b.MinimumThroughput) + " in a row"
	}
	return fmt.Sprintf("%s of at least %s calls within %s", percent(b.FailureRatio), grouped(int64(b.MinimumThroughput)), duration(int64(b.SamplingDuration)))
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return grouped(int64(n)) + " times"
}

func fallbackSentence(f *plan.Fallback) string {
	stale := duration(int64(f.StaleIfError))
	switch {
	case f.StaleIfError > 0 && f.StatusCode > 0:
		return fmt.Sprintf("In place of a failure the last good answer of the past %s is given, or else status %d.", stale, f.StatusCode)
	case f.StaleIfError > 0:
		return fmt.Sprintf("In place of a failure the last good answer of the past %s is given.", stale)
	}
	return fmt.Sprintf("In place of a failure status %d is given.", f.StatusCode)
}
