// Package budget limits retries to a share of the requests, so that retries
// cannot pile up on a backend that is already failing.
//
// It decides as HttpRetryBudgetOptions of Microsoft.Extensions.Http.Resilience
// 11.0 does: over a window of SamplingDuration with R requests and K granted
// retries, another retry is granted while R is below MinimumThroughput, and
// from then on while K < max(1, floor(RetryRatio·R)). With a RetryRatio of 0
// nothing is ever granted. One difference is on purpose: the real type checks
// and counts in two steps, so that two callers can take the last grant; here a
// grant is one step, and while the ratio rules there are never more grants than
// it allows.
//
// The window has ten buckets on a grid that starts when the budget is made; an
// entry counts until ten buckets later. Counting a request takes no lock, and
// nothing allocates.
package budget

import (
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// Budget counts the requests and the granted retries of everything that shares
// it: one route, or all routes of one backend. It is safe for concurrent use
// and must not be copied. A nil *Budget counts nothing and grants everything.
type Budget struct {
	ratio   float64
	minimum int64
	width   int64 // of a bucket, in 100 ns ticks
	created time.Time
	now     func() time.Time // nil: the monotonic clock

	requests [buckets]atomic.Uint64 // bucket number << 32 | count

	mu      sync.Mutex
	retries [buckets]granted // guarded by mu
}

type granted struct{ bucket, count int64 }

// New returns an empty budget whose grid starts now. It refuses what
// [Options.Validate] refuses, after fields that are zero got their defaults.
func New(o Options) (*Budget, error) {
	o = o.withDefaults()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	b := &Budget{
		ratio:   o.ratio(),
		minimum: int64(o.MinimumThroughput),
		width:   bucketTicks(o.SamplingDuration),
		now:     o.Now,
	}
	b.created = b.clock()
	return b, nil
}

// Request counts one request. Call it once per request, before its first
// attempt: the request that asks for a retry is among those that pay for it.
// Retries are no requests.
func (b *Budget) Request() {
	if b != nil {
		b.count(b.elapsed())
	}
}

// RequestAt is [Budget.Request] for callers that have read the clock.
func (b *Budget) RequestAt(now time.Time) {
	if b != nil {
		b.count(now.Sub(b.created))
	}
}

// TryRetry asks for a retry. Where it is granted it is counted, at once and for
// good: there is no refund if the retry is cancelled before it starts. A denial
// counts nothing. Ask only where a retry would otherwise happen: the outcome
// calls for it and attempts are left.
func (b *Budget) TryRetry() bool {
	return b == nil || b.try(b.elapsed)
}

// TryRetryAt is [Budget.TryRetry] for callers that have read the clock.
func (b *Budget) TryRetryAt(now time.Time) bool {
	return b == nil || b.try(func() time.Duration { return now.Sub(b.created) })
}

// Counts is what a budget holds at one moment.
type Counts struct {
	Requests int // in the window
	Retries  int // granted in the window, those below MinimumThroughput included
}

// Counts returns what the window holds now. It changes nothing.
func (b *Budget) Counts() Counts {
	if b == nil {
		return Counts{}
	}
	return b.countsAt(b.elapsed())
}

// CountsAt is [Budget.Counts] for callers that have read the clock.
func (b *Budget) CountsAt(now time.Time) Counts {
	if b == nil {
		return Counts{}
	}
	return b.countsAt(now.Sub(b.created))
}

func (b *Budget) countsAt(elapsed time.Duration) Counts {
	bucket := b.bucket(elapsed)
	b.mu.Lock()
	defer b.mu.Unlock()
	return Counts{Requests: int(b.liveRequests(bucket)), Retries: int(b.liveRetries(bucket))}
}

func (b *Budget) try(elapsed func() time.Duration) bool {
	if b.ratio == 0 {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	bucket := b.bucket(elapsed()) // read under the lock: grants are in the order of time
	if requests := b.liveRequests(bucket); requests >= b.minimum && b.liveRetries(bucket) >= b.allowed(requests) {
		return false
	}
	b.grant(bucket)
	return true
}

// allowed is how many retries the window may hold. The product is the plain
// IEEE one: 0.29 of 100 requests allows 28, not 29.
func (b *Budget) allowed(requests int64) int64 {
	return max(1, int64(math.Floor(b.ratio*float64(requests))))
}

func (b *Budget) elapsed() time.Duration {
	if b.now == nil {
		return time.Since(b.created)
	}
	return b.now().Sub(b.created)
}

func (b *Budget) clock() time.Time {
	if b.now == nil {
		return time.Now()
	}
	return b.now()
}
