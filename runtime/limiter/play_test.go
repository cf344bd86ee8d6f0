package limiter_test

import (
	"context"
	"errors"
	"slices"
	"testing/synctest"

	"github.com/margay-dev/margay/runtime/limiter"
)

// stage runs calls against a limiter in a synctest bubble, one action at a
// time, and knows after each what every call is doing.
type stage struct {
	limiter *limiter.Limiter
	calls   map[int]*call
	started []int // since the last action, in order
	dropped []int // rejected while they waited, since the last action
}

type call struct {
	finish chan struct{}
	cancel context.CancelFunc
	ended  bool
	err    error
}

func newStage(l *limiter.Limiter) *stage { return &stage{limiter: l, calls: map[int]*call{}} }

// call starts call n and returns "running", "queued" or "rejected".
func (s *stage) call(ctx context.Context, n int) string {
	s.clear()
	ctx, cancel := context.WithCancel(ctx)
	c := &call{finish: make(chan struct{}), cancel: cancel}
	s.calls[n] = c
	first := true
	go func() {
		defer cancel()
		_, c.err = limiter.Do(ctx, s.limiter, func(context.Context) (int, error) {
			s.started = append(s.started, n) // one starts at a time: each action frees one permit
			<-c.finish
			return 0, nil
		})
		if c.ended = true; errors.Is(c.err, limiter.ErrRejected) && !first {
			s.dropped = append(s.dropped, n)
		}
	}()
	synctest.Wait()
	first = false
	switch {
	case slices.Contains(s.started, n):
		return "running"
	case c.ended:
		return "rejected"
	default:
		return "queued"
	}
}

// finishCall ends a running call.
func (s *stage) finishCall(n int) {
	s.clear()
	close(s.calls[n].finish)
	synctest.Wait()
}

// cancelCall ends a waiting call and returns its error.
func (s *stage) cancelCall(n int) error {
	s.clear()
	s.calls[n].cancel()
	synctest.Wait()
	return s.calls[n].err
}

func (s *stage) clear() { s.started, s.dropped = nil, nil }

// end finishes and cancels everything, so that no goroutine is left.
func (s *stage) end() {
	for _, c := range s.calls {
		c.cancel()
	}
	synctest.Wait()
	for _, c := range s.calls {
		if !c.ended {
			close(c.finish)
		}
	}
	synctest.Wait()
}
