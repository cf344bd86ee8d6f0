package retry

import (
	"fmt"
	"math"
	"time"
)

// BackoffType says how the delay grows from retry to retry.
type BackoffType uint8

// Polly's types of back-off; the zero value is its default.
const (
	Constant    BackoffType = iota // Delay each time
	Linear                         // Delay, 2·Delay, 3·Delay, …
	Exponential                    // Delay, 2·Delay, 4·Delay, …
)

// String returns Polly's name of the type.
func (b BackoffType) String() string {
	switch b {
	case Constant:
		return "Constant"
	case Linear:
		return "Linear"
	case Exponential:
		return "Exponential"
	}
	return fmt.Sprintf("BackoffType(%d)", uint8(b))
}

// ticks is a duration as .NET counts it, in units of 100 ns: other arithmetic
// would round to other delays. Its largest value stands for no end.
type ticks int64

const (
	tick     = 100 * time.Nanosecond
	forever  = ticks(math.MaxInt64)
	perMilli = ticks(time.Millisecond / tick)

	// finite is what the exponential jitter takes where its formula overflows:
	// 1 000 ticks below the largest value, as a float64 has it.
	finite = float64(math.MaxInt64) - 1_000

	maxMillis = float64(int64(forever) / int64(perMilli))
)

// duration returns t as a Duration; what does not fit is the nearest one that
// is not without end.
func (t ticks) duration() time.Duration {
	switch limit := ticks(math.MaxInt64 / int64(tick)); {
	case t == forever:
		return Forever
	case t > limit:
		return Forever - 1
	case t < -limit:
		return math.MinInt64
	}
	return time.Duration(t) * tick
}

func ticksOf(d time.Duration) ticks {
	if d == Forever {
		return forever
	}
	return ticks(d / tick)
}

// millis returns t in milliseconds, as TimeSpan.TotalMilliseconds does.
func (t ticks) millis() float64 { return min(float64(t)/float64(perMilli), maxMillis) }

// fromFloat truncates v, as .NET makes a TimeSpan, and reports false where it
// fits none.
func fromFloat(v float64) (t ticks, ok bool) {
	switch {
	case math.IsNaN(v) || v > math.MaxInt64 || v < math.MinInt64:
		return 0, false
	case v == math.MaxInt64: // as a float64, which is one more
		return forever, true
	default:
		return ticks(v), true
	}
}

// backoff computes delays as Polly's RetryHelper does.
type backoff struct {
	kind   BackoffType
	jitter bool
	base   ticks
	cap    ticks // forever: none
	random func() float64
}

// delay returns the wait after an attempt, counted from 0. prev is the state of
// the exponential jitter, 0 at first; it advances by the uncapped value.
func (b *backoff) delay(attempt int32, prev *float64) ticks {
	if b.base == 0 {
		return 0
	}
	if b.jitter && b.kind == Exponential {
		return min(b.decorrelated(attempt, prev), b.cap)
	}
	d, ok := b.plain(attempt)
	if ok && b.jitter {
		d, ok = b.spread(d)
	}
	if !ok {
		return b.cap
	}
	return min(d, b.cap)
}

// plain is the delay without jitter, rounded to the tick. The attempts are counted in 32 bits there:
// after the last number a linear delay turns negative, which is no wait.
func (b *backoff) plain(attempt int32) (ticks, bool) {
	switch b.kind {
	case Linear:
		return fromFloat(math.RoundToEven(float64(b.base) * float64(attempt+1)))
	case Exponential:
		return fromFloat(math.Ldexp(float64(b.base), int(attempt)))
	default:
		return b.base, true
	}
}

// spread moves d by up to a quarter of it, either way.
func (b *backoff) spread(d ticks) (ticks, bool) {
	const factor = 0.5
	ms := d.millis()
	offset := ms * factor / 2
	moved := float64(ms*factor*b.random()) - offset // the conversion keeps the product from being fused
	return fromFloat((ms + moved) * float64(perMilli))
}

// decorrelated is Polly's "decorrelated jitter v2": the differences between
// points of a smooth curve that doubles with every attempt, each point taken at
// a random place between two attempts. The delays spread over the whole time
// instead of coming in waves, and their median is the plain exponential's.
//
// With a random value of 0 the first delay is 0.
func (b *backoff) decorrelated(attempt int32, prev *float64) ticks {
	const scale = 1 / 1.4
	t := float64(attempt) + b.random()
	next := exp2(t) * tanh(math.Sqrt(4*t))
	difference := next - *prev
	*prev = next
	if math.IsInf(next, 1) {
		return ticks(finite)
	}
	return ticks(min(difference*scale*float64(b.base), finite))
}
