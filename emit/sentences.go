package emit

import (
	"fmt"
	"math"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/profile"
)

// breakerSentence says in plain words when a route's breaker opens, on what,
// and for how long.
func breakerSentence(route *normalize.Route, p profile.Profile) string {
	b := &route.Breaker
	if b.Kind == normalize.NoBreaker {
		if !route.Active {
			return "there is no circuit breaker: QoS is not active, so a failing service is asked again and again."
		}
		return "there is no circuit breaker: a failing service is asked again and again."
	}
	if b.Kind == normalize.Expression {
		return expressionSentence(route)
	}
	when := fmt.Sprintf("after %s in a row (%s)", plural(int64(b.MinimumThroughput.V), "failure"), failureWords(route, p))
	if b.Kind != normalize.Consecutive {
		when = fmt.Sprintf("when at least %s of at least %s calls within %s fail (%s)", percent(b.FailureRatio.V),
			grouped(int64(b.MinimumThroughput.V)), duration(int64(b.SamplingDuration.V)), failureWords(route, p))
	}
	open := duration(int64(b.BreakDuration.V))
	text := fmt.Sprintf("%s every request is answered 503 for %s, then one request may try; if it fails, another %s.", when, open, open)
	if hint := hairTrigger(b); hint != "" {
		text += " " + hint
	}
	return text
}

// hairTrigger says that a ratio of so few calls is reached by one failure.
func hairTrigger(b *normalize.Breaker) string {
	throughput := float64(b.MinimumThroughput.V)
	if b.Kind == normalize.Consecutive || math.Ceil(throughput*b.FailureRatio.V) > 1 {
		return ""
	}
	return fmt.Sprintf("One failure after %s is enough.", plural(int64(b.MinimumThroughput.V)-1, "good call"))
}

func expressionSentence(route *normalize.Route) string {
	x := route.Resilience.CircuitBreaker
	return fmt.Sprintf("when %s is true, looked at every %s, every request is answered %d for %s; then more and more of them are let through over %s.",
		printable(x.Expression.V), duration(int64(x.CheckPeriod.V)), x.ResponseCode.V,
		duration(int64(x.FallbackDuration.V)), duration(int64(x.RecoveryDuration.V)))
}

// failureWords says what counts as a failure.
func failureWords(route *normalize.Route, p profile.Profile) string {
	f := failures(route, p)
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
		return what + " or a timeout; a connection that is refused counts as a success"
	}
	return what + ", a timeout, or no connection"
}

// waitSentence says how long a caller waits at worst, and what ends it.
func waitSentence(route *normalize.Route) string {
	switch ms := route.OuterTimeout.V; {
	case ms < 0:
		return fmt.Sprintf("Every request is answered 500: the outer timeout comes to %s.", duration(ms))
	case ms == 0:
		return "Requests are answered 503 at once: the outer timeout comes to 0 ms."
	}
	retries := route.Resilience != nil && route.Resilience.Retry != nil
	switch {
	case !route.AttemptTimeout.IsSet():
		return fmt.Sprintf("A caller waits at most %s: no attempt timeout is set, so a hanging service is cut off by the outer timeout.", outer(route))
	case retries:
		return fmt.Sprintf("Each attempt is cut off after %s, and a caller waits at most %s, retries and the waits between them included.", attempt(route), outer(route))
	case route.OuterTimeout.V < int64(route.AttemptTimeout.V):
		return fmt.Sprintf("A caller waits at most %s: the whole request is cut off before the attempt timeout of %s.", outer(route), attempt(route))
	}
	return fmt.Sprintf("A caller waits at most %s: then the attempt is cut off and answered 503.", attempt(route))
}

// resilienceSentences are about what only margay runs.
func resilienceSentences(route *normalize.Route) []string {
	o := route.Resilience
	if o == nil {
		return nil
	}
	var all []string
	if x := o.Retry; x != nil && x.MaxRetryAttempts.V > 0 {
		text := fmt.Sprintf("A failed %s request is sent again up to %s", strings.Join(namesOf(x.Methods), ", "), times(x.MaxRetryAttempts.V))
		if b := x.RetryBudget; b != nil {
			text += fmt.Sprintf(", as long as retries stay below %s of the requests", percent(b.RetryRatio.V))
		}
		all = append(all, text+".")
	}
	if x := o.ConcurrencyLimiter; x != nil {
		all = append(all, fmt.Sprintf("At most %s run at a time, %s may wait.", plural(int64(x.PermitLimit.V), "call"), grouped(int64(x.QueueLimit.V))))
	}
	if x := o.Fallback; x != nil {
		all = append(all, fallbackSentence(x.StaleIfError.V, x.StatusCode.V))
	}
	if o.Chaos != nil {
		all = append(all, "Chaos injects faults on purpose.")
	}
	return append(all, "ResilienceOptions are run by margay alone: Ocelot ignores them.")
}

func times(n int32) string {
	if n == 1 {
		return "once"
	}
	return grouped(int64(n)) + " times"
}

func fallbackSentence(stale, status int32) string {
	switch {
	case stale > 0 && status > 0:
		return fmt.Sprintf("In place of a failure the last good answer of the past %s is given, or else status %d.", duration(int64(stale)), status)
	case stale > 0:
		return fmt.Sprintf("In place of a failure the last good answer of the past %s is given.", duration(int64(stale)))
	}
	return fmt.Sprintf("In place of a failure status %d is given.", status)
}
