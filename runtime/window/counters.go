package window

import "time"

// CodeRange is a range of HTTP status codes, From inclusive, To exclusive.
type CodeRange struct{ From, To int }

// Counters count requests by their status code over ten seconds, as the
// breaker of vulcand/oxy does: in ten buckets of one second, so that in second
// S those of S-9 to S count, which is between nine and ten seconds. A second
// begins at every multiple of 10⁹ ns of the owner's time (`traefik-08`).
//
// oxy keeps a ring for every status code that it sees. Here the owner names
// beforehand the ranges of codes that it will ask for, and there is one ring
// for all. Same numbers, in (2 + ranges) × 40 bytes.
type Counters struct {
	ranges []CodeRange
	grid   grid
	newest int64 // the second last counted in; meaningless while the grid is empty
}

const (
	counterSlots = 10
	counterSlot  = int64(time.Second)
)

// The columns of the grid: these two, then the ranges.
const (
	columnRequests = iota
	columnNetworkErrors
	columnRanges
)

// The statuses that stand for an error of the network: bad gateway and gateway
// timeout.
const (
	statusBadGateway     = 502
	statusGatewayTimeout = 504
)

// NewCounters returns empty counters that can answer for ranges.
func NewCounters(ranges ...CodeRange) *Counters {
	c := new(Counters)
	c.Init(ranges...)
	return c
}

// Init makes zero Counters empty counters, as NewCounters does, for an owner
// that holds them by value.
func (c *Counters) Init(ranges ...CodeRange) {
	c.ranges = ranges
	c.grid = grid{slots: counterSlots, columns: columnRanges + len(ranges)}
}

// Record counts a request that finished at now with the status code.
func (c *Counters) Record(now int64, status int) {
	second := now / counterSlot
	c.advance(second)
	slot := int(second % counterSlots)
	c.grid.add(slot, columnRequests)
	if status == statusBadGateway || status == statusGatewayTimeout {
		c.grid.add(slot, columnNetworkErrors)
	}
	for i, r := range c.ranges {
		if r.From <= status && status < r.To {
			c.grid.add(slot, columnRanges+i)
		}
	}
}

// advance empties the slots of the seconds since the newest one.
func (c *Counters) advance(second int64) {
	for s := max(c.newest+1, second-counterSlots+1); s <= second; s++ {
		c.grid.clearSlot(int(s % counterSlots))
	}
	c.newest = max(c.newest, second)
}

// Requests returns how many requests count at now.
func (c *Counters) Requests(now int64) int64 { return c.sum(now, columnRequests) }

// NetworkErrors returns how many of them had status 502 or 504.
func (c *Counters) NetworkErrors(now int64) int64 { return c.sum(now, columnNetworkErrors) }

// Responses returns how many of them had a status in the i-th range.
func (c *Counters) Responses(now int64, i int) int64 { return c.sum(now, columnRanges+i) }

// sum adds up the seconds that count at now. It changes nothing.
func (c *Counters) sum(now int64, column int) int64 {
	oldest := max(now/counterSlot, c.newest) - counterSlots + 1
	n := int64(0)
	for s := max(oldest, 0); s <= c.newest; s++ {
		n += c.grid.at(int(s%counterSlots), column)
	}
	return n
}

// Reset forgets everything.
func (c *Counters) Reset() { c.grid.clear() }
