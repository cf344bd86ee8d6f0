package profile

import (
	"fmt"
	"strings"
)

// Aspect is one thing that programs do, and what each of them does.
type Aspect struct {
	Name string
	// Cases are from old to new; programs that do the same and stand next to
	// each other are one.
	Cases []Case
}

// Case is what some programs do.
type Case struct {
	// Programs are their names: "23.2", "25.0 built-in".
	Programs []string
	// Text is a clause without a full stop.
	Text string
}

// Span names the programs of a case: "23.2 to 24.0". A program all of whose
// providers are in it is named alone.
func (c Case) Span() string {
	var names []string
	for i, name := range c.Programs {
		version, _, _ := strings.Cut(name, " ")
		switch {
		case i > 0 && strings.HasPrefix(c.Programs[i-1], version+" "):
			names[len(names)-1] = version
		default:
			names = append(names, name)
		}
	}
	if n := len(names); n > 1 {
		return names[0] + " to " + names[n-1]
	}
	return names[0]
}

// aspect is a row of the table: a name, and what says it of a profile.
type aspect struct {
	name string
	of   func(Profile) string
}

var aspects = [...]aspect{
	{"names of the options", wordNames},
	{"the global QoSOptions", wordGlobal},
	{"QoS is active with", wordActivity},
	{"the circuit opens", wordOpens},
	{"a breaker number of 1", wordOne},
	{"a breaker number of 0 or less", wordZero},
	{"no break written", wordNoBreak},
	{"a break may be", func(p Profile) string { return wordBound(p.Limits().BreakDuration) }},
	{"a breaker without a timeout", wordNoTimeout},
	{"a timeout may be", wordTimeout},
	{"a timeout of -1", wordMinusOne},
	{"the timer of the whole request", wordOuter},
	{"to the circuit, a timeout", wordCounting},
	{"to the circuit, a refused connection", wordRefused},
	{"circuits are kept by", wordCircuit},
	{"an open circuit answers", func(p Profile) string { return wordAnswer(p.Answers().CircuitOpen) }},
	{"a QoS timeout answers", func(p Profile) string { return wordAnswer(p.Answers().AttemptTimeout) }},
	{"without a provider it starts", wordStart},
}

// Matrix returns what the recorded programs do, from the same data by which they
// are followed.
func Matrix() []Aspect {
	columns := columnsOf()
	table := make([]Aspect, 0, len(aspects))
	for _, a := range aspects {
		row := Aspect{Name: a.name}
		for _, c := range columns {
			text := a.of(c.profile)
			if n := len(row.Cases); n > 0 && row.Cases[n-1].Text == text {
				row.Cases[n-1].Programs = append(row.Cases[n-1].Programs, c.name)
				continue
			}
			row.Cases = append(row.Cases, Case{[]string{c.name}, text})
		}
		table = append(table, row)
	}
	return table
}

// column is a program with one of its providers.
type column struct {
	name    string
	profile Profile
}

// columnsOf returns the columns from old to new; a program with two providers
// has two.
func columnsOf() []column {
	var columns []column
	for i := len(programs) - 1; i >= 0; i-- {
		row := &programs[i]
		for j := len(row.providers) - 1; j >= 0; j-- {
			c := column{row.version, Profile{Version: row.version, Provider: row.providers[j]}}
			if len(row.providers) > 1 {
				c.name += " " + [...]string{"built-in", "Polly"}[c.profile.Provider]
			}
			columns = append(columns, c)
		}
	}
	return columns
}

func wordNames(p Profile) string {
	const old = "DurationOfBreak, ExceptionsAllowedBeforeBreaking and TimeoutValue"
	if !p.Facts().Inherits {
		return old + "; the later names are ignored"
	}
	return old + ", and since 24.1 BreakDuration, MinimumThroughput, FailureRatio, SamplingDuration and Timeout; where both are written the old one counts"
}

func wordGlobal(p Profile) string {
	if !p.Facts().Inherits {
		return "are for the services of discovery alone, and RouteKeys are ignored"
	}
	return "fill option by option what routes of RouteKeys leave out, and reach services that are not listed whatever RouteKeys say"
}

func wordActivity(p Profile) string {
	options := []string{"a breaker number", "a timeout"}
	if p.Facts().RatioActivates {
		options = append(options, "a ratio")
	}
	return strings.Join(options[:len(options)-1], ", ") + " or " + options[len(options)-1] + " above 0"
}

