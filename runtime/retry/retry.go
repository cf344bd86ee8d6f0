// Package retry repeats calls that fail, with the delays that Polly computes,
// to its tick of 100 ns.
//
// A [Policy] holds how often and after which delays; it is made once and used
// by everybody. [Do] runs any function under it. An [Executor] adds what there
// is to decide and to observe: which outcomes are worth another attempt, a
// retry budget, delays that a backend asks for. [HTTP] knows about requests and
// responses, and [NewTransport] puts all of it around an http.RoundTripper.
package retry

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// DefaultMaxRetryAttempts is the number of retries where none is set.
const DefaultMaxRetryAttempts = 3

// Unlimited as MaxRetryAttempts never stops retrying.
const Unlimited = math.MaxInt32

// MaxDelay is the largest value of Options.Delay and Options.MaxDelay.
const MaxDelay = 24 * time.Hour

// Options of a [Policy]. The zero value retries three times without delay;
// [Defaults] returns what the standard resilience handler of .NET does.
type Options struct {
	// MaxRetryAttempts is how many attempts may follow the first one, at least 1,
	// or [Unlimited]. 0: [DefaultMaxRetryAttempts].
	MaxRetryAttempts int

	// Delay is the wait before the first retry, up to a day; BackoffType makes the
	// later ones from it. 0: no wait at all.
	Delay       time.Duration
	BackoffType BackoffType

	// MaxDelay caps every computed delay, jitter included, up to a day. Nil: no
	// cap.
	MaxDelay *time.Duration

	// UseJitter moves constant and linear delays by up to a quarter, and spreads
	// exponential ones by a decorrelated formula.
	UseJitter bool

	// Randomizer returns values in [0, 1) for the jitter, from any goroutine.
	// Nil: the functions of math/rand/v2.
	Randomizer func() float64
}

// Defaults returns the options of the standard resilience handler: three
// retries after 2 s, exponential, with jitter.
func Defaults() Options {
	return Options{MaxRetryAttempts: DefaultMaxRetryAttempts, Delay: 2 * time.Second, BackoffType: Exponential, UseJitter: true}
}

// Validate returns everything in o that Polly refuses, or nil. It judges the
// values as they are: a MaxRetryAttempts of 0, which [New] takes for the
// default, is refused. An unknown BackoffType is refused too; Polly lets it
// pass and fails at the first retry.
func (o Options) Validate() error {
	var errs []error
	if n := o.MaxRetryAttempts; n < 1 || n > Unlimited {
		errs = append(errs, fmt.Errorf("retry attempts %d are out of range: there must be between 1 and %d", n, Unlimited))
	}
	if o.Delay < 0 || o.Delay > MaxDelay {
		errs = append(errs, fmt.Errorf("retry delay %v is out of range: it must be between 0 and %v", o.Delay, MaxDelay))
	}
	if d := o.MaxDelay; d != nil && (*d < 0 || *d > MaxDelay) {
		errs = append(errs, fmt.Errorf("maximum retry delay %v is out of range: it must be between 0 and %v", *d, MaxDelay))
	}
	if o.BackoffType > Exponential {
		errs = append(errs, fmt.Errorf("back-off type %d is unknown: it must be Constant, Linear or Exponential", uint8(o.BackoffType)))
	}
	return errors.Join(errs...)
}

// Policy is how often and after which delays a call is repeated. It never
// changes and is safe for concurrent use.
type Policy struct {
	attempts int32 // retries; math.MaxInt32: unlimited
	backoff  backoff
}

// New returns a policy. It refuses what [Options.Validate] refuses, after a
// MaxRetryAttempts of 0 became the default.
func New(o Options) (*Policy, error) {
	if o.MaxRetryAttempts == 0 {
		o.MaxRetryAttempts = DefaultMaxRetryAttempts
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	b := backoff{kind: o.BackoffType, jitter: o.UseJitter, base: ticksOf(o.Delay), cap: forever, random: o.Randomizer}
	if o.MaxDelay != nil {
		b.cap = ticksOf(*o.MaxDelay)
	}
	if b.random == nil {
		b.random = rand.Float64
	}
	return &Policy{attempts: int32(o.MaxRetryAttempts), backoff: b}, nil
}

// State is what one execution carries from attempt to attempt. The zero value
// is the state during the first attempt.
type State struct {
	attempt int32
	jitter  float64
}

// Attempt returns the number of the current attempt, counted from 0.
func (s *State) Attempt() int { return int(s.attempt) }

// Last reports whether no retry may follow the current attempt.
func (p *Policy) Last(s *State) bool {
	return s.attempt >= p.attempts && s.attempt != math.MaxInt32
}

// Next moves s on to the next attempt and returns the wait before it. Ask
// [Policy.Last] first. A delay that overflows is MaxDelay, or [Forever].
func (p *Policy) Next(s *State) time.Duration {
	d := p.backoff.delay(s.attempt, &s.jitter)
	if s.attempt < math.MaxInt32 {
		s.attempt++
	}
	return d.duration()
}
