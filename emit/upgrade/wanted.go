package upgrade

import (
	"strconv"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
)

// longestSeconds is the longest Timeout of a route whose milliseconds fit 32 bits.
const longestSeconds = 2_147_483

// defaultLimit is the outer timeout that nobody writes, in milliseconds.
const defaultLimit = 1000 * normalize.DefaultTimeout

// wanted are the options that give a route under the new release what it gets
// today, as near as they can. An option that is nil is not to be in force.
type wanted struct {
	options [normalize.Timeout + 1]*string
	// seconds is the route's Timeout.
	seconds *string
}

func (w *wanted) set(o normalize.Option, n int64) {
	text := strconv.FormatInt(n, 10)
	w.options[o] = &text
}

// want finds the options for an effect.
func (c *crossing) want(e *effect) wanted {
	var w wanted
	facts := c.b.Facts()
	c.wantBreaker(&w, e)
	switch {
	case !facts.RouteTimeouts:
		w.wantTimeoutValue(e)
	case c.inAttempt(e):
		w.set(normalize.Timeout, max(e.limit, least(c.limits().Timeout)))
	default:
		w.wantSeconds(e.limit)
	}
	return w
}

func (c *crossing) limits() *profile.Limits {
	if c.b.Provider == profile.Builtin {
		return &c.b.Facts().Builtin
	}
	return &c.b.Facts().Polly
}

func (c *crossing) wantBreaker(w *wanted, e *effect) {
	b := &e.breaker
	if b.kind == normalize.NoBreaker {
		return
	}
	facts := c.b.Facts()
	w.set(normalize.MinimumThroughput, int64(b.throughput))
	w.set(normalize.BreakDuration, max(int64(b.breaks), least(c.limits().BreakDuration)))
	if b.kind == normalize.Ratio && facts.Inherits {
		text := strconv.FormatFloat(b.ratio, 'f', -1, 64)
		w.options[normalize.FailureRatio] = &text
		w.set(normalize.SamplingDuration, int64(b.sampling))
	}
}

// least is the smallest number that the new release takes as it is.
func least(b profile.Bound) int64 {
	if b.Instead != 0 {
		return int64(b.Over) + 1
	}
	return int64(b.Least)
}

// inAttempt says whether a limit is written as the attempt timeout rather than as
// the outer one: where timeouts are to be counted, or where it is no whole number
// of seconds.
func (c *crossing) inAttempt(e *effect) bool {
	bound := c.limits().Timeout
	fits := e.limit > 0 && !bound.Replaces(int32(min(e.limit, never)))
	switch {
	case c.b.Provider == profile.None, e.limit == 0:
		return false
	case e.breaker.kind == normalize.NoBreaker && c.b.Provider == profile.Builtin:
		return false // it would bring a breaker along
	case e.breaker.kind != normalize.NoBreaker && e.counts != profile.Uncounted:
		return fits && e.limit <= longestSeconds*1000
	}
	return e.limit%1000 != 0 && e.limit < day
}

// wantSeconds writes a limit as the route's Timeout: rounded up to whole seconds,
// and the longest possible where there is none.
func (w *wanted) wantSeconds(limit int64) {
	seconds := (limit + 999) / 1000
	if limit == 0 || seconds > longestSeconds {
		seconds = longestSeconds
	}
	if seconds != normalize.DefaultTimeout {
		text := strconv.FormatInt(seconds, 10)
		w.seconds = &text
	}
}

// wantTimeoutValue writes a limit for releases that know TimeoutValue only.
func (w *wanted) wantTimeoutValue(e *effect) {
	switch e.limit {
	case defaultLimit:
	case 0:
		w.set(normalize.Timeout, normalize.Infinite)
	default:
		w.set(normalize.Timeout, min(e.limit, never))
	}
}
