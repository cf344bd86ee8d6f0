package timeout_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/timeout"
)

// TestConcurrentUse lets ends, stops and releases meet: under the race
// detector, and every call must come back.
func TestConcurrentUse(t *testing.T) {
	s := timeout.New(timeout.Options{Attempt: 50 * time.Microsecond, Total: time.Second})
	var done sync.WaitGroup
	for range 64 {
		done.Go(func() {
			for range 200 {
				call := s.Begin(t.Context())
				attempt := call.Attempt()
				child, cancel := context.WithCancel(attempt)
				go attempt.Err()
				select {
				case <-child.Done():
				default:
				}
				attempt.Stop()
				_ = attempt.Outcome(context.Canceled)
				cancel()
				attempt.Release()
				<-attempt.Done()
			}
		})
	}
	done.Wait()
}
