package retry

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ParseRetryAfter returns the wait that the text of a Retry-After header asks
// for, in either of its forms: whole seconds, or a date, which is compared with
// now. A date that has passed is no wait. Anything else is false, and so are a
// sign, a fraction, a list, and seconds beyond 32 bits, as .NET reads them.
func ParseRetryAfter(text string, now time.Time) (time.Duration, bool) {
	text = strings.Trim(text, " \t")
	if text == "" {
		return 0, false
	}
	if text[0] >= '0' && text[0] <= '9' {
		seconds, err := strconv.ParseUint(text, 10, 64)
		if err == nil && seconds <= math.MaxInt32 {
			return time.Duration(seconds) * time.Second, true
		}
		return 0, false
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	return max(0, date.Sub(now)), true
}
