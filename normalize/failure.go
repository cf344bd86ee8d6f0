package normalize

import (
	"strings"

	"github.com/margay-dev/margay/schema/config"
)

// Infinite is a timer that never ends, as .NET writes it: an OuterTimeout of
// this many milliseconds is no limit. It comes about before Ocelot 24.1 only.
const Infinite = -1

// Refusal is an option that Polly throws over, each time a request asks for
// the route's pipeline (strategyError in versions.jsonl).
type Refusal struct {
	// Options are those that Polly names, in its order: those of one
	// strategy, the first that is refused.
	Options []Refused
}

// Refused is one number that Polly does not take.
type Refused struct {
	Option Option
	// Value is the number; its origin is Default where Ocelot's own default
	// is what Polly refuses.
	Value config.Value[int32]
}

// refuse notes a number that Polly throws over. Strategies are built one by
// one, so that a refused breaker leaves the timeout unseen.
func (c *constraining) refuse(o Option, v config.Value[int32]) {
	switch {
	case c.into.Refused == nil:
		c.into.Refused = &Refusal{}
	case (c.into.Refused.Options[0].Option == Timeout) != (o == Timeout):
		return
	}
	c.into.Refused.Options = append(c.into.Refused.Options, Refused{o, v})
}

// Failure is why every request of a route fails with status 500.
type Failure struct {
	// Refused are the numbers to blame. None: the outer timer is, whose
	// number is OuterTimeout of the route.
	Refused []Refused
	// Exception is the full name of the .NET exception.
	Exception string
	// Message is its text.
	Message string
}

// Failure returns why every request of the route fails; nil where it does not.
// A negative OuterTimeout is a reason in every program, Polly's refusal before
// 24.1 only.
func (r *Route) Failure() *Failure {
	switch {
	case r.Kind == Aggregate:
		return nil
	case r.OuterTimeout.V < 0 && !r.isInfinite():
		return r.outerFailure()
	case r.Refused != nil && r.SharedWith < 0:
		return r.refusal()
	}
	return nil
}

// isInfinite says whether the route has no outer timer at all.
func (r *Route) isInfinite() bool { return r.OuterTimeout.V == Infinite }

const argumentOutOfRange = "System.ArgumentOutOfRangeException"

// outerFailure is what starting a timer of negative length throws. Its text is
// known where HttpClient is the timer.
func (r *Route) outerFailure() *Failure {
	f := &Failure{Exception: argumentOutOfRange}
	if r.gateway.facts.ClientTimer {
		length := timeSpan(r.OuterTimeout.V)
		f.Message = "value ('" + length + "') must be greater than '00:00:00'. (Parameter 'value')\nActual value was " + length + "."
	}
	return f
}

func (r *Route) refusal() *Failure {
	f := &Failure{Refused: r.Refused.Options}
	first := f.Refused[0]
	if r.gateway.facts.Polly.AlwaysTimeout {
		f.Exception, f.Message = argumentOutOfRange, policyText(first)
		return f
	}
	f.Exception = "System.ComponentModel.DataAnnotations.ValidationException"
	strategy := "CircuitBreakerStrategyOptions<HttpResponseMessage>"
	if first.Option == Timeout {
		strategy = "TimeoutStrategyOptions"
	}
	var b strings.Builder
	b.WriteString("The '" + strategy + "' are invalid.\nValidation Errors:\n")
	for _, o := range f.Refused {
		b.WriteString("The field " + o.Option.String() + " must be between " + rangeText(o.Option) + ".\n")
	}
	f.Message = b.String()
	return f
}

// rangeText prints a range as Polly 8 does.
func rangeText(o Option) string {
	switch o {
	case MinimumThroughput:
		return "2 and 2147483647"
	case Timeout:
		return "00:00:00.0100000 and 1.00:00:00"
	}
	return "00:00:00.5000000 and 1.00:00:00"
}

// policyText is what Polly 7 says.
func policyText(o Refused) string {
	if o.Option == BreakDuration {
		return "Value must be greater than zero. (Parameter 'durationOfBreak')"
	}
	return "timeout must be a positive TimeSpan (or Timeout.InfiniteTimeSpan to indicate no timeout) (Parameter 'timeout')\n" +
		"Actual value was " + timeSpan(int64(o.Value.V)) + "."
}
