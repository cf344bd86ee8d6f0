package breaker

import "time"

// Result is how a call ended, as far as the breaker is concerned.
type Result uint8

const (
	Ignored Result = iota // says nothing about the backend, e.g. cancelled by the client
	Success
	Failure
)

// String returns the name in lower case.
func (r Result) String() string {
	switch r {
	case Ignored:
		return "ignored"
	case Success:
		return "success"
	case Failure:
		return "failure"
	}
	return "unknown"
}

// Outcome is a result with what the Expression kind wants to know about it.
// The other kinds look at the Result alone.
type Outcome struct {
	Result Result
	// Status is the HTTP status code of the answer. Without one (0) a Success
	// counts as 200 and a Failure as 502; say 504 for a timeout.
	Status int
	// Latency is the time from admission to the outcome; 0 is not known, and
	// not counted.
	Latency time.Duration
}

// Permit is the admission of one call. It takes the result once: the first of
// Success, Failure, Ignore and Report counts and the others do nothing. So
//
//	permit, err := b.Acquire()
//	if err != nil {
//		return err
//	}
//	defer permit.Ignore() // unless a result was reported before
//
// is safe. A Permit is for one goroutine at a time; a copy of a used Permit is
// used, and of two copies of a fresh one only one may take the result. The
// zero value takes results and does nothing with them.
type Permit struct {
	breaker *Breaker
	stamp   stamp // the period that admitted the call
}

// Success reports that the call succeeded.
func (p *Permit) Success() {
	b := p.take()
	b.success(p.stamp)
}

// Failure reports that the call failed.
func (p *Permit) Failure() { p.Report(Outcome{Result: Failure}) }

// Ignore reports that the call says nothing about the backend. It frees the
// place of a probe.
func (p *Permit) Ignore() { p.Report(Outcome{Result: Ignored}) }

// Report reports an outcome.
func (p *Permit) Report(o Outcome) {
	b := p.take()
	switch {
	case b == nil:
	case o.Result == Success && !b.traits.timed:
		b.success(p.stamp)
	case o.Result == Ignored && p.stamp.state() != HalfOpen:
	default:
		b.report(p.stamp, o)
	}
}

// take returns the breaker for the first result, and nil for the others.
func (p *Permit) take() *Breaker {
	b := p.breaker
	p.breaker = nil
	return b
}

// Generation returns the number of the period in which the call was admitted.
// The breaker drops the result if its own number has moved on by then.
func (p *Permit) Generation() uint64 { return p.stamp.generation() }
