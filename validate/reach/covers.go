package reach

import "strings"

// covers says, for the most frequent cases and without automata, that a
// template takes everything that another one takes: it is written alike, or it
// ends in a placeholder that is a whole segment, and what is before it fits. A
// false answer says nothing.
func covers(a, b *Entry) bool {
	if a.CaseSensitive && !b.CaseSensitive {
		return false
	}
	if a.Template == b.Template {
		return true
	}
	if strings.ContainsAny(a.Template, metacharacters+"?.") || strings.ContainsAny(b.Template, metacharacters+"?") {
		return false
	}
	ours, theirs := strings.TrimPrefix(a.Template, "/"), strings.TrimPrefix(b.Template, "/")
	for {
		s, ourRest, more := strings.Cut(ours, "/")
		if !more {
			return isPlaceholder(s) // takes nothing, and everything behind a slash
		}
		t, theirRest, left := strings.Cut(theirs, "/")
		if !fitsSegment(s, t, a.CaseSensitive, left) {
			return false
		}
		ours, theirs = ourRest, theirRest
		if !left {
			// theirs ends here; only a last placeholder may be missing
			return isPlaceholder(ours) && !strings.Contains(ours, "/")
		}
	}
}

// fitsSegment says whether every text of segment t fits s. A last placeholder of
// t, which may hold slashes, fits nothing.
func fitsSegment(s, t string, cased, left bool) bool {
	if t == "" || !left && (strings.ContainsAny(t, "{}") || t[0] == '.') {
		return false
	}
	switch {
	case isPlaceholder(s):
		return true
	case strings.ContainsAny(s, "{}") || strings.ContainsAny(t, "{}."):
		return false
	case cased:
		return s == t
	}
	return strings.EqualFold(s, t)
}