func wordOpens(p Profile) string {
	limits := p.Limits()
	switch {
	case p.Provider == Builtin:
		return fmt.Sprintf("after N failures in a row; with a FailureRatio when that part of at least N calls in %s fail", seconds(limits.SamplingDuration.Instead))
	case limits.Ratio == 0:
		return "after N failures in a row"
	}
	text := fmt.Sprintf("when %g %% of at least N calls in %s fail", limits.Ratio*100, seconds(limits.SamplingDuration.Instead))
	if p.Facts().Inherits {
		text += ", both settable"
	}
	return text
}

func wordOne(p Profile) string {
	return [...]string{
		OneIsHundred: "becomes 100",
		OneIsOff:     "means no breaker, without a message",
		OneIsRefused: "is an exception at every request",
		OneIsOne:     "counts: the first failure opens the circuit",
	}[p.Limits().Throughput]
}

func wordZero(p Profile) string {
	if p.Divergences().Has(ZeroThroughput) && p.Provider == Builtin {
		return "becomes 100 where another option makes QoS active"
	}
	return "means no breaker"
}

func wordNoBreak(p Profile) string {
	limits, written := p.Limits(), p.Facts().Defaults.BreakDuration
	switch b := limits.BreakDuration; {
	case b.Instead != 0:
		return "means " + seconds(b.Instead)
	case b.Refuses(written):
		return fmt.Sprintf("is an exception at every request: Ocelot's default of %d ms is too short for Polly", written)
	default:
		return fmt.Sprintf("means %d ms", written)
	}
}

// wordBound says what a number may be, and what becomes of others.
func wordBound(b Bound) string {
	var parts []string
	if b.Instead != 0 {
		text := fmt.Sprintf("above %d ms", b.Over)
		if b.Under != 0 {
			text += fmt.Sprintf(" and below %d", b.Under)
		}
		parts = append(parts, text+", else "+seconds(b.Instead))
	}
	if b.Most != 0 {
		switch {
		case b.Most == noTimeout:
			parts = append(parts, fmt.Sprintf("%d ms or more, else an exception at every request", b.Least))
		case b.Instead != 0:
			parts = append(parts, fmt.Sprintf("above %d an exception at every request", b.Most))
		default:
			parts = append(parts, fmt.Sprintf("%d to %d ms, else an exception at every request", b.Least, b.Most))
		}
	}
	return strings.Join(parts, "; ")
}

func wordNoTimeout(p Profile) string {
	if p.Limits().AlwaysTimeout {
		return "is an exception at every request"
	}
	return "works"
}

func wordTimeout(p Profile) string {
	text := wordBound(p.Limits().Timeout)
	if p.Limits().NoTimeout != 0 {
		text += fmt.Sprintf("; %d means none", p.Limits().NoTimeout)
	}
	return text
}

func wordMinusOne(p Profile) string {
	if p.Facts().RouteTimeouts {
		return "means no QoS timeout; the timer of the whole request stays"
	}
	return "means no limit at all; anything below it is an exception at every request"
}

func wordOuter(p Profile) string {
	if p.Facts().RouteTimeouts {
		return "is Timeout of the route or the global one, in seconds, else 90 s, and twice the QoS timeout where that is not shorter"
	}
	return "is TimeoutValue, or 90 s where that is 0; Timeout has no effect"
}

func wordCounting(p Profile) string {
	if p.Provider == Builtin {
		return "is a failure"
	}
	switch {
	case p.Facts().TimeoutOutside:
		return "is nothing: it lies around the breaker"
	case p.Facts().Timeouts == Uncounted:
		return "is nothing: the timer of the whole request is as long and comes first"
	case p.Facts().Timeouts == Raced:
		return "mostly is a failure: it races with the timer of the whole request"
	}
	return "is a failure"
}

func wordRefused(p Profile) string {
	if p.Provider == Builtin {
		return "is a failure"
	}
	return "is a success"
}

func wordCircuit(p Profile) string {
	if p.Provider == Builtin {
		return "route"
	}
	return [...]string{
		CircuitByBalancer:  "load-balancing key",
		CircuitByRouteName: "service and path, whatever the method and host",
		CircuitByService:   "service, or path where there is none, whatever the method and host",
	}[p.Facts().Circuit]
}

func wordAnswer(a Answer) string {
	if a.Body == "" {
		return fmt.Sprintf("%d with an empty body", a.Status)
	}
	return fmt.Sprintf("%d with %q", a.Status, strings.Replace(a.Body, "%s", "…", 1))
}

func wordStart(p Profile) string {
	if p.Facts().Start.BothOptions {
		return "unless a section has both a breaker and a timeout"
	}
	return "only where QoS is not active anywhere"
}

func seconds(ms int32) string {
	if ms%1000 != 0 {
		return fmt.Sprintf("%d ms", ms)
	}
	return fmt.Sprintf("%d s", ms/1000)
}
