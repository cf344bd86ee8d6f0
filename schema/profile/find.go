package profile

import "strings"

// match is how well a row answers for a release.
type match uint8

const (
	// exact: the release is one of the row's own name.
	exact match = iota
	// equal: another name, and it answers as the row does.
	equal
	// nearest: nothing was recorded of it.
	nearest
)

// Find returns the profile that answers for a release, by its number: that of
// the recorded program that it equals, or else the nearest one. False: the
// text is no number of a release. The profile has the usual provider.
//
// A release in between two recorded ones goes with the older: what changed is
// found in the newer one.
func Find(text string) (Profile, bool) {
	asked, ok := ParseRelease(text)
	if !ok {
		return Profile{}, false
	}
	row := &programs[len(programs)-1]
	for i := range programs {
		if !asked.Before(release(programs[i].first)) {
			row = &programs[i]
			break
		}
	}
	p := Profile{Version: row.version, Provider: row.providers[0]}
	if text = strings.TrimPrefix(strings.TrimSpace(text), "v"); text != row.version {
		p.Asked = text
	}
	return p, true
}

// match says how well the profile's program answers for the release asked for.
func (p Profile) match() match {
	asked, ok := ParseRelease(p.Asked)
	if !ok {
		return exact
	}
	row := p.program()
	first, last, named := release(row.first), release(row.last), release(row.version)
	switch {
	case isMajorOnly(p.Asked) && asked.Major == named.Major && asked.Compare(named) >= 0:
		return exact
	case asked.Before(first) || last.Before(asked):
		return nearest
	case asked.Major != named.Major || asked.Minor != named.Minor:
		return equal
	}
	return exact
}

// Number returns the release that the answers are true of, as the reader calls
// it: the one asked for, or the recorded one where nothing is known of that.
func (p Profile) Number() string {
	switch {
	case p.Documented():
		return "25.0"
	case p.Asked == "" || p.match() == nearest:
		return p.Version
	}
	return p.Asked
}

// isMajorOnly says whether a text has no second part, as in "24".
func isMajorOnly(text string) bool { return !strings.Contains(text, ".") }

// Notice says in one clause that the answer was recorded from another release
// than the one asked for; "" where it was not.
func (p Profile) Notice() string {
	switch p.match() {
	case equal:
		return p.Asked + " resolves QoS as " + p.Version + " does"
	case nearest:
		return "nothing is recorded of " + p.Asked + ": " + p.Version + " is the nearest, and may differ"
	}
	return ""
}

// caveats are what is known of releases that were not recorded, from their
// source and the reports about them.
var caveats = [...]struct{ first, last, text string }{
	{"1.0.0", "21.65535", "up to 21.0 the circuit counts refused connections and timeouts, not statuses, and each route has its own"},
	{"22.0.0", "22.0.0", "22.0.0 alone has no limit of 90 s where TimeoutValue is missing"},
	{"23.0.0", "23.1.65535", "23.0 and 23.1 have load-balancing keys as 23.2; with a breaker and a timeout 23.1 was seen to answer 404 or 500 (issue 2075 of Ocelot)"},
}

// Caveat says what the release asked for is known to do in another way than
// the one that answers for it; "" where nothing is known, or nothing differs.
// It is a clause without a full stop.
func (p Profile) Caveat() string {
	asked, ok := ParseRelease(p.Asked)
	for _, c := range caveats {
		if ok && !asked.Before(release(c.first)) && !release(c.last).Before(asked) {
			return c.text
		}
	}
	return ""
}
