package emit

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/margay-dev/margay/normalize"
)

// none stands in a cell where there is nothing.
const none = "–"

// duration words milliseconds: "90 s", "1.5 s", "500 ms", "1 200 ms".
func duration(ms int64) string {
	switch {
	case ms != 0 && ms%1000 == 0:
		return grouped(ms/1000) + " s"
	case ms > 1000 && ms%100 == 0:
		return grouped(ms/1000) + "." + strconv.FormatInt(ms%1000/100, 10) + " s"
	}
	return grouped(ms) + " ms"
}

// grouped prints a number with a space between groups of three digits, from
// four digits on.
func grouped(n int64) string {
	digits, sign := strconv.FormatInt(n, 10), ""
	if n < 0 {
		digits, sign = digits[1:], "−"
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	return sign + digits
}

// percent words a ratio: "50 %", "12.5 %".
func percent(ratio float64) string {
	return strconv.FormatFloat(math.Round(ratio*1e6)/1e4, 'f', -1, 64) + " %"
}

// numeral prints a number as people write it.
func numeral(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return grouped(int64(f))
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// opens words when a breaker opens, for a cell of the table.
func opens(route *normalize.Route) string {
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
	return duration(int64(route.AttemptTimeout.V))
}

// outer words the outer timeout. What 0 and less do is recorded: 503 at once,
// unless the backend wins the race, and 500 on every request.
func outer(route *normalize.Route) string {
	switch ms := route.OuterTimeout.V; {
	case route.Kind == normalize.Aggregate:
		return none
	case ms < 0:
		return "always 500"
	case ms == 0:
		return "503 at once"
	default:
		return duration(ms)
	}
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

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

// printable replaces what could play tricks on a terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
