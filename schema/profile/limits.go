package profile

import "math"

// Limits are what one provider accepts and what it takes instead.
type Limits struct {
	// BreakDuration, SamplingDuration and Timeout are in milliseconds.
	BreakDuration, SamplingDuration, Timeout Bound
	// Ratio stands in for an invalid FailureRatio, and with Polly for one
	// that is not set; 0: Polly's breaker counts failures in a row.
	Ratio float64
	// Throughput is what becomes of a MinimumThroughput of 1.
	Throughput Throughput
	// AlwaysTimeout says that there is a timeout strategy whatever Timeout
	// is, with -1 for no end. Else 0 and less, and NoTimeout, mean none.
	AlwaysTimeout bool
	// NoTimeout is a Timeout that means no timeout strategy; 0: none does.
	NoTimeout int32
}

// Bound is what becomes of one number: first Ocelot may put another one in its
// place, then Polly may refuse it, and an option that Polly refuses fails every
// request that comes. The zero Bound takes everything as it is.
type Bound struct {
	// Over and Under are the ends, both excluded, of what Ocelot takes as it
	// is; an Under of 0 is no upper end. Instead counts in place of anything
	// else; 0: Ocelot does not look.
	Over, Under, Instead int32
	// Least and Most are the ends, both included, of what Polly takes; a Most
	// of 0: Polly does not look.
	Least, Most int32
}

// Replaces says whether Ocelot puts another number in the place of v.
func (b Bound) Replaces(v int32) bool {
	return b.Instead != 0 && (v <= b.Over || b.Under != 0 && v >= b.Under)
}

// Refuses says whether Polly throws over v.
func (b Bound) Refuses(v int32) bool { return b.Most != 0 && (v < b.Least || v > b.Most) }

// Throughput is what becomes of a MinimumThroughput of 1. 0 and less is off
// with Polly, 2 and more is taken as it is.
type Throughput uint8

// The rules for a MinimumThroughput of 1.
const (
	// OneIsHundred: 100 counts instead.
	OneIsHundred Throughput = iota
	// OneIsOff: there is no breaker.
	OneIsOff
	// OneIsRefused: Polly throws at every request.
	OneIsRefused
	// OneIsOne: the first failure opens the circuit.
	OneIsOne
)

const day = 86_400_000

// The numbers that Polly 8 itself accepts.
var (
	pollyBreak   = Bound{Least: 500, Most: day}
	pollyTimeout = Bound{Least: 10, Most: day}
)

// The limits of each provider.
var (
	// builtinOf25 are those of Ocelot's CircuitBreakerDelegatingHandler.
	builtinOf25 = Limits{
		BreakDuration:    Bound{Over: 500, Instead: 5000},
		SamplingDuration: Bound{Over: 500, Instead: 10_000},
		Timeout:          Bound{Over: 10, Under: day, Instead: 30_000},
		Ratio:            0.5,
	}
	// pollyOf24_1 are those of CircuitBreakerStrategy and TimeoutStrategy,
	// stricter than Polly itself.
	pollyOf24_1 = Limits{
		BreakDuration:    Bound{Over: 500, Under: day, Instead: 5000},
		SamplingDuration: Bound{Over: 500, Under: day, Instead: 30_000},
		Timeout:          Bound{Over: 10, Under: day, Instead: 30_000},
		Ratio:            0.1,
	}
	pollyOf23_4 = Limits{
		BreakDuration:    Bound{Over: 500, Instead: 5000, Least: pollyBreak.Least, Most: pollyBreak.Most},
		SamplingDuration: Bound{Instead: 10_000},
		Timeout:          pollyTimeout,
		Ratio:            0.8,
		Throughput:       OneIsOff,
		NoTimeout:        noTimeout,
	}
	pollyOf23_2 = Limits{
		BreakDuration:    pollyBreak,
		SamplingDuration: Bound{Instead: 10_000},
		Timeout:          pollyTimeout,
		Ratio:            0.8,
		Throughput:       OneIsRefused,
		NoTimeout:        noTimeout,
	}
	// pollyOf22 are those of Polly 7's policies.
	pollyOf22 = Limits{
		BreakDuration: Bound{Least: 0, Most: math.MaxInt32},
		Timeout:       Bound{Least: 1, Most: math.MaxInt32},
		Throughput:    OneIsOne,
		AlwaysTimeout: true,
	}
)
