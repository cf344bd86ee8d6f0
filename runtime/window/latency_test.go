package window_test

import (
	"slices"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/window"
	"pgregory.net/rapid"
)

// hdr is what an HdrHistogram from 1 µs to 1 h with two significant figures
// makes of a latency, in whole milliseconds, step by step: buckets double
// their width whenever 256 of them are used up.
func hdr(latency time.Duration) (ms int64, recorded bool) {
	us := latency.Microseconds()
	width := int64(1)
	for us >= 256*width {
		width *= 2
	}
	upper := us/width*width + width - 1
	return upper / 1000, upper < 1<<32
}

func TestLatenciesAreTheUpperEdgesOfHDR(t *testing.T) {
	const ms = time.Millisecond
	for _, tc := range []struct {
		latency time.Duration
		want    int64 // recorded from HdrHistogram 1.1.2
	}{
		{0, 0}, {999 * time.Microsecond, 0}, {ms, 1}, {100 * ms, 100}, {100*ms + 900*time.Microsecond, 101},
		{101 * ms, 101}, {500 * ms, 501}, {time.Second, 1003}, {time.Minute, 60030}, {time.Hour, 3607101},
	} {
		if got, _ := hdr(tc.latency); got != tc.want {
			t.Errorf("reference of %v: got %d ms, want %d", tc.latency, got, tc.want)
		}
		l := window.NewLatencies(tc.want-1, tc.want)
		l.Record(0, tc.latency)
		if below, within := l.Within(0, 0), l.Within(0, 1); below != 0 || within != 1 {
			t.Errorf("%v: got %d up to %d ms and %d up to %d ms, want 0 and 1", tc.latency, below, tc.want-1, within, tc.want)
		}
	}
}

func TestLatenciesDropWhatIsTooLarge(t *testing.T) {
	l := window.NewLatencies(5_000_000)
	l.Record(0, 1<<32*time.Microsecond-1)
	l.Record(0, 1<<32*time.Microsecond)
	if got := l.Count(0); got != 1 {
		t.Errorf("got %d latencies, want the one below 2³² µs", got)
	}
	if got := l.Within(0, 0); got != 1 {
		t.Errorf("got %d latencies within a bound beyond the largest, want 1", got)
	}
}

// slot is one of six histograms in the reference: oxy's ring, which turns by
// one slot when a sample comes and ten seconds have passed since it turned
// last, and which forgets, unlike oxy, a slot that began a minute ago.
type slot struct {
	start   int64
	samples []int64 // ms
}

func TestLatenciesModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bounds := rapid.SliceOfNDistinct(rapid.SampledFrom([]int64{0, 1, 5, 99, 100, 101, 130, 131, 132, 499, 500, 501, 60_000, 3_600_000, 1 << 62}), 0, 5, rapid.ID).Draw(t, "bounds")
		slices.Sort(bounds)
		l := window.NewLatencies(bounds...)
		var ring []slot
		now := int64(0)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now += rapid.SampledFrom([]int64{0, 1e6, 1e9, 5e9, 9_999_999_999, 10e9, 11e9, 30e9, 60e9, 3600e9}).Draw(t, "step")
			switch rapid.IntRange(0, 20).Draw(t, "action") {
			case 0:
				l.Reset(now)
				ring = []slot{{start: now}}
			case 1, 2, 3:
			default:
				d := time.Duration(rapid.SampledFrom([]int64{0, 1e3, 1e5, 1e6, 1e8, 1e9, 1e11, 4e12}).Draw(t, "scale") * rapid.Int64Range(0, 1100).Draw(t, "size") / 1000)
				l.Record(now, d)
				if len(ring) == 0 || now-ring[len(ring)-1].start >= 10e9 {
					ring = append(ring, slot{start: now})
					ring = ring[max(0, len(ring)-6):]
				}
				if ms, recorded := hdr(d); recorded {
					last := &ring[len(ring)-1]
					last.samples = append(last.samples, ms)
				}
			}
			var live []int64
			for _, s := range ring {
				if now-s.start < 60e9 {
					live = append(live, s.samples...)
				}
			}
			if got, want := l.Count(now), int64(len(live)); got != want {
				t.Fatalf("at %d: got %d latencies, want %d", now, got, want)
			}
			for i, bound := range bounds {
				want := int64(0)
				for _, ms := range live {
					if ms <= bound {
						want++
					}
				}
				if got := l.Within(now, i); got != want {
					t.Fatalf("at %d: got %d latencies within %d ms, want %d of %v", now, got, bound, want, live)
				}
			}
		}
	})
}

func TestLatenciesAllocateOnce(t *testing.T) {
	l := window.NewLatencies(99, 100)
	l.Record(0, 0)
	now := int64(0)
	got := testing.AllocsPerRun(1000, func() {
		now += int64(3 * time.Second)
		l.Record(now, 100*time.Millisecond)
		_ = l.Within(now, 1)
	})
	if got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

func BenchmarkLatencies(b *testing.B) {
	l := window.NewLatencies(99, 100, 499, 500)
	b.Run("record", func(b *testing.B) {
		b.ReportAllocs()
		now := int64(0)
		for b.Loop() {
			now += 1000
			l.Record(now, time.Duration(now%1e9))
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if l.Within(5e9, 2) < 0 {
				b.Fatal("negative")
			}
		}
	})
}
