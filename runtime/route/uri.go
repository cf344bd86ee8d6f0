package route

import "strings"

// System.Uri normalises what goes out: unreserved characters are decoded, dot
// segments are removed, and what may not stand in a URI is encoded. Everything
// else stays as it is, in the case that it has.

// appendURIByte appends the normal form of the byte at text[at], and returns
// how many bytes it stood for.
func appendURIByte(to []byte, text string, at int) ([]byte, int) {
	c := text[at]
	if uriBytes[c] {
		return append(to, c), 1
	}
	if decoded, ok := decodeByte(text[at:]); ok {
		if unreservedBytes[decoded] {
			return append(to, decoded), 3
		}
		return append(to, text[at:at+3]...), 3
	}
	return appendEncoded(to, c), 1
}

// appendQuery appends a query in its normal form. A question mark alone
// vanishes.
func appendQuery(to []byte, query string) []byte {
	if len(query) < 2 {
		return to
	}
	for at := 0; at < len(query); {
		var size int
		to, size = appendURIByte(to, query, at)
		at += size
	}
	return to
}

// normalQuery returns the normal form of a query without its question mark.
func normalQuery(query string) string {
	for i := range len(query) {
		if !uriBytes[query[i]] {
			query = string(appendQuery(nil, query))
			break
		}
	}
	return strings.TrimPrefix(query, "?")
}

// endsWithSlash reports whether the normal form of a path ends in a slash:
// dot segments that were encoded twice vanish and leave one.
func endsWithSlash(path string) bool {
	last := path[strings.LastIndexByte(path, '/')+1:]
	switch len(last) {
	case 0:
		return path != ""
	case 1, 2, 3, 4, 6:
		text := appendQuery(nil, "?"+last)
		return string(text) == "?." || string(text) == "?.."
	}
	return false
}

// path returns the normal form of the first bytes of d. It fails with
// [ErrEscape] when a dot segment made by a captured value would remove
// something outside of the value.
func (d draft) path(end int) ([]byte, error) {
	if d.isNormal(end) {
		return d.text[:end], nil
	}
	text := string(d.text[:end])
	n := normalizer{out: make([]byte, 0, len(text)+16), from: make([]int, 0, len(text)+16)}
	if !strings.HasPrefix(text, "/") {
		n.add(0, '/')
	}
	for at := 0; at < len(text); {
		var size int
		n.out, size = appendURIByte(n.out, text, at)
		for len(n.from) < len(n.out) {
			n.from = append(n.from, d.valueAt(at))
		}
		at += size
	}
	return n.removeDots()
}

// isNormal reports whether a path needs no normalising.
func (d draft) isNormal(end int) bool {
	if end == 0 || d.text[0] != '/' {
		return false
	}
	for i, c := range d.text[:end] {
		switch {
		case c == '.' && d.text[i-1] == '/':
			return false
		case c == '%':
			decoded, ok := decodeByte(string(d.text[i:min(end, i+3)]))
			if !ok || unreservedBytes[decoded] {
				return false
			}
		case !uriBytes[c]:
			return false
		}
	}
	return true
}

// valueAt returns the number of the captured value at a place, from 1; 0 is
// none.
func (d draft) valueAt(at int) int {
	for i, v := range d.values {
		if v.from <= at && at < v.to {
			return i + 1
		}
	}
	return 0
}

// normalizer removes dot segments from a path whose bytes know which value
// they come from.
type normalizer struct {
	out  []byte
	from []int
}

func (n *normalizer) add(from int, c byte) {
	n.out, n.from = append(n.out, c), append(n.from, from)
}

// removeDots follows RFC 3986, section 5.2.4. A segment starts with its slash.
func (n *normalizer) removeDots() ([]byte, error) {
	kept := normalizer{out: make([]byte, 0, len(n.out))}
	var starts []int
	for at := 0; at < len(n.out); {
		end := at + 1
		for end < len(n.out) && n.out[end] != '/' {
			end++
		}
		text := string(n.out[at+1 : end])
		if text == ".." && len(starts) > 0 {
			top := starts[len(starts)-1]
			if !n.mayRemove(at, end, kept.from[top+1:]) {
				return nil, ErrEscape
			}
			kept.out, kept.from = kept.out[:top], kept.from[:top]
			starts = starts[:len(starts)-1]
		}
		switch dots := text == "." || text == ".."; {
		case !dots:
			starts = append(starts, len(kept.out))
			for i := at; i < end; i++ {
				kept.add(n.from[i], n.out[i])
			}
		case end == len(n.out):
			kept.add(0, '/')
		}
		at = end
	}
	return kept.out, nil
}

// mayRemove reports whether the dots at a place may remove a segment whose text
// comes from removed: dots that the plan holds may, dots of a value only what
// comes from the same value.
func (n *normalizer) mayRemove(at, end int, removed []int) bool {
	value := 0
	for _, from := range n.from[at+1 : end] {
		value = max(value, from)
	}
	if value == 0 {
		return true
	}
	if len(removed) == 0 {
		return n.from[at] == value
	}
	for _, from := range removed {
		if from != value {
			return false
		}
	}
	return true
}
