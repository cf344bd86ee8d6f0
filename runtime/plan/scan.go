package plan

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// cursor moves over JSON that encoding/json has found well-formed, which is why
// it looks no further than it must. json.Decoder's tokens would do as well, at
// four times the cost: a gateway reads its plan while it serves.
type cursor struct {
	data []byte
	at   int
}

// peek returns the first byte of what comes next, behind white space.
func (c *cursor) peek() byte {
	for {
		switch b := c.data[c.at]; b {
		case ' ', '\t', '\r', '\n', ',', ':':
			c.at++
		default:
			return b
		}
	}
}

// more reports whether the open object or array has another element; if not, it
// moves behind the closing bracket.
func (c *cursor) more() bool {
	if b := c.peek(); b != '}' && b != ']' {
		return true
	}
	c.at++
	return false
}

// literal returns the text of a string, number or word, a string with its
// quotes.
func (c *cursor) literal() []byte {
	first := c.peek()
	start := c.at
	if first == '"' {
		c.skipString()
		return c.data[start:c.at]
	}
	for c.at < len(c.data) && !endsLiteral(c.data[c.at]) {
		c.at++
	}
	return c.data[start:c.at]
}

func endsLiteral(b byte) bool {
	switch b {
	case ' ', '\t', '\r', '\n', ',', '}', ']':
		return true
	}
	return false
}

func (c *cursor) skipString() {
	for c.at++; c.data[c.at] != '"'; c.at++ {
		if c.data[c.at] == '\\' {
			c.at++
		}
	}
	c.at++
}

// skip passes over one value of any kind.
func (c *cursor) skip() {
	if b := c.peek(); b != '{' && b != '[' {
		c.literal()
		return
	}
	c.at++
	c.skipOpen()
}

// skipOpen passes over the rest of an object or array whose opening bracket was
// read.
func (c *cursor) skipOpen() {
	for depth := 1; depth > 0; {
		switch c.peek() {
		case '{', '[':
			depth++
			c.at++
		case '}', ']':
			depth--
			c.at++
		default:
			c.literal()
		}
	}
}

// unquote returns the text of a string literal. What needs decoding is
// encoding/json's to decode.
func unquote(literal []byte) string {
	inner := literal[1 : len(literal)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var text string
	_ = json.Unmarshal(literal, &text) // it is a well-formed string
	return text
}
