package breaker

import (
	stdruntime "runtime"
	"testing"
	"unsafe"
)

// TestNothingIsAllocated on admission and report, in each state.
func TestNothingIsAllocated(t *testing.T) {
	for name, config := range kinds() {
		closed, open, isolated := New(config), New(config), New(config)
		give(t, closed, Success, Failure, Success) // the window's memory comes with first use
		give(t, open, Failure, Failure)
		isolated.Isolate()
		for what, call := range map[string]func(){
			"success":  func() { give1(closed, Success) },
			"failure":  func() { give1(closed, Failure); give1(closed, Success) },
			"ignored":  func() { give1(closed, Ignored) },
			"Do":       func() { _ = closed.Do(func() error { return nil }) },
			"open":     func() { give1(open, Success) },
			"isolated": func() { give1(isolated, Success) },
			"state":    func() { open.State(); open.Snapshot() },
			"cycle": func() {
				give1(open, Failure)
				open.gate.Store(0) // the break is over: probe, fail
				give1(open, Failure)
			},
		} {
			if got := testing.AllocsPerRun(100, call); got != 0 {
				t.Errorf("%s, %s: got %v allocations, want 0", name, what, got)
			}
		}
	}
}

func give1(b *Breaker, r Result) {
	if permit, err := b.Acquire(); err == nil {
		permit.Report(Outcome{Result: r})
	}
}

// TestHeap holds a breaker's memory to 256 bytes, or 4 KiB with a full window.
func TestHeap(t *testing.T) {
	const n = 2000
	for _, tt := range []struct {
		name   string
		config Config
		limit  int64
	}{
		{"consecutive", Consecutive{}, 256},
		{"ratio", Ratio{MinimumThroughput: 1 << 30}, 4096},
		{"polly", Polly{MinimumThroughput: 1 << 30}, 4096},
	} {
		all := make([]*Breaker, n)
		before := heap()
		for i := range all {
			all[i] = New(tt.config)
			for range 70 { // together more than a window keeps exactly
				give1(all[i], Failure)
				give1(all[i], Success)
			}
		}
		got := int64(heap()-before) / n // what others left may go meanwhile
		stdruntime.KeepAlive(all)
		t.Logf("%s: %d bytes a breaker", tt.name, got)
		if got > tt.limit {
			t.Errorf("%s: got %d bytes a breaker, want at most %d", tt.name, got, tt.limit)
		}
	}
}

func heap() uint64 {
	var m stdruntime.MemStats
	stdruntime.GC()
	stdruntime.GC() // what pools held goes with the second
	stdruntime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestBreakersShareNoLine checks that every breaker begins on a cache line of
// its own, so that neighbours in memory do not slow each other down.
func TestBreakersShareNoLine(t *testing.T) {
	for name, config := range kinds() {
		for range 100 {
			b := New(config)
			if at := uintptr(unsafe.Pointer(b)); at%cacheLine != 0 {
				t.Fatalf("%s: a breaker lies %d bytes into a cache line", name, at%cacheLine)
			}
		}
	}
	if got := unsafe.Offsetof(Breaker{}.mu); got%cacheLine != 0 {
		t.Errorf("the lock lies %d bytes into a line, want it off the line that every call reads", got%cacheLine)
	}
}
