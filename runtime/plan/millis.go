package plan

import (
	"math"
	"time"
)

// Millis is a time in whole milliseconds.
type Millis int64

// MaxMillis is the longest time of a plan: what a [time.Duration] can hold.
const MaxMillis = Millis(math.MaxInt64 / int64(time.Millisecond))

// Duration returns m as a time.Duration. Values outside of ±MaxMillis, which
// Check refuses, give the nearest one.
func (m Millis) Duration() time.Duration {
	return time.Duration(min(max(m, -MaxMillis), MaxMillis)) * time.Millisecond
}
