package window_test

import (
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/window"
	"pgregory.net/rapid"
)

func TestCountersLeaveByTheSecond(t *testing.T) {
	c := window.NewCounters()
	for _, ms := range []int64{0, 999} {
		c.Record(ms*1e6, 502)
	}
	for _, tc := range []struct{ ms, want int64 }{{999, 2}, {9_999, 2}, {10_000, 0}, {1e9, 0}} {
		if got := c.NetworkErrors(tc.ms * 1e6); got != tc.want {
			t.Errorf("at %d ms: got %d network errors, want %d", tc.ms, got, tc.want)
		}
	}
	if got := c.Requests(5e9); got != 2 {
		t.Errorf("reading a later time forgot something: got %d requests, want 2", got)
	}
}

// finished is a request in the reference: a list of all there ever was.
type finished struct {
	at     int64
	status int
}

func TestCountersModel(t *testing.T) {
	codes := []int{0, 99, 100, 200, 404, 499, 500, 501, 502, 503, 504, 599, 600, 999}
	rapid.Check(t, func(t *rapid.T) {
		ranges := []window.CodeRange{{From: 500, To: 600}, {From: 0, To: 600}, {From: 502, To: 503}, {From: 600, To: 500}}
		ranges = ranges[:rapid.IntRange(0, len(ranges)).Draw(t, "ranges")]
		c := window.NewCounters(ranges...)
		var all []finished
		count := func(now int64, in func(status int) bool) (n int64) {
			for _, f := range all {
				if now/1e9-f.at/1e9 <= 9 && in(f.status) {
					n++
				}
			}
			return n
		}
		now := rapid.Int64Range(0, 20e9).Draw(t, "begin")
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += rapid.SampledFrom([]int64{0, 1, 1e6, 999e6, 1e9, 3e9, 9e9, 10e9, 11e9, 100e9}).Draw(t, "step")
			switch rapid.IntRange(0, 20).Draw(t, "action") {
			case 0:
				c.Reset()
				all = nil
			case 1, 2, 3: // time passes, nothing comes
			default:
				f := finished{now, rapid.SampledFrom(codes).Draw(t, "status")}
				c.Record(f.at, f.status)
				all = append(all, f)
			}
			if got, want := c.Requests(now), count(now, func(int) bool { return true }); got != want {
				t.Fatalf("got %d requests, want %d", got, want)
			}
			netErr := func(s int) bool { return s == 502 || s == 504 }
			if got, want := c.NetworkErrors(now), count(now, netErr); got != want {
				t.Fatalf("got %d network errors, want %d", got, want)
			}
			for i, r := range ranges {
				want := count(now, func(s int) bool { return r.From <= s && s < r.To })
				if got := c.Responses(now, i); got != want {
					t.Fatalf("range %v: got %d responses, want %d", r, got, want)
				}
			}
		}
	})
}

func TestCountersAllocateOnce(t *testing.T) {
	c := window.NewCounters(window.CodeRange{From: 500, To: 600}, window.CodeRange{From: 0, To: 600})
	c.Record(0, 200)
	now := int64(0)
	got := testing.AllocsPerRun(1000, func() {
		now += int64(300 * time.Millisecond)
		c.Record(now, 502)
		_ = c.Responses(now, 1)
	})
	if got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

func BenchmarkCounters(b *testing.B) {
	c := window.NewCounters(window.CodeRange{From: 500, To: 600}, window.CodeRange{From: 0, To: 600})
	b.Run("record", func(b *testing.B) {
		b.ReportAllocs()
		now := int64(0)
		for b.Loop() {
			now += 1000
			c.Record(now, 200)
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if c.Responses(5e9, 1) < 0 {
				b.Fatal("negative")
			}
		}
	})
}
