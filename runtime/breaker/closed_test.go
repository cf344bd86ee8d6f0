package breaker

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/window"
)

// give puts calls with these results through the breaker, one after another,
// and returns how many were admitted.
func give(t *testing.T, b *Breaker, results ...Result) (admitted int) {
	t.Helper()
	for _, r := range results {
		if permit, err := b.Acquire(); err == nil {
			admitted++
			permit.Report(Outcome{Result: r})
		}
	}
	return admitted
}

func wantState(t *testing.T, b *Breaker, want State) {
	t.Helper()
	if got := b.State(); got != want {
		t.Errorf("got state %v, want %v", got, want)
	}
}

func wantCounts(t *testing.T, b *Breaker, total, failures uint64) {
	t.Helper()
	want := window.Counts{Total: total, Failures: failures}
	if got := b.Snapshot().Counts; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestClosedTripsByKind(t *testing.T) {
	const f, s, i = Failure, Success, Ignored
	tests := []struct {
		name   string
		config Config
		before []Result // leave it closed
		last   Result   // opens it, if opens says so
		opens  bool
	}{
		{"consecutive at the minimum", Consecutive{MinimumThroughput: 3}, []Result{f, f}, f, true},
		{"consecutive below", Consecutive{MinimumThroughput: 3}, []Result{f}, f, false},
		{"consecutive after a success", Consecutive{MinimumThroughput: 3}, []Result{f, f, s, f}, f, false},
		{"consecutive across ignored", Consecutive{MinimumThroughput: 3}, []Result{f, f, i, i}, f, true},
		{"ratio at both bounds", Ratio{MinimumThroughput: 4, FailureRatio: 0.5}, []Result{s, s, f}, f, true},
		{"ratio below the minimum", Ratio{MinimumThroughput: 5, FailureRatio: 0.5}, []Result{s, s, f}, f, false},
		{"ratio below the ratio", Ratio{MinimumThroughput: 4, FailureRatio: 0.6}, []Result{s, s, f}, f, false},
		{"ratio on a success", Ratio{MinimumThroughput: 4, FailureRatio: 0.5}, []Result{f, f, f}, s, false},
		{"ratio of one", Ratio{MinimumThroughput: 2, FailureRatio: 1}, []Result{f}, f, true},
		{"ratio above one", Ratio{MinimumThroughput: 2, FailureRatio: 1.01}, []Result{f}, f, false},
		{"polly at both bounds", Polly{MinimumThroughput: 4, FailureRatio: 0.5}, []Result{s, s, f}, f, true},
		{"polly on a success", Polly{MinimumThroughput: 4, FailureRatio: 0.5}, []Result{f, f, f}, s, false},
		{"polly, ignored not counted", Polly{MinimumThroughput: 4, FailureRatio: 0.5}, []Result{i, s, f}, f, false},
		{"polly, any failure", Polly{MinimumThroughput: 4, FailureRatio: -1}, []Result{s, s, s}, f, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := New(tt.config)
			give(t, b, tt.before...)
			wantState(t, b, Closed)
			give(t, b, tt.last)
			want := Closed
			if tt.opens {
				want = Open
			}
			wantState(t, b, want)
		})
	}
}

// TestClosedDefaults checks the zero value of each configuration.
func TestClosedDefaults(t *testing.T) {
	for name, config := range map[string]Config{
		"consecutive": Consecutive{}, "ratio": Ratio{}, "polly": Polly{},
		"negative": Consecutive{MinimumThroughput: -1, BreakDuration: -1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := New(config)
				for range 99 {
					give(t, b, Failure)
				}
				wantState(t, b, Closed)
				give(t, b, Failure)
				wantState(t, b, Open)
				if got, want := time.Until(b.Snapshot().Until), 5*time.Second; got != want {
					t.Errorf("got a break of %v, want %v", got, want)
				}
			})
		})
	}
}

func TestClosedWindowsForget(t *testing.T) {
	for _, tt := range []struct {
		name     string
		config   Config
		after    time.Duration
		failures uint64
	}{
		{"ratio keeps the edge", Ratio{SamplingDuration: time.Second}, time.Second, 2},
		{"ratio drops beyond", Ratio{SamplingDuration: time.Second}, time.Second + 1, 0},
		{"polly keeps before the edge", Polly{SamplingDuration: time.Second}, time.Second - 1, 2},
		{"polly drops the edge", Polly{SamplingDuration: time.Second}, time.Second, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := New(tt.config)
				give(t, b, Failure, Failure)
				time.Sleep(tt.after)
				wantCounts(t, b, tt.failures, tt.failures)
			})
		})
	}
}

// TestClosedCountsManySuccesses goes through the path that takes no lock.
func TestClosedCountsManySuccesses(t *testing.T) {
	for name, config := range map[string]Config{"ratio": Ratio{}, "polly": Polly{}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := New(config)
				for range 50 {
					for range 100 {
						give(t, b, Success)
					}
					time.Sleep(10 * time.Millisecond)
				}
				give(t, b, Failure)
				wantCounts(t, b, 5001, 1)
			})
		})
	}
}
