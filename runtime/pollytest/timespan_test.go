package pollytest

import (
	"math"
	"testing"
	"time"
)

func TestTimeSpan(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"00:00:00":                   0,
		"00:00:00.0000001":           100,
		"-00:00:00.0010000":          -time.Millisecond,
		"1.00:00:00.0000001":         24*time.Hour + 100,
		"00:01:02.5000000":           62500 * time.Millisecond,
		"10675199.02:48:05.4775807":  math.MaxInt64,
		"-10675199.02:48:05.4775808": math.MinInt64,
		"00:00:00.0099999":           10*time.Millisecond - 100,
		"23:59:59.9999999":           24*time.Hour - 100,
		"-1.02:00:00":                -26 * time.Hour,
	} {
		if got := TimeSpan(t, text); got != want {
			t.Errorf("TimeSpan(%q): got %v, want %v", text, got, want)
		}
	}
}
