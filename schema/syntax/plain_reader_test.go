package syntax_test

import (
	"bytes"
	"fmt"
	"unicode/utf16"
)

// plainReader reads a text as Utf8JsonReader does and stops where that stops.
// It knows nothing of recovery, trees or speed, so that what Parse says of
// .NET while it recovers can be compared with it.
type plainReader struct {
	text      []byte
	at        int
	line, col int
	inside    []byte // the closing brackets that are due, outermost first
	half      string // what decoding half a character says, "" for none
}

// refusal is the message of the reader's exception.
type refusal string

func (r *plainReader) refuse(format string, args ...any) {
	panic(refusal(fmt.Sprintf(format, args...) + fmt.Sprintf(" LineNumber: %d | BytePositionInLine: %d.", r.line, r.col)))
}

func printable(c byte) string {
	if c < ' ' || c > '~' {
		return fmt.Sprintf("0x%02X", c)
	}
	return string(rune(c))
}

// refusedBy returns what the reader throws at a text; "" for JSON.
func refusedBy(text []byte) (message string) {
	r := &plainReader{text: text}
	defer func() {
		if said := recover(); said != nil {
			message = string(said.(refusal))
		}
	}()
	if r.skip() {
		r.refuse("The input does not contain any JSON tokens. Expected the input to start with a valid JSON token, when isFinalBlock is true.")
	}
	root := r.text[r.at]
	r.value()
	if !r.skip() {
		r.refuse("'%s' is invalid after a single JSON value. Expected end of data.", printable(r.text[r.at]))
	}
	if root != '{' {
		kinds := map[byte]string{'[': "Array", '"': "String", 't': "True", 'f': "False", 'n': "Null"}
		kind := kinds[root]
		if kind == "" {
			kind = "Number"
		}
		return "Top-level JSON element must be an object. Instead, '" + kind + "' was found."
	}
	return r.half
}

func (r *plainReader) end() bool { return r.at >= len(r.text) }

func (r *plainReader) move(n int) { r.at, r.col = r.at+n, r.col+n }

