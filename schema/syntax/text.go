package syntax

import "unsafe"

// view returns b as a string without a copy. File texts never change, and a
// 57 MB configuration holds millions of strings.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// unquote returns the text of a quoted string; escaped says that it contains a
// backslash and has to be decoded.
func unquote(quoted []byte, escaped bool) string {
	inner := quoted
	if len(inner) > 0 && inner[0] == '"' {
		inner = inner[1:]
	}
	if len(inner) > 0 && inner[len(inner)-1] == '"' {
		inner = inner[:len(inner)-1]
	}
	if !escaped {
		return view(inner)
	}
	return string(unescape(inner))
}
