package emit

import (
	"math"
	"strconv"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/prose"
)

// none stands in a cell where there is nothing.
const none = "–"

func duration(ms int64) string { return prose.Duration(ms) }

func grouped(n int64) string { return prose.Grouped(n) }

func percent(ratio float64) string { return prose.Percent(ratio) }

// numeral prints a number as people write it.
func numeral(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return grouped(int64(f))
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// opens words when a breaker opens, for a cell of the table.
func opens(route *normalize.Route) string {
	if refused(route) {
		return "always 500"
	}
	b := &route.Breaker
	switch b.Kind {
	case normalize.Consecutive:
		return plural(int64(b.MinimumThroughput.V), "failure") + " in a row"
	case normalize.Ratio, normalize.Polly:
		return "≥ " + percent(b.FailureRatio.V) + " of ≥ " + grouped(int64(b.MinimumThroughput.V)) + " in " + duration(int64(b.SamplingDuration.V))
	case normalize.Expression:
		return "expression"
	}
	if route.Active {
		return "never"
	}
	return none
}

// staysOpen words how long a breaker stays open.
func staysOpen(route *normalize.Route) string {
	switch b := &route.Breaker; b.Kind {
	case normalize.NoBreaker:
		return none
	case normalize.Expression:
		return duration(int64(route.Resilience.CircuitBreaker.FallbackDuration.V))
	default:
		return duration(int64(b.BreakDuration.V))
	}
}

func attempt(route *normalize.Route) string {
	if !route.AttemptTimeout.IsSet() {
		return none
	}
	return cell(int64(route.AttemptTimeout.V))
}

// cell words milliseconds for a cell of the table: days where the exact number
// would not fit and nobody waits so long.
func cell(ms int64) string {
	const day = 86_400_000
	if ms > day && ms%1000 != 0 {
		return strconv.FormatFloat(float64(ms)/day, 'f', 1, 64) + " days"
	}
	return duration(ms)
}

// outer words the outer timeout. What 0 and less do is recorded: 503 at once,
// unless the backend wins the race, and 500 on every request.
func outer(route *normalize.Route) string {
	switch ms := route.OuterTimeout.V; {
	case route.Kind == normalize.Aggregate, ms == normalize.Infinite:
		return none
	case ms < 0:
		return "always 500"
	case ms == 0:
		return "503 at once"
	default:
		return cell(ms)
	}
}

func plural(n int64, noun string) string { return prose.Plural(n, noun) }

// routeName is what a table and an explanation call a route.
func routeName(route *normalize.Route) string {
	switch route.Kind {
	case normalize.Unlisted:
		return "any unlisted service"
	case normalize.Dynamic:
		name := route.Dynamic.ServiceName.V
		if ns := route.Dynamic.ServiceNamespace.V; ns != "" {
			name = ns + "." + name
		}
		return "service " + printable(name)
	}
	return printable(identityOf(route))
}

func printable(text string) string { return prose.Printable(text) }
