package breaker

import (
	"context"
	"errors"
	"fmt"
	stdruntime "runtime"
	"testing"
	"testing/synctest"
	"time"
)

var errBackend = errors.New("backend failed")

func TestDoJudges(t *testing.T) {
	for _, tt := range []struct {
		name            string
		err             error
		total, failures uint64
	}{
		{"nothing", nil, 1, 0},
		{"an error", errBackend, 1, 1},
		{"a deadline", context.DeadlineExceeded, 1, 1},
		{"a cancellation", fmt.Errorf("get: %w", context.Canceled), 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := New(Ratio{})
			if got := b.Do(func() error { return tt.err }); got != tt.err {
				t.Errorf("got error %v, want %v", got, tt.err)
			}
			wantCounts(t, b, tt.total, tt.failures)
		})
	}
}

func TestDoRejected(t *testing.T) {
	b := New(Consecutive{MinimumThroughput: 1})
	_ = b.Do(func() error { return errBackend })
	for name, do := range map[string]func() error{
		"Do": func() error { return b.Do(func() error { t.Error("called"); return nil }) },
		"DoContext": func() error {
			return b.DoContext(t.Context(), func(context.Context) error { t.Error("called"); return nil })
		},
	} {
		if err := do(); !errors.Is(err, ErrOpen) {
			t.Errorf("%s: got %v, want %v", name, err, ErrOpen)
		}
	}
}

func TestClassifyWith(t *testing.T) {
	b := New(Ratio{}, ClassifyWith(func(err error) Result {
		if errors.Is(err, errBackend) {
			return Ignored
		}
		return Failure
	}))
	_ = b.Do(func() error { return errBackend })
	_ = b.Do(func() error { return nil })
	wantCounts(t, b, 1, 1)
}

// TestDoReportsWhatDoesNotReturn has a probe end by panic and by Goexit. Either
// is a failure, and the probe's place is free for the next break.
func TestDoReportsWhatDoesNotReturn(t *testing.T) {
	ends := map[string]func() error{
		"panic":        func() error { panic("transport broke") },
		"panic of nil": func() error { panic(nil) },
		"Goexit":       func() error { stdruntime.Goexit(); return nil },
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			eachKind(t, func(t *testing.T, b *Breaker) {
				for _, do := range []func(){
					func() { _ = b.Do(end) },
					func() { _ = b.DoContext(t.Context(), func(context.Context) error { return end() }) },
				} {
					time.Sleep(time.Second)
					returned := make(chan bool)
					go func() {
						defer close(returned)
						defer func() { _ = recover() }()
						do()
						returned <- true
					}()
					if <-returned {
						t.Fatal("Do returned, want the panic or Goexit to go on")
					}
					if s := b.Snapshot(); s.State != Open || time.Until(s.Until) != time.Second {
						t.Errorf("got %+v, want open again", s)
					}
				}
			})
		})
	}
}

// TestDoContextCancelled: what the client breaks off is ignored, whatever error
// comes of it. A deadline is a failure.
func TestDoContextCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(Ratio{})
		wait := func(ctx context.Context) error {
			<-ctx.Done()
			return errors.New("read tcp: use of closed network connection")
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_ = b.DoContext(ctx, wait)
		wantCounts(t, b, 0, 0)

		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_ = b.DoContext(ctx, wait)
		wantCounts(t, b, 1, 1)

		done, cancel := context.WithCancel(t.Context())
		_ = b.DoContext(done, func(context.Context) error { cancel(); return nil })
		wantCounts(t, b, 2, 1) // it succeeded all the same
		precancelled(t, b)
		wantCounts(t, b, 2, 1)
	})
}

// timekeeper remembers the outcomes that it is given.
type timekeeper struct {
	turnstile
	outcomes []Outcome
}

func (k *timekeeper) build() *Breaker { return new(Breaker).of(k, time.Second, traits{timed: true}) }
func (k *timekeeper) record(_ int64, o Outcome) bool {
	k.outcomes = append(k.outcomes, o)
	return false
}

// TestDoMeasures checks that kinds which judge by latency get it from Do, and
// what a caller reports from Report.
func TestDoMeasures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := new(timekeeper)
		b := New(k)
		_ = b.Do(func() error { time.Sleep(30 * time.Millisecond); return nil })
		p, _ := b.Acquire()
		p.Report(Outcome{Result: Failure, Status: 502, Latency: time.Second})
		want := []Outcome{
			{Result: Success, Latency: 30 * time.Millisecond},
			{Result: Failure, Status: 502, Latency: time.Second},
		}
		if len(k.outcomes) != 2 || k.outcomes[0] != want[0] || k.outcomes[1] != want[1] {
			t.Errorf("got %+v, want %+v", k.outcomes, want)
		}
	})
}
