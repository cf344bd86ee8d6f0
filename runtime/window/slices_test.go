package window

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// plainSlices is Polly's health metrics as they are told: a slice starts at
// the event that finds the one before ended; a slice as old as the sampling
// duration goes.
type plainSlices struct {
	sampling, width int64
	slices          []slice
}

func newPlainSlices(sampling int64) *plainSlices {
	p := &plainSlices{sampling: sampling / 100 * 100}
	p.width = sampling / 100 / 10 * 100
	p.reset(0)
	return p
}

func (p *plainSlices) reset(now int64) {
	p.slices = nil
	if p.sampling < int64(200*time.Millisecond) {
		p.width = p.sampling
		p.slices = []slice{{start: now}}
	}
}

func (p *plainSlices) record(now int64, failed bool) {
	if len(p.slices) == 0 || now-p.slices[len(p.slices)-1].start >= p.width {
		p.slices = append(p.slices, slice{start: now})
	}
	last := &p.slices[len(p.slices)-1]
	if failed {
		last.failures++
	} else {
		last.successes++
	}
}

func (p *plainSlices) counts(now int64) (c Counts) {
	for _, s := range p.slices {
		if now-s.start < p.sampling {
			c.Total += s.successes + s.failures
			c.Failures += s.failures
		}
	}
	return c
}

func TestSlicesModel(t *testing.T) {
	samplings := []int64{
		int64(150 * time.Millisecond), int64(200 * time.Millisecond), int64(500 * time.Millisecond),
		int64(30 * time.Second), 500_000_900, 1_234_567_899,
	}
	rapid.Check(t, func(t *rapid.T) {
		sampling := rapid.SampledFrom(samplings).Draw(t, "sampling")
		steps := rapid.SliceOfN(rapid.Uint32(), 200, 400).Draw(t, "steps")
		w, want := NewSlices(time.Duration(sampling)), newPlainSlices(sampling)
		now := int64(0)
		for i, drawn := range steps {
			step := spread(drawn, i)
			now += stride(step, sampling) / 100 * 100
			switch {
			case step%31 == 0:
				w.Reset(now)
				want.reset(now)
			case step%29 == 0:
				w.Seal()
			case step%3 == 0:
				w.Failure(now)
				want.record(now, true)
			default:
				succeed(w.Tally(), w.Success, now)
				want.record(now, false)
			}
			if got, want := w.Counts(now), want.counts(now); got != want {
				t.Fatalf("at %d: got %+v, want %+v", now, got, want)
			}
			ahead := now + stride(step>>1, sampling)
			if got, want := w.Counts(ahead), want.counts(ahead); got != want {
				t.Fatalf("at %d, read ahead: got %+v, want %+v", ahead, got, want)
			}
		}
	})
}

// TestSlicesReadingStartsNone is the difference from Polly's own reading, which
// leaves an empty slice behind.
func TestSlicesReadingStartsNone(t *testing.T) {
	w := NewSlices(10 * time.Second)
	w.Failure(0)
	w.Counts(int64(9 * time.Second))
	if w.n != 1 {
		t.Errorf("got %d slices, want 1", w.n)
	}
}

func TestSlicesStaySmall(t *testing.T) {
	w := NewSlices(500_000_900) // a tenth is not whole ticks: eleven slices
	if w.ring != nil {
		t.Error("an unused window holds memory")
	}
	most := 0
	for now := int64(0); now < 5_000_000_000; now += 1_000_000 {
		w.Success(now)
		most = max(most, w.n)
	}
	if most != 11 {
		t.Errorf("got at most %d slices, want 11", most)
	}
}