// blanks moves past white space and says whether the text ends there.
func (r *plainReader) blanks() bool {
	for ; !r.end(); r.move(1) {
		switch r.text[r.at] {
		case '\n':
			r.line, r.col = r.line+1, -1
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// skip moves past white space and comments and says whether the text ends
// there.
func (r *plainReader) skip() bool {
	for !r.blanks() && r.text[r.at] == '/' {
		r.comment()
	}
	return r.end()
}

func (r *plainReader) comment() {
	rest := r.text[r.at+1:]
	switch {
	case len(rest) > 0 && rest[0] == '/':
		r.lineComment(rest[1:])
	case len(rest) > 0 && rest[0] == '*':
		n := bytes.Index(rest[1:], []byte("*/"))
		if n < 0 {
			r.refuse("Expected end of comment, but instead reached end of data.")
		}
		inner := rest[1 : 1+n]
		r.move(n + 4)
		if last := bytes.LastIndexByte(inner, '\n'); last >= 0 {
			r.line += bytes.Count(inner, []byte{'\n'})
			r.col = n - last + 1
		}
	default:
		r.refuse("'/' is an invalid start of a value.")
	}
}

func (r *plainReader) lineComment(rest []byte) {
	n := bytes.IndexAny(rest, "\r\n")
	inner := rest
	if n >= 0 {
		inner = rest[:n]
	}
	if bytes.Contains(inner, []byte("\u2028")) || bytes.Contains(inner, []byte("\u2029")) {
		r.refuse("Found invalid line or paragraph separator character while reading a comment.")
	}
	r.move(2 + len(inner))
	if n < 0 {
		return
	}
	if bytes.HasPrefix(rest[n:], []byte("\r\n")) {
		r.move(1)
	}
	r.move(1)
	r.line, r.col = r.line+1, 0
}

func (r *plainReader) value() {
	switch c := r.text[r.at]; c {
	case '"':
		r.string()
	case '{':
		r.open("object", '}')
		r.object()
	case '[':
		r.open("array", ']')
		r.array()
	case 't':
		r.literal("true")
	case 'f':
		r.literal("false")
	case 'n':
		r.literal("null")
	default:
		if c != '-' && (c < '0' || c > '9') {
			r.refuse("'%s' is an invalid start of a value.", printable(c))
		}
		r.number()
	}
}

func (r *plainReader) open(what string, closer byte) {
	if len(r.inside) == 64 {
		r.refuse("The maximum configured depth of 64 has been exceeded. Cannot read next JSON %s.", what)
	}
	r.inside = append(r.inside, closer)
	r.move(1)
}

func (r *plainReader) close() {
	r.inside = r.inside[:len(r.inside)-1]
	r.move(1)
}

// next moves to the next token within a container.
func (r *plainReader) next() byte {
	if r.skip() {
		r.refuse("Expected depth to be zero at the end of the JSON payload. There is an open JSON object or array that should be closed.")
	}
	return r.text[r.at]
}

// comma reads what follows a member or element: true after a comma, false
// after the closing bracket.
func (r *plainReader) comma() bool {
	switch c := r.next(); c {
	case ',':
	case r.inside[len(r.inside)-1]:
		r.close()
		return false
	case '}', ']':
		r.refuse("'%s' is invalid without a matching open.", printable(c))
	default:
		r.refuse("'%s' is invalid after a value. Expected either ',', '}', or ']'.", printable(c))
	}
	const missing = "Expected start of a property name or value, but instead reached end of data."
	if r.at+1 == len(r.text) {
		r.refuse(missing)
	}
	r.move(1)
	if r.skip() {
		r.refuse(missing)
	}
	if r.text[r.at] == r.inside[len(r.inside)-1] {
		r.close()
		return false
	}
	return true
}

func (r *plainReader) object() {
	if r.next() == '}' {
		r.close()
		return
	}
	for more := true; more; more = r.comma() {
		if c := r.text[r.at]; c != '"' {
			r.refuse("'%s' is an invalid start of a property name. Expected a '\"'.", printable(c))
		}
		r.string()
		if r.blanks() {
			r.refuse("Expected a value, but instead reached end of data.")
		}
		if c := r.text[r.at]; c != ':' {
			r.refuse("'%s' is invalid after a property name. Expected a ':'.", printable(c))
		}
		r.move(1)
		r.next()
		r.value()
	}
}

func (r *plainReader) array() {
	if r.next() == ']' {
		r.close()
		return
	}
	for more := true; more; more = r.comma() {
		r.value()
	}
}

func (r *plainReader) literal(word string) {
	for i := range word {
		if r.at+i >= len(r.text) || r.text[r.at+i] != word[i] {
			r.col += i
			r.refuse("'%s' is an invalid JSON literal. Expected the literal '%s'.", r.text[r.at:], word)
		}
	}
	r.move(len(word))
}

func (r *plainReader) string() {
	r.move(1)
	var units []uint16
	for ; ; r.move(1) {
		if r.end() {
			r.refuse("Expected end of string, but instead reached end of data.")
		}
		switch c := r.text[r.at]; {
		case c == '"':
			r.move(1)
			r.halves(units)
			return
		case c < ' ':
			r.refuse("'%s' is invalid within a JSON string. The string should be correctly escaped.", printable(c))
		case c == '\\':
			units = append(units, r.escape())
		default:
			units = append(units, 'x')
		}
	}
}

// escape reads an escape up to its last byte.
func (r *plainReader) escape() (unit uint16) {
	r.move(1)
	if r.end() {
		r.refuse("Expected end of string, but instead reached end of data.")
	}
	c := r.text[r.at]
	if bytes.IndexByte([]byte(`"\/bfnrtu`), c) < 0 {
		r.refuse("'%s' is an invalid escapable character within a JSON string. The string should be correctly escaped.", printable(c))
	}
	if c != 'u' {
		return 'x'
	}
	for range 4 {
		r.move(1)
		if r.end() {
			r.refuse("Expected end of string, but instead reached end of data.")
		}
		c := r.text[r.at]
		digit := bytes.IndexByte([]byte("0123456789abcdef"), c|0x20)
		if digit < 0 || c < '0' {
			r.refuse(`'%s' is not a hex digit following '\u' within a JSON string. The string should be correctly escaped.`, printable(c))
		}
		unit = unit<<4 | uint16(digit)
	}
	return unit
}

// halves keeps what decoding a string says of halves of characters.
func (r *plainReader) halves(units []uint16) {
	for i := 0; i < len(units) && r.half == ""; i++ {
		if !utf16.IsSurrogate(rune(units[i])) {
			continue
		}
		bad := units[i]
		if bad < 0xDC00 {
			if i+1 == len(units) || units[i+1] == 'x' {
				r.half = "Cannot read incomplete UTF-16 JSON text as string with missing low surrogate."
				return
			}
			i++
			if bad = units[i]; bad >= 0xDC00 && bad < 0xE000 {
				continue
			}
		}
		r.half = fmt.Sprintf("Cannot read invalid UTF-16 JSON text as string. Invalid surrogate value: '0x%02X'.", bad)
	}
}

func (r *plainReader) number() {
	if r.text[r.at] == '-' {
		r.move(1)
		r.digit("immediately after a sign character ('+' or '-')")
	}
	late := "an invalid end of a number. Expected a delimiter."
	if r.text[r.at] == '0' {
		r.move(1)
		if !r.end() && digit(r.text[r.at]) {
			r.refuse("Invalid leading zero before '%s'.", printable(r.text[r.at]))
		}
	} else {
		r.digits()
	}
	if !r.end() && r.text[r.at] == '.' {
		r.move(1)
		r.digit("immediately after a decimal point ('.')")
		r.digits()
		late = "an invalid end of a number. Expected 'E' or 'e'."
	}
	if !r.end() && r.text[r.at]|0x20 == 'e' {
		r.move(1)
		if !r.end() && (r.text[r.at] == '+' || r.text[r.at] == '-') {
			r.move(1)
		}
		r.digit("immediately after a sign character ('+' or '-')")
		r.digits()
		late = "an invalid end of a number. Expected a delimiter."
	}
	switch {
	case r.end() && len(r.inside) > 0:
		r.refuse("'%s' is an invalid end of a number. Expected a delimiter.", printable(r.text[len(r.text)-1]))
	case !r.end() && bytes.IndexByte([]byte(",}] \n\r\t/"), r.text[r.at]) < 0:
		r.refuse("'%s' is %s", printable(r.text[r.at]), late)
	}
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func (r *plainReader) digits() {
	for !r.end() && digit(r.text[r.at]) {
		r.move(1)
	}
}

func (r *plainReader) digit(where string) {
	if r.end() {
		r.refuse("Expected a digit ('0'-'9'), but instead reached end of data.")
	}
	if c := r.text[r.at]; !digit(c) {
		r.refuse("'%s' is invalid within a number, %s. Expected a digit ('0'-'9').", printable(c), where)
	}
}
