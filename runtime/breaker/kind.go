package breaker

import (
	"cmp"
	"time"

	"github.com/margay-dev/margay/runtime/window"
)

// Config is the configuration of one kind of breaker: Consecutive, Ratio,
// Polly or Expression.
type Config interface {
	// build returns a breaker on which of was called. It allocates the breaker
	// and the kind's memory as one object that fills whole cache lines, so that
	// no two breakers share a line.
	build() *Breaker
}

// kind is what differs between the kinds of breaker: the memory of outcomes
// and the judgement on them. Times are nanoseconds since the breaker was made.
// The breaker's lock is held in every call.
type kind interface {
	// record takes the outcome of a call at now, a Success or a Failure, and
	// reports whether the circuit opens.
	record(now int64, o Outcome) (trips bool)
	// quiet reports whether recording a success would change nothing.
	quiet() bool
	// counts returns what the kind remembers at now. It changes nothing.
	counts(now int64) window.Counts
	// seal ends what the tally may take, if there is one, because the period
	// is over.
	seal()
	// reset forgets everything.
	reset(now int64)
}

// traits are the fixed properties of a kind that the common part needs.
type traits struct {
	// timed: outcomes need a latency, so Do measures it.
	timed bool
	// announcesProbe: State calls an open circuit half-open as soon as the
	// break is over, as Ocelot's breaker does when asked, instead of when a
	// probe is admitted.
	announcesProbe bool
}

// The defaults of Ocelot for what is not set; Polly has the same two.
const (
	defaultThroughput    = 100
	defaultBreakDuration = 5 * time.Second
)

const cacheLine = 64

// of completes a breaker with the kind that it is of. A break duration of zero
// or less means the default.
func (b *Breaker) of(k kind, breakDuration time.Duration, t traits) *Breaker {
	b.kind = k
	b.traits = t
	b.options.breakDuration = orDefault(breakDuration, defaultBreakDuration)
	return b
}

// orDefault returns v if it is positive, else the default.
func orDefault[T ~int | ~int64](v, otherwise T) T { return cmp.Or(max(v, 0), otherwise) }
