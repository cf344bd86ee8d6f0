package fallback

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// directives are the directives of Cache-Control that matter here.
type directives struct {
	noStore, noCache, private, public bool
	revalidate                        bool           // must-revalidate or proxy-revalidate
	maxAge, sharedMaxAge              *time.Duration // max-age, s-maxage
	staleIfError                      *time.Duration
}

// parseDirectives reads Cache-Control, and Pragma where there is no
// Cache-Control. A quoted list of fields in no-cache or private, which would
// forbid only those, counts as forbidding everything.
func parseDirectives(h http.Header) (d directives) {
	lines := h["Cache-Control"]
	if len(lines) == 0 {
		d.noCache = strings.Contains(strings.ToLower(strings.Join(h["Pragma"], ",")), "no-cache")
		return d
	}
	for rest := strings.Join(lines, ","); rest != ""; {
		var directive string
		directive, rest = nextDirective(rest)
		name, value, _ := strings.Cut(directive, "=")
		d.set(strings.ToLower(strings.TrimSpace(name)), strings.Trim(value, " \t\""))
	}
	return d
}

// nextDirective cuts text at the first comma outside of quotes.
func nextDirective(text string) (directive, rest string) {
	quoted := false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

func (d *directives) set(name, value string) {
	switch name {
	case "no-store":
		d.noStore = true
	case "no-cache":
		d.noCache = true
	case "private":
		d.private = true
	case "public":
		d.public = true
	case "must-revalidate", "proxy-revalidate":
		d.revalidate = true
	case "max-age":
		d.maxAge = seconds(value)
	case "s-maxage":
		d.sharedMaxAge = seconds(value)
	case "stale-if-error":
		d.staleIfError = seconds(value)
	}
}

// seconds reads delta-seconds. What cannot be read is stale at once, as RFC
// 9111 recommends.
func seconds(text string) *time.Duration {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		n = 0
	}
	return new(time.Duration(min(n, math.MaxInt32)) * time.Second)
}

// staleLimit returns how old the response may get that these directives came
// with, and false where nothing bounds it.
func (d *directives) staleLimit() (time.Duration, bool) {
	if d.staleIfError == nil {
		return 0, false
	}
	limit := *d.staleIfError
	switch {
	case d.sharedMaxAge != nil:
		limit += *d.sharedMaxAge
	case d.maxAge != nil:
		limit += *d.maxAge
	}
	return limit, true
}

// allowStale reports whether a shared cache may answer with the response once
// it is stale. s-maxage implies proxy-revalidate (RFC 9111, 5.2.2.10), which a
// stale-if-error of the same response takes back.
func (d *directives) allowStale() bool {
	if d.noStore || d.noCache || d.private || d.revalidate {
		return false
	}
	return d.sharedMaxAge == nil || d.staleIfError != nil
}
