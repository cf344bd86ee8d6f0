package budget

import "time"

const (
	buckets = 10
	tick    = 100 * time.Nanosecond // the unit of .NET's TimeSpan, in which the grid is laid
	ticks   = float64(time.Second / tick)

	countBits = 32
	countMask = 1<<countBits - 1
)

// bucketTicks returns the width of a bucket in ticks. The product is the real
// type's, in floating point: an integer division is off by one tick for some
// durations.
func bucketTicks(sampling time.Duration) int64 {
	seconds := float64(sampling/tick) / ticks
	return int64(seconds * ticks / buckets)
}

// bucket returns the number of the bucket at a time since creation, never less
// than 0: a reading that was taken before the budget was made is its first.
func (b *Budget) bucket(elapsed time.Duration) int64 {
	return max(0, int64(elapsed/tick)/b.width)
}

// count adds a request to the bucket of its time. A place that still holds an
// older bucket starts over; one that already holds a later bucket takes the
// request of a caller that was late.
//
// Number and count share a word so that starting over cannot lose or invent a
// request. The 32 bits of the number tell 6 years of the shortest buckets apart, the
// 32 bits of the count half a million requests a second in the longest; beyond
// that the count stays where it is, which denies retries sooner, not later.
func (b *Budget) count(elapsed time.Duration) {
	number := uint64(b.bucket(elapsed))
	place := &b.requests[number%buckets]
	for {
		old := place.Load()
		next := old + 1
		switch {
		case int32(uint32(number)-uint32(old>>countBits)) > 0:
			next = number<<countBits | 1
		case old&countMask == countMask:
			return
		}
		if place.CompareAndSwap(old, next) {
			return
		}
	}
}

// liveRequests returns the requests that still count at a bucket. A caller
// elsewhere may already be some buckets ahead.
func (b *Budget) liveRequests(bucket int64) int64 {
	var sum int64
	for i := range b.requests {
		v := b.requests[i].Load()
		if age := int32(uint32(bucket) - uint32(v>>countBits)); age < buckets {
			sum += int64(v & countMask)
		}
	}
	return sum
}

// liveRetries returns the grants that still count at a bucket. b.mu is held.
func (b *Budget) liveRetries(bucket int64) int64 {
	var sum int64
	for _, r := range b.retries {
		if bucket-r.bucket < buckets {
			sum += r.count
		}
	}
	return sum
}

// grant counts a retry in a bucket. b.mu is held.
func (b *Budget) grant(bucket int64) {
	r := &b.retries[bucket%buckets]
	if r.bucket < bucket {
		*r = granted{bucket: bucket}
	}
	r.count++
}
