package breaker

import "github.com/margay-dev/margay/runtime/window"

// threshold is the memory of Ratio and Polly: they differ in the window only.
// The judgement falls on a failure, never on a success.
type threshold struct {
	window  outcomes
	minimum uint64  // outcomes in the window
	ratio   float64 // of failures
}

// outcomes is a window as *window.Sliding and *window.Slices implement it.
type outcomes interface {
	Success(now int64)
	Failure(now int64)
	Counts(now int64) window.Counts
	Seal()
	Reset(now int64)
}

func newThreshold(w outcomes, minimum int, ratio, defaultRatio float64) threshold {
	switch {
	case ratio < 0:
		ratio = 0
	case ratio > 0:
	default:
		ratio = defaultRatio // zero or not a number
	}
	return threshold{
		window:  w,
		minimum: uint64(orDefault(minimum, defaultThroughput)),
		ratio:   ratio,
	}
}

func (t *threshold) record(now int64, o Outcome) bool {
	if o.Result == Success {
		t.window.Success(now)
		return false
	}
	t.window.Failure(now)
	c := t.window.Counts(now)
	return c.Total >= t.minimum && c.FailureRatio() >= t.ratio
}

func (t *threshold) quiet() bool                    { return false }
func (t *threshold) counts(now int64) window.Counts { return t.window.Counts(now) }
func (t *threshold) seal()                          { t.window.Seal() }
func (t *threshold) reset(now int64)                { t.window.Reset(now) }
