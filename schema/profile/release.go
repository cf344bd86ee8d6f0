package profile

import (
	"cmp"
	"strconv"
	"strings"
)

// Release is the number of a release of Ocelot. The zero Release is none.
type Release struct{ Major, Minor, Patch int }

// ParseRelease reads "24", "24.0", "v24.0.1" or "25.0.0-beta.2"; what follows a
// hyphen or a plus is not looked at. Absent parts are 0.
func ParseRelease(text string) (Release, bool) {
	text, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "v"), "+")
	text, _, _ = strings.Cut(text, "-")
	var numbers [3]int
	parts := strings.Split(text, ".")
	if len(parts) > 4 {
		return Release{}, false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || part == "" {
			return Release{}, false
		}
		if i < len(numbers) {
			numbers[i] = int(n)
		}
	}
	return Release{numbers[0], numbers[1], numbers[2]}, numbers[0] > 0
}

// Compare orders releases from old to new.
func (r Release) Compare(o Release) int {
	return cmp.Or(cmp.Compare(r.Major, o.Major), cmp.Compare(r.Minor, o.Minor), cmp.Compare(r.Patch, o.Patch))
}

// Before says whether r is older than o.
func (r Release) Before(o Release) bool { return r.Compare(o) < 0 }

// String returns the number in three parts: "24.0.1".
func (r Release) String() string {
	return strconv.Itoa(r.Major) + "." + strconv.Itoa(r.Minor) + "." + strconv.Itoa(r.Patch)
}

// Short returns the number as people say it: without a last part of 0.
func (r Release) Short() string { return strings.TrimSuffix(r.String(), ".0") }

// release reads the number of a row of data; it panics on anything else.
func release(text string) Release {
	r, ok := ParseRelease(text)
	if !ok {
		panic("profile: " + strconv.Quote(text) + " is no release")
	}
	return r
}
