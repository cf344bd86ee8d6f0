package limiter

import (
	"errors"
	"fmt"
)

// DefaultPermitLimit is the limit where none is set.
const DefaultPermitLimit = 1000

// QueueProcessingOrder says whose turn it is when a permit gets free.
type QueueProcessingOrder uint8

// The orders of .NET's limiters.
const (
	OldestFirst QueueProcessingOrder = iota // first come, first served; a full queue rejects the newcomer
	NewestFirst                             // last come, first served; a full queue rejects its oldest call
)

// Options of a [Limiter]. The zero value has the defaults: 1000 permits and no
// queue.
type Options struct {
	PermitLimit          int // calls that may run at the same time, at least 1; 0: [DefaultPermitLimit]
	QueueLimit           int // calls that may wait, 0 for none
	QueueProcessingOrder QueueProcessingOrder
}

// Validate returns everything in o that makes no limiter, or nil. It judges the
// values as they are: a PermitLimit of 0 is refused, although [New] takes it
// for the default. (Polly checks none of this with its options and fails when
// the first client is made.)
func (o Options) Validate() error {
	var errs []error
	if o.PermitLimit < 1 {
		errs = append(errs, fmt.Errorf("permit limit %d is out of range: it must be at least 1", o.PermitLimit))
	}
	if o.QueueLimit < 0 {
		errs = append(errs, fmt.Errorf("queue limit %d is out of range: it must be 0 or more", o.QueueLimit))
	}
	if o.QueueProcessingOrder > NewestFirst {
		errs = append(errs, fmt.Errorf("queue processing order %d is unknown: it must be OldestFirst or NewestFirst", o.QueueProcessingOrder))
	}
	return errors.Join(errs...)
}
