package route

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// ErrTarget means that the target of a request line is none that a server
// answers: 400.
var ErrTarget = errors.New("the request target is malformed")

// Target is the target of a request as templates see it: the path decoded,
// without dot segments, and encoded again; the query as it came.
type Target struct {
	text string // path and query
	path int    // the length of the path
}

// ParseTarget reads the target of a request line, in origin form or in
// absolute form; "*" and authorities have an empty path. It does what Kestrel
// and PathString do with it (recordings raw-catchall, raw-prefix): percent
// signs that start no valid UTF-8 stay, and so does %2F. What was encoded
// twice is decoded once. It fails with [ErrTarget].
func ParseTarget(raw string) (Target, error) {
	switch {
	case raw == "":
		return Target{}, ErrTarget
	case raw[0] != '/':
		return parseForeign(raw)
	}
	return parseOrigin(raw)
}

// NewTarget returns the target with a path and a query that are in the form
// which templates see. The query is empty or starts with a question mark.
func NewTarget(path, query string) Target { return Target{text: path + query, path: len(path)} }

// Path returns the path.
func (t Target) Path() string { return t.text[:t.path] }

// Query returns the query with its question mark, or nothing.
func (t Target) Query() string { return t.text[t.path:] }

// String returns path and query.
func (t Target) String() string { return t.text }

// WithQuery returns the target with another query, which is empty or starts
// with a question mark.
func (t Target) WithQuery(query string) Target { return NewTarget(t.Path(), query) }

func parseForeign(raw string) (Target, error) {
	for _, scheme := range []string{"http://", "https://"} {
		if after, ok := strings.CutPrefix(raw, scheme); ok {
			if i := strings.IndexAny(after, "/?"); i >= 0 && after[i] == '/' {
				return parseOrigin(after[i:])
			} else if i >= 0 {
				return parseOrigin("/" + after[i:])
			}
			return Target{text: "/", path: 1}, nil
		}
	}
	if raw[0] == '?' || strings.ContainsAny(raw, "/") {
		return Target{}, ErrTarget
	}
	return Target{}, nil
}

func parseOrigin(raw string) (Target, error) {
	path, simple := len(raw), true
	for i := range len(raw) {
		switch c := raw[i]; {
		case c <= ' ' || c >= 0x80:
			return Target{}, ErrTarget
		case path < i:
			simple = simple && c != '#'
		case c == '?':
			path = i
		case c == '.':
			simple = simple && raw[i-1] != '/'
		default:
			simple = simple && pathBytes[c]
		}
	}
	if simple {
		return Target{text: raw, path: path}, nil
	}
	decoded, err := decodePath(raw[:path])
	if err != nil {
		return Target{}, err
	}
	clean := encodePath(removeDots(decoded))
	return NewTarget(clean, strings.ReplaceAll(raw[path:], "#", "%23")), nil
}

// decodePath removes percent encoding once, as far as it is valid UTF-8.
func decodePath(raw string) ([]byte, error) {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		switch r, size := decodeRune(raw[i:]); {
		case size == 0:
			out = append(out, raw[i])
			i++
		case r == 0:
			return nil, ErrTarget
		case r == '/':
			out = append(out, raw[i:i+size]...)
			i += size
		default:
			out = utf8.AppendRune(out, r)
			i += size
		}
	}
	return out, nil
}

// removeDots removes dot segments as RFC 3986, section 5.2.4, does.
func removeDots(path []byte) []byte {
	out := make([]byte, 0, len(path))
	for at := 0; at < len(path); {
		end := at + 1
		for end < len(path) && path[end] != '/' {
			end++
		}
		last := end == len(path)
		switch string(path[at:end]) {
		case "/.":
			if last {
				out = append(out, '/')
			}
		case "/..":
			for len(out) > 0 && out[len(out)-1] != '/' {
				out = out[:len(out)-1]
			}
			out = out[:max(0, len(out)-1)]
			if last {
				out = append(out, '/')
			}
		default:
			out = append(out, path[at:end]...)
		}
		at = end
	}
	return out
}

// encodePath encodes a path as PathString.ToUriComponent does: what looks
// encoded stays.
func encodePath(path []byte) string {
	out := make([]byte, 0, len(path)+16)
	for i, c := range path {
		if pathBytes[c] {
			out = append(out, c)
		} else if _, encoded := decodeByte(string(path[i:min(len(path), i+3)])); encoded {
			out = append(out, c)
		} else {
			out = appendEncoded(out, c)
		}
	}
	return string(out)
}
