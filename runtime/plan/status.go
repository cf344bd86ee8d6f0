package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// StatusRange is a range of HTTP status codes, both ends included. As text, and
// so in JSON, it is "503" or "500-508".
type StatusRange struct{ First, Last int }

// Contains reports whether code lies in the range.
func (r StatusRange) Contains(code int) bool { return r.First <= code && code <= r.Last }

// MarshalText returns the range as "503" or "500-508".
func (r StatusRange) MarshalText() ([]byte, error) {
	text := strconv.AppendInt(nil, int64(r.First), 10)
	if r.Last != r.First {
		text = append(text, '-')
		text = strconv.AppendInt(text, int64(r.Last), 10)
	}
	return text, nil
}

// UnmarshalText reads "503" or "500-508". It accepts three digits a code; Check
// says which codes are valid.
func (r *StatusRange) UnmarshalText(text []byte) error {
	first, last, isRange := strings.Cut(string(text), "-")
	if !isRange {
		last = first
	}
	from, okFrom := statusCode(first)
	to, okTo := statusCode(last)
	if !okFrom || !okTo {
		return fmt.Errorf(`got %q, expected a status code such as "503" or a range such as "500-508"`, text)
	}
	*r = StatusRange{First: from, Last: to}
	return nil
}

func statusCode(text string) (int, bool) {
	if len(text) != 3 {
		return 0, false
	}
	code, err := strconv.ParseUint(text, 10, 16)
	return int(code), err == nil
}
