package normalize

import (
	"bytes"

	"github.com/margay-dev/margay/schema/source"
)

// readMembers finds the members of an object in its text, which has no syntax
// errors.
func readMembers(object source.Span) []memberText {
	text := object.File.Text
	var members []memberText
	for at := skipBlank(text, object.Start+1); at < object.End && text[at] == '"'; {
		m := memberText{comma: -1}
		end := skipValue(text, at)
		m.key = source.Span{File: object.File, Start: at, End: end}
		m.colon = skipBlank(text, end)
		m.value[0] = skipBlank(text, m.colon+1)
		m.value[1] = skipValue(text, m.value[0])
		at = skipBlank(text, m.value[1])
		if at < object.End && text[at] == ',' {
			m.comma = at
			at = skipBlank(text, at+1)
		}
		members = append(members, m)
	}
	return members
}

// skipBlank returns the offset of the next character that is neither white
// space nor in a comment.
func skipBlank(text []byte, at int) int {
	for at < len(text) {
		switch {
		case text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r':
			at++
		case bytes.HasPrefix(text[at:], []byte("//")):
			at += lineLength(text[at:])
		case bytes.HasPrefix(text[at:], []byte("/*")):
			_, after, _ := bytes.Cut(text[at+2:], []byte("*/"))
			at = len(text) - len(after)
		default:
			return at
		}
	}
	return at
}

// lineLength returns the length of a text's first line without its end.
func lineLength(text []byte) int {
	if end := bytes.IndexAny(text, "\r\n"); end >= 0 {
		return end
	}
	return len(text)
}

// skipValue returns the offset behind the value that starts at an offset.
func skipValue(text []byte, at int) int {
	depth := 0
	for at < len(text) {
		switch text[at] {
		case '"':
			at = skipString(text, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			at = skipWord(text, at)
		}
		if depth == 0 {
			return at
		}
		at = skipBlank(text, at)
	}
	return at
}

func skipString(text []byte, at int) int {
	for at++; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(text))
}

// skipWord skips a number, a word, or one mark.
func skipWord(text []byte, at int) int {
	end := at + 1
	for end < len(text) && bytes.IndexByte([]byte(" \t\r\n,:]}[{\"/"), text[end]) < 0 {
		end++
	}
	return end
}
