package pollytest

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TimeSpan returns the duration of a TimeSpan text, [-][d.]hh:mm:ss[.fffffff].
// A span that does not fit a Duration becomes the nearest one that does.
func TimeSpan(t testing.TB, text string) time.Duration {
	t.Helper()
	d, err := parseTimeSpan(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func parseTimeSpan(text string) (time.Duration, error) {
	rest, negative := strings.CutPrefix(text, "-")
	days := "0"
	if before, after, ok := strings.Cut(rest, "."); ok && strings.Contains(after, ":") {
		days, rest = before, after
	}
	parts := strings.Split(rest, ":")
	if len(parts) != 3 {
		return 0, fmt.Errorf("read the time span %q: it has %d parts", text, len(parts))
	}
	var seconds float64
	for i, part := range append([]string{days}, parts...) {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0, fmt.Errorf("read the time span %q: %w", text, err)
		}
		seconds = seconds*[]float64{1, 24, 60, 60}[i] + v
	}
	switch d := time.Duration(math.Round(seconds*1e7)) * 100; {
	case seconds > math.MaxInt64/1e9 && negative:
		return math.MinInt64, nil
	case seconds > math.MaxInt64/1e9:
		return math.MaxInt64, nil
	case negative:
		return -d, nil
	default:
		return d, nil
	}
}
