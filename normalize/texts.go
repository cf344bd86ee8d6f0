package normalize

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/convert"
	"github.com/margay-dev/margay/schema/profile"
)

// Log is a line that Ocelot writes about a route's settings.
type Log struct {
	// Level is .NET's: "Warning" or "Error".
	Level string
	Text  string
}

// OuterWarning returns what Ocelot logs, once, when a request first reaches a
// route whose outer timeout it doubled; "" where it does not.
func (r *Route) OuterWarning() string {
	if r.Kind == Aggregate {
		return ""
	}
	s := r.situation()
	t := s.timeouts(r.QoS, r.by(), nil)
	if !t.doubled {
		return ""
	}
	what, where := "the route Timeout", ""
	if !t.route.IsSet() {
		what = "the DownstreamRoute.DefaultTimeoutSeconds"
		where = " instead of using DownstreamRoute.DefaultTimeoutSeconds"
	}
	relation := "is shorter than"
	if t.routeMS == t.attemptMS {
		relation = "is equal to"
	}
	return fmt.Sprintf("Route '%s' has Quality of Service settings (QoSOptions) enabled, but either %s or the QoS Timeout "+
		"is misconfigured: specifically, %s (%d ms) %s the QoS Timeout (%d ms). To mitigate potential request failures, "+
		"logged errors, or unexpected behavior caused by Polly's timeout strategy, Ocelot auto-doubled the QoS Timeout and "+
		"applied %d ms to the route Timeout%s. However, this adjustment does not guarantee correct Polly behavior. "+
		"Therefore, it's essential to assign correct values to both timeouts as soon as possible!",
		r.Name(), what, what, t.routeMS, relation, t.attemptMS, t.outer.V, where)
}

// PollyLogs returns what Ocelot logs when it builds the route's Polly pipeline,
// at the first request and not at the start (claim-D11); nil with another
// provider or inactive QoS. A negative outer timeout fails every request before
// that, so its warning stands alone (live-D23-overflow-polly).
func (r *Route) PollyLogs() []Log {
	if !r.Active || r.gateway.Profile.Provider != profile.Polly || !r.gateway.facts.Logs {
		return nil
	}
	var n notes
	q := QoS{Options: r.Options}
	constrain(&q, r.by(), &n)
	var logs []Log
	if !q.Breaker.MinimumThroughput.IsSet() {
		logs = append(logs, r.pollyLog("Error", "Circuit Breaker", fmt.Sprintf("the circuit breaker is disabled because the "+
			"MinimumThroughput value (%s) is either undefined, negative, or zero.", orUnknown(r.Options.MinimumThroughput.Value))))
	} else if texts := refusals(n.list, false); len(texts) > 0 {
		logs = append(logs, r.pollyLog("Warning", "Circuit Breaker", numbered(texts)))
	}
	if !q.AttemptTimeout.IsSet() {
		logs = append(logs, r.pollyLog("Error", "Timeout", fmt.Sprintf("the timeout is disabled because the Timeout (%s) "+
			"is either undefined, negative, or zero.", orUnknown(r.Options.Timeout.Value))))
	} else if texts := refusals(n.list, true); len(texts) > 0 {
		logs = append(logs, r.pollyLog("Warning", "Timeout", numbered(texts)))
	}
	return logs
}

func (r *Route) pollyLog(level, strategy, text string) Log {
	return Log{level, fmt.Sprintf("Route '%s' has invalid QoSOptions for Polly's %s strategy. Specifically, %s", r.Name(), strategy, text)}
}

func orUnknown(v config.Value[int32]) string {
	if !v.IsSet() {
		return "?"
	}
	return strconv.Itoa(int(v.V))
}

// refusals words the replaced options of the timeout strategy or the breaker.
func refusals(list []Substitution, ofTimeout bool) []string {
	var texts []string
	for _, s := range list {
		if (s.Option == Timeout) == ofTimeout && s.Effective.IsSet() {
			texts = append(texts, s.refusal())
		}
	}
	return texts
}

// refusal prints the bounds as Ocelot does: as if they were included.
func (s *Substitution) refusal() string {
	least, unit, noun := 500, " milliseconds", "value"
	const day = 86_400_000
	most := strconv.Itoa(day)
	switch s.Option {
	case MinimumThroughput:
		return fmt.Sprintf("the MinimumThroughput value (%s) is less than the required LowMinimumThroughput threshold (%d). Therefore, "+
			"increase MinimumThroughput to at least %[2]d or higher. Until then, the default value (%d) will be substituted.",
			convert.FormatDouble(s.Written.V), lowThroughput, defaultThroughput)
	case FailureRatio:
		least, most, unit, noun = 0, "1", "", "ratio"
	case SamplingDuration:
		noun = "duration"
	case Timeout:
		least = 10
	}
	return fmt.Sprintf("the %s value (%s) is outside the valid range (%d to %s%s). Therefore, ensure the %s falls within this range; "+
		"otherwise, the default value (%s) will be substituted.",
		s.Option, convert.FormatDouble(s.Written.V), least, most, unit, noun, convert.FormatDouble(s.Effective.V))
}

// numbered joins several texts as a list, each with a capital.
func numbered(texts []string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	var b strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&b, "\n  %d. T%s", i+1, text[1:])
	}
	return b.String()
}
