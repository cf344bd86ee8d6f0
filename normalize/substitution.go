package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// Option is something that can be set on a route.
type Option uint8

// The options. The first five are those of QoSOptions; RouteTimeout is in
// seconds, OuterTimeout is what becomes of it in milliseconds.
const (
	BreakDuration Option = iota
	MinimumThroughput
	FailureRatio
	SamplingDuration
	Timeout
	RouteTimeout
	OuterTimeout
)

// String returns the option's name as Ocelot spells it.
func (o Option) String() string {
	return [...]string{"BreakDuration", "MinimumThroughput", "FailureRatio", "SamplingDuration",
		"Timeout", "Timeout", "Timeout"}[o]
}

// Deprecated returns the name that the option had before 24.1; "" if it has
// always had its name.
func (o Option) Deprecated() string {
	switch o {
	case BreakDuration:
		return "DurationOfBreak"
	case MinimumThroughput:
		return "ExceptionsAllowedBeforeBreaking"
	case Timeout:
		return "TimeoutValue"
	}
	return ""
}

// In returns the option's name in a program: before 24.1 three of QoSOptions
// have the names alone that are deprecated since.
func (o Option) In(f *profile.Facts) string {
	if old := o.Deprecated(); old != "" && !f.Inherits {
		return old
	}
	return o.String()
}

// NameOf returns the name under which the value of an option that counts on the
// route is written; where there is none, the name in the program.
func (r *Route) NameOf(o Option) string {
	from := Nowhere
	switch o {
	case BreakDuration:
		from = r.Options.BreakDuration.From
	case MinimumThroughput:
		from = r.Options.MinimumThroughput.From
	case Timeout:
		from = r.Options.Timeout.From
	}
	if from == RouteDeprecated || from == GlobalDeprecated {
		return o.Deprecated()
	}
	return o.In(r.gateway.facts)
}

// Substitution is a written value that is not what counts.
type Substitution struct {
	Option Option
	// Written is the value as decided, and where it stands. For OuterTimeout
	// it is the route's timeout in exact milliseconds.
	Written config.Value[float64]
	// Effective is what counts instead; unset: nothing, the value has no
	// effect or switches something off.
	Effective config.Value[float64]
	Why       Why
}

// Why is the reason of a substitution.
type Why uint8

// The reasons.
const (
	// OutOfRange: the provider refuses the value and takes its default.
	OutOfRange Why = iota + 1
	// TooLow: a MinimumThroughput below 2 is 100.
	TooLow
	// OneBreakerOff: a MinimumThroughput of 1 switches the breaker off.
	OneBreakerOff
	// BreakerOff: the value switches the breaker off, or means nothing while
	// it is off.
	BreakerOff
	// TimeoutOff: a Timeout of 0 or less means no attempt timeout.
	TimeoutOff
	// CountMode: the value means nothing while failures are counted in a row.
	CountMode
	// Inactive: QoS does nothing, because no option switches it on.
	Inactive
	// ZeroTimeout: a route's timeout of 0 or less is not used.
	ZeroTimeout
	// Doubled: the attempt timeout is not shorter than the outer one, which
	// becomes its double.
	Doubled
	// Overflow: the seconds do not fit 32 bits of milliseconds.
	Overflow
)

// Substitutions returns every written value of the route that is not what
// counts, in the order in which Ocelot looks at them. It is computed when asked
// for.
func (r *Route) Substitutions() []Substitution {
	if r.Kind == Aggregate {
		return nil
	}
	var n notes
	switch {
	case r.Active:
		q := QoS{Options: r.Options}
		constrain(&q, r.by(), &n)
	default:
		n.inactive(&r.Options, r.by())
	}
	s := r.situation()
	s.timeouts(r.QoS, r.by(), &n)
	return n.list
}

// notes collects substitutions; a nil *notes collects nothing.
type notes struct{ list []Substitution }

func (n *notes) replace(o Option, written, effective config.Value[float64], why Why) {
	if n != nil && written.IsSet() && written.Origin.Kind != config.Default {
		n.list = append(n.list, Substitution{o, written, effective, why})
	}
}

func (n *notes) ignore(o Option, written config.Value[float64], why Why) {
	n.replace(o, written, config.Value[float64]{}, why)
}

// inactive notes the options of QoS that does nothing. Where TimeoutValue is
// the outer timer, it counts all the same.
func (n *notes) inactive(o *Options, by rules) {
	n.ignore(BreakDuration, toNumber(o.BreakDuration.Value), Inactive)
	n.ignore(MinimumThroughput, toNumber(o.MinimumThroughput.Value), Inactive)
	n.ignore(FailureRatio, o.FailureRatio.Value, Inactive)
	n.ignore(SamplingDuration, toNumber(o.SamplingDuration.Value), Inactive)
	if by.facts.RouteTimeouts || o.Timeout.V == 0 {
		n.ignore(Timeout, toNumber(o.Timeout.Value), Inactive)
	}
}

func toNumber[T int32 | int64](v config.Value[T]) config.Value[float64] {
	return config.Value[float64]{V: float64(v.V), Origin: v.Origin}
}
