package timeout

import (
	"context"
	"fmt"
	"time"
)

// Kind says which limit ended a call.
type Kind uint8

// The two limits a call can have.
const (
	Attempt Kind = iota // the limit of one attempt; another attempt may succeed
	Total               // the limit of the whole call; nothing is left to try
)

// String returns "attempt" or "total".
func (k Kind) String() string {
	if k == Total {
		return "total"
	}
	return "attempt"
}

// Error is the outcome of a call that was stopped by a limit (Polly's
// TimeoutRejectedException). Get at it with [errors.AsType]; errors.Is of
// [context.DeadlineExceeded] holds too.
type Error struct {
	Kind  Kind
	Limit time.Duration // the limit that was exceeded
}

// Error returns which timeout was exceeded and how long it was.
func (e *Error) Error() string { return fmt.Sprintf("%s timeout of %v exceeded", e.Kind, e.Limit) }

// Is reports that e is a [context.DeadlineExceeded].
func (e *Error) Is(target error) bool { return target == context.DeadlineExceeded }

// Timeout reports true, as [net.Error] asks.
func (e *Error) Timeout() bool { return true }

// What Polly accepts as a timeout, both ends included.
const (
	Min = 10 * time.Millisecond
	Max = 24 * time.Hour
)

// Default is the limit that Polly takes where none is given.
const Default = 30 * time.Second

// Validate returns an error where Polly would refuse d as a timeout: below
// [Min] or above [Max].
func Validate(d time.Duration) error {
	if d < Min || d > Max {
		return fmt.Errorf("timeout %v is out of range: it must be between %v and %v", d, Min, Max)
	}
	return nil
}
