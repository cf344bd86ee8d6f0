package newtonsoft

import (
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// reader is JsonTextReader over a whole text: the same states, the same order
// of checks, so that every text fails with the same message at the same place.
// Offsets are bytes; places in messages are counted in UTF-16 units when an
// error is made.
type reader struct {
	file *source.File
	text []byte
	pos  int
	// line and lineStart are the current line, from 1, and where it begins.
	line, lineStart int
	// ended is set once something was looked for beyond the last character;
	// after the root value the real reader then ignores what is left.
	ended bool

	state    state
	token    token
	current  position
	stack    []position
	tooDeep  bool
	comments []syntax.Comment

	// The value of the token: where it stands, and what was read.
	start, end int
	str        str
	num        number
	truth      bool
	moment     moment
}

// str is a string or name as it stands in the text.
type str struct {
	// raw is the text between the quotes; for an unquoted name all of it.
	raw []byte
	// quote is the delimiter; 0 for an unquoted name and for rewritten text.
	quote byte
	// escaped says that raw contains a backslash; odd that one of the escapes
	// means something else, or nothing, in standard JSON.
	escaped, odd bool
}

// maxDepth is the deepest nesting that Newtonsoft 13 accepts by default.
const maxDepth = 64

func newReader(file *source.File) *reader {
	return &reader{file: file, text: file.Text, line: 1}
}

// at returns the byte at an offset from the current position; 0 beyond the
// end, which is also what the real reader's buffer holds there.
func (r *reader) at(offset int) byte {
	if i := r.pos + offset; i < len(r.text) {
		return r.text[i]
	}
	return 0
}

// has says whether there is a character at an offset, counted in UTF-16 units,
// and remembers that the end was touched if there is none.
func (r *reader) has(offset int) bool {
	if r.pos+offset < len(r.text) && (offset <= 1 || units(r.text[r.pos:min(r.pos+4*offset+4, len(r.text))]) > offset) {
		return true
	}
	r.ended = true
	return false
}

// next reads the next token. It returns false at the end of the text.
func (r *reader) next() (bool, error) {
	for {
		switch r.state {
		case atStart, inProperty, inArray, atArrayStart, inConstructor, atConstructorStart:
			return r.readValue()
		case inObject, atObjectStart:
			return r.readMember()
		case afterValue:
			if found, err := r.readAfterValue(); found || err != nil {
				return found, err
			}
		default: // finished
			return r.readAfterRoot()
		}
	}
}

func (r *reader) readAfterRoot() (bool, error) {
	if !r.has(0) {
		r.set(none)
		return false, nil
	}
	r.skipBlanks()
	if r.ended {
		r.set(none)
		return false, nil
	}
	if r.at(0) == '/' {
		return true, r.readComment(keepComment)
	}
	return false, r.fail("Additional text encountered after finished reading JSON content: %s.", r.char())
}

// readAfterValue reads what follows a value: it returns true at the end of a
// container or a comment, false after a comma or at the end of the text.
func (r *reader) readAfterValue() (bool, error) {
	for {
		switch c := r.at(0); c {
		case 0:
			if !r.has(0) {
				r.state = finished
				return false, nil
			}
			r.pos++
		case '}', ']', ')':
			r.pos++
			return true, r.close(closing(c))
		case '/':
			return true, r.readComment(keepComment)
		case ',':
			r.pos++
			r.resume()
			return false, nil
		default:
			if !r.skipBlank() {
				return false, r.fail("After parsing a value an unexpected character was encountered: %s.", r.char())
			}
		}
	}
}

// readMember reads up to a member's name and colon, or the end of an object.
func (r *reader) readMember() (bool, error) {
	for {
		switch r.at(0) {
		case 0:
			if !r.has(0) {
				return false, nil
			}
			r.pos++
		case '}':
			// Here the real reader steps over the brace after its checks.
			if err := r.close(endObject); err != nil {
				return false, err
			}
			r.pos++
			r.end = r.pos
			return true, nil
		case '/':
			return true, r.readComment(keepComment)
		default:
			if !r.skipBlank() {
				return true, r.readName()
			}
		}
	}
}

func (r *reader) readName() error {
	r.start = r.pos
	switch c := r.at(0); {
	case c == '"' || c == '\'':
		if err := r.readString(c); err != nil {
			return err
		}
	case r.identifier():
		if err := r.readUnquotedName(); err != nil {
			return err
		}
	default:
		return r.fail("Invalid property identifier character: %s.", r.char())
	}
	r.end = r.pos
	r.skipBlanks()
	if r.at(0) != ':' {
		return r.fail("Invalid character after parsing property name. Expected ':' but got: %s.", r.char())
	}
	r.pos++
	r.token, r.state = propertyName, inProperty
	r.current.name = r.str.text()
	return nil
}

func (r *reader) readUnquotedName() error {
	start := r.pos
	for {
		if !r.has(0) {
			return r.fail("Unexpected end while parsing unquoted property name.")
		}
		if r.identifier() {
			r.pos += r.width()
			continue
		}
		if c := r.at(0); c != 0 && c != ':' && r.blank() == 0 {
			return r.fail("Invalid JavaScript property identifier character: %s.", r.char())
		}
		r.str = str{raw: r.text[start:r.pos]}
		return nil
	}
}
