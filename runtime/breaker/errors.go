package breaker

import (
	"errors"
	"fmt"
	"time"
)

// ErrOpen is what errors.Is finds in the error of every rejected call.
var ErrOpen = errors.New("breaker: circuit is open")

// ErrIsolated is the error of a call that is rejected because of Isolate. It
// is an ErrOpen too. There is no time after which to retry.
var ErrIsolated = fmt.Errorf("%w: isolated by hand", ErrOpen)

// OpenError is the error of a call that is rejected because the circuit is
// open, half-open with its probe in flight, or recovering. Each breaker has
// one, so a rejection allocates nothing.
type OpenError struct{ breaker *Breaker }

// Error returns the text of ErrOpen.
func (e *OpenError) Error() string { return ErrOpen.Error() }

// Unwrap returns ErrOpen.
func (e *OpenError) Unwrap() error { return ErrOpen }

// RetryAfter returns how long it takes from now until a call may be admitted,
// as far as the breaker knows; zero if a call may be admitted at once. It reads
// the breaker when called, not when the call was rejected.
func (e *OpenError) RetryAfter() time.Duration {
	at := e.breaker.retryAt.Load()
	if at == 0 {
		return 0
	}
	return max(0, time.Duration(at-e.breaker.now()))
}
