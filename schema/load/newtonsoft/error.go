package newtonsoft

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/source"
)

// Error is an exception of the real program.
type Error struct {
	// Type is the .NET type: "Newtonsoft.Json.JsonReaderException".
	Type    string
	Message string
	// Inner is the exception that caused this one; nil if there is none.
	Inner *Error
	// At is where reading stopped, or the value that is of the wrong type.
	At source.Span
	// Mistyped says what is wrong with such a value; nil for text that is no JSON.
	Mistyped *Mistyped
}

// Mistyped is a value that is not of the type that is read.
type Mistyped struct {
	// Reason says so in plain words, Remedy what to write, both as clauses.
	Reason, Remedy string
}

// mistyped turns an exception into one over the current value.
func (r *reader) mistyped(err error, reason, remedy string) error {
	if e, ok := err.(*Error); ok && r.end > r.start {
		e.Mistyped = &Mistyped{reason, remedy}
		e.At = source.Span{File: r.file, Start: r.start, End: r.end}
	}
	return err
}

// scalarWords say what a scalar is and what to write for it.
var scalarWords = [...]Mistyped{
	model.Int: {"not a whole number", "write a whole number"}, model.Long: {"not a whole number", "write a whole number"},
	model.Double: {"not a number", "write a number"}, model.Bool: {"not true or false", "write true or false"},
	model.String: {"not a text", "write a text"}, model.Char: {"not a single character", "write one character"},
}

// notScalar turns an exception into one over a value that is no scalar of a type.
func (r *reader) notScalar(err error, shown string, want model.Scalar) error {
	words := scalarWords[want]
	return r.mistyped(err, shown+" is "+words.Reason, words.Remedy)
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

const (
	readerException        = "Newtonsoft.Json.JsonReaderException"
	serializationException = "Newtonsoft.Json.JsonSerializationException"
)

// fail makes the reader's exception; every message ends with the place.
func (r *reader) fail(format string, args ...any) error {
	return r.failAs(readerException, fmt.Sprintf(format, args...), nil)
}

func (r *reader) failAs(typ, message string, inner *Error) error {
	if !strings.HasSuffix(message, "\n") {
		message = strings.TrimSpace(message)
		if !strings.HasSuffix(message, ".") {
			message += "."
		}
		message += " "
	}
	line, column := r.place()
	message += "Path '" + r.path() + "', line " + strconv.Itoa(line) + ", position " + strconv.Itoa(column) + "."
	return &Error{Type: typ, Message: message, Inner: inner, At: r.here()}
}

// here is the character at which the reader stands, or the last one.
func (r *reader) here() source.Span {
	start := min(r.pos, len(r.text))
	end := start
	if start < len(r.text) {
		_, size := utf8.DecodeRune(r.text[start:])
		end = start + size
	}
	return source.Span{File: r.file, Start: start, End: end}
}

// place is the line, from 1, and how many UTF-16 units of it were read.
func (r *reader) place() (line, column int) {
	column = units(r.text[min(r.lineStart, len(r.text)):min(r.pos, len(r.text))])
	if r.state == atStart && column == 0 && r.token != comment {
		return 0, 0
	}
	return r.line, column
}

// units returns the length of a text in UTF-16 units.
func units(b []byte) int {
	n := 0
	for len(b) > 0 {
		c, size := utf8.DecodeRune(b)
		n++
		if c > 0xFFFF {
			n++
		}
		b = b[size:]
	}
	return n
}

// path is the path to the current token as messages write it.
func (r *reader) path() string {
	var b strings.Builder
	for _, p := range r.stack {
		p.write(&b)
	}
	inside := r.state != atObjectStart && r.state != atArrayStart && r.state != atConstructorStart
	if r.current.in != noContainer && inside {
		r.current.write(&b)
	}
	return b.String()
}

// special are the characters for which a path puts a name in quotes.
const special = ". '/\"[]()\t\n\r\f\b\\\u0085\u2028\u2029"

func (p position) write(b *strings.Builder) {
	switch {
	case p.in != objectContainer:
		b.WriteString("[" + strconv.Itoa(p.index) + "]")
	case strings.ContainsAny(p.name, special):
		b.WriteString("['")
		writeEscaped(b, p.name, '\'')
		b.WriteString("']")
	default:
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(p.name)
	}
}
