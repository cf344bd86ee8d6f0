package budget_test

import (
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/budget"
	"pgregory.net/rapid"
)

// naive is the grid as the text of the rules has it: a log of every entry with
// the number of its bucket, and the whole log read for every question.
type naive struct {
	ratio    float64
	minimum  int
	width    int64 // ticks
	requests []int64
	retries  []int64
}

func live(log []int64, bucket int64) int {
	n := 0
	for _, b := range log {
		if bucket < b+10 {
			n++
		}
	}
	return n
}

func (m *naive) try(bucket int64) bool {
	if m.ratio == 0 {
		return false
	}
	r := live(m.requests, bucket)
	if r >= m.minimum && live(m.retries, bucket) >= max(1, int(m.ratio*float64(r))) {
		return false
	}
	m.retries = append(m.retries, bucket)
	return true
}

func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sampling := time.Duration(rapid.Int64Range(1e7, 1e9).Draw(t, "sampling ticks")) * 100
		m := &naive{
			ratio:   rapid.SampledFrom([]float64{0, 0.001, 0.1, 0.29, 0.5, 1}).Draw(t, "ratio"),
			minimum: rapid.IntRange(1, 12).Draw(t, "minimum"),
		}
		seconds := float64(sampling/100) / 1e7
		m.width = int64(seconds * 1e7 / 10)
		elapsed := int64(0)
		start := time.Unix(0, 0)
		b, err := budget.New(budget.Options{
			RetryRatio: &m.ratio, MinimumThroughput: m.minimum, SamplingDuration: sampling,
			Now: func() time.Time { return start.Add(time.Duration(elapsed) * 100) },
		})
		if err != nil {
			t.Fatal(err)
		}
		wait := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, m.width), rapid.Int64Range(0, 12*m.width),
			rapid.SampledFrom([]int64{m.width - 1, m.width, m.width + 1, 10*m.width - 1, 10 * m.width}))
		t.Repeat(map[string]func(*rapid.T){
			"wait":    func(t *rapid.T) { elapsed += wait.Draw(t, "ticks") },
			"request": func(*rapid.T) { b.Request(); m.requests = append(m.requests, elapsed/m.width) },
			"retry": func(t *rapid.T) {
				if got, want := b.TryRetry(), m.try(elapsed/m.width); got != want {
					t.Fatalf("retry: got %v, want %v", got, want)
				}
			},
			"": func(t *rapid.T) {
				got, bucket := b.Counts(), elapsed/m.width
				if want := (budget.Counts{Requests: live(m.requests, bucket), Retries: live(m.retries, bucket)}); got != want {
					t.Fatalf("counts: got %+v, want %+v", got, want)
				}
			},
		})
	})
}
