package reach

import "strings"

// segment is a part of a path up to a slash, which is at end, or to the end.
type segment struct {
	text   string
	end    int
	hash   uint64
	braces bool
}

func nextSegment(path string) segment {
	s := segment{hash: offset64}
	for s.end < len(path) && path[s.end] != '/' {
		c := path[s.end]
		s.braces = s.braces || c == '{' || c == '}'
		s.hash = mix(s.hash, c)
		s.end++
	}
	s.text = path[:s.end]
	return s
}

// offset64 is where FNV-1a starts.
const offset64 = 14695981039346656037

// mix is a step of FNV-1a without regard to the case of ASCII letters.
func mix(h uint64, c byte) uint64 {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return (h ^ uint64(c)) * 1099511628211
}

func hash(segment string) uint64 {
	h := uint64(offset64)
	for i := range len(segment) {
		h = mix(h, segment[i])
	}
	return h
}

// isOneSegment says whether a segment is made of text and placeholders, such as
// v{version}. Behind it there is a slash, so none of them takes more.
func isOneSegment(s string) bool {
	open := false
	for i := range len(s) {
		switch s[i] {
		case '{':
			if open {
				return false
			}
			open = true
		case '}':
			if !open {
				return false
			}
			open = false
		}
	}
	return !open
}

func isPlaceholder(s string) bool {
	return len(s) >= 2 && s[0] == '{' && strings.IndexByte(s, '}') == len(s)-1
}
