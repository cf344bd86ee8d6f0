package budget

import (
	"errors"
	"fmt"
	"time"
)

// The values of fields that are not set.
const (
	DefaultRetryRatio        = 0.1
	DefaultMinimumThroughput = 10
	DefaultSamplingDuration  = 10 * time.Second
)

// The range of SamplingDuration, both ends included.
const (
	MinSamplingDuration = time.Second
	MaxSamplingDuration = 24 * time.Hour
)

// Options of a [Budget]. The zero value has the defaults.
type Options struct {
	// RetryRatio is how many retries a request pays for, from 0 (no retry is ever
	// granted) to 1. Nil: [DefaultRetryRatio].
	RetryRatio *float64

	// MinimumThroughput is the number of requests in the window below which every
	// retry is granted, at least 1. 0: [DefaultMinimumThroughput].
	MinimumThroughput int

	// SamplingDuration is the length of the window, [MinSamplingDuration] to
	// [MaxSamplingDuration]. 0: [DefaultSamplingDuration].
	SamplingDuration time.Duration

	// Now is the clock. Nil: the system's monotonic clock.
	Now func() time.Time
}

// Validate returns everything in o that HttpRetryBudgetOptions refuses, or nil.
// It judges the values as they are: a MinimumThroughput or SamplingDuration of
// 0, which [New] replaces with the default, is refused there and here.
func (o Options) Validate() error {
	var errs []error
	if r := o.ratio(); !(r >= 0 && r <= 1) { // NaN is in no range
		errs = append(errs, fmt.Errorf("retry ratio %v is out of range: it must be between 0 and 1", r))
	}
	if o.MinimumThroughput < 1 {
		errs = append(errs, fmt.Errorf("minimum throughput %d is out of range: it must be at least 1", o.MinimumThroughput))
	}
	if d := o.SamplingDuration; d < MinSamplingDuration || d > MaxSamplingDuration {
		errs = append(errs, fmt.Errorf("sampling duration %v is out of range: it must be between %v and %v",
			d, MinSamplingDuration, MaxSamplingDuration))
	}
	return errors.Join(errs...)
}

func (o Options) ratio() float64 {
	if o.RetryRatio == nil {
		return DefaultRetryRatio
	}
	return *o.RetryRatio
}

func (o Options) withDefaults() Options {
	if o.MinimumThroughput == 0 {
		o.MinimumThroughput = DefaultMinimumThroughput
	}
	if o.SamplingDuration == 0 {
		o.SamplingDuration = DefaultSamplingDuration
	}
	return o
}
