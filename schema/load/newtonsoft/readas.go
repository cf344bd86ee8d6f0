package newtonsoft

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/model"
)

// readAs reads the next value as a scalar of a type, as ReadAsString,
// ReadAsInt32, ReadAsDouble and ReadAsBoolean do. Afterwards the token is the
// scalar, null, the end of an array, or none at the end of the text.
func (r *reader) readAs(want model.Scalar) error {
	if r.state == finished {
		return r.readAsAfterRoot()
	}
	for {
		switch c := r.at(0); c {
		case 0:
			if !r.has(0) {
				r.set(none)
				return nil
			}
			r.pos++
		case '/':
			if err := r.readComment(dropComment); err != nil {
				return err
			}
		case ',':
			if err := r.skipComma(); err != nil {
				return err
			}
		case ']':
			return r.endArrayAs()
		default:
			if !r.skipBlank() {
				r.start = r.pos
				return r.readScalarAs(want, c)
			}
		}
	}
}

func (r *reader) readAsAfterRoot() error {
	if _, err := r.readAfterRoot(); err != nil {
		return err
	}
	r.token = none
	return nil
}

// skipComma steps over a comma between two elements.
func (r *reader) skipComma() error {
	r.pos++
	if r.state != afterValue {
		r.set(undefined)
		return r.fail(unexpected, ",")
	}
	r.resume()
	return nil
}

func (r *reader) endArrayAs() error {
	r.start = r.pos
	r.pos++
	if r.state == inArray || r.state == atArrayStart || r.state == afterValue {
		return r.close(endArray)
	}
	return r.fail(unexpected, "]")
}

func (r *reader) readScalarAs(want model.Scalar, c byte) error {
	switch {
	case c == '"' || c == '\'':
		return r.readStringAs(want, c)
	case c == 'n':
		return r.readNullAs()
	case c == '-' && want != model.Bool && r.has(1) && r.at(1) == 'I':
		return r.readSymbolAs(want, "-Infinity")
	case c == '-' || c == '.' || isDigit(c):
		return r.readNumberAs(want)
	case c == 'I' && want != model.Bool:
		return r.readSymbolAs(want, "Infinity")
	case c == 'N' && want != model.Bool:
		return r.readSymbolAs(want, "NaN")
	case (c == 't' || c == 'f') && (want == model.String || want == model.Bool):
		return r.readTruthAs(want, c)
	}
	char := r.char()
	r.pos += r.width()
	err := r.fail(unexpected, char)
	r.end = r.pos
	switch c {
	case '[':
		return r.mistyped(err, "a list stands where a single value belongs", scalarWords[want].Remedy)
	case '{':
		return r.mistyped(err, "an object stands where a single value belongs", scalarWords[want].Remedy)
	case 't', 'f':
		for _, word := range []string{"true", "false"} {
			if bytes.HasPrefix(r.text[r.start:], []byte(word)) {
				r.end = r.start + len(word)
				return r.notScalar(err, word, want)
			}
		}
	}
	return err
}

func (r *reader) readNullAs() error {
	if !r.has(1) {
		r.pos = len(r.text)
		return r.fail("Unexpected end when reading JSON.")
	}
	if r.at(1) == 'u' {
		return r.readLiteral("null", null, "Error parsing null value.")
	}
	r.pos++
	char := r.char()
	r.pos += r.width()
	return r.fail(unexpected, char)
}

func (r *reader) readTruthAs(want model.Scalar, c byte) error {
	word := "true"
	if c == 'f' {
		word = "false"
	}
	matched, err := r.match(word)
	if err != nil {
		return err
	}
	if !matched {
		return r.fail(unexpected, r.char())
	}
	r.end, r.truth = r.pos, word == "true"
	r.str = str{raw: []byte(word)}
	if want == model.String {
		r.set(text)
	} else {
		r.set(boolean)
	}
	return nil
}

func (r *reader) readSymbolAs(want model.Scalar, word string) error {
	matched, err := r.match(word)
	if err != nil {
		return err
	}
	if !matched {
		return r.fail("Error parsing %s value.", word)
	}
	switch r.end = r.pos; want {
	case model.String:
		r.str = str{raw: []byte(word)}
		r.set(text)
	case model.Double:
		f, _ := parseSymbol(word)
		r.num = number{float: f, kind: floatNumber}
		r.set(float)
	default:
		return r.fail("Cannot read %s value.", word)
	}
	return nil
}

// readStringAs reads a string and converts it.
func (r *reader) readStringAs(want model.Scalar, quote byte) error {
	start := r.pos
	if err := r.readString(quote); err != nil {
		return err
	}
	r.start, r.end = start, r.pos
	r.valueRead()
	r.token = text
	if want == model.String {
		return nil
	}
	s := r.str.text()
	if s == "" {
		r.token = null
		return nil
	}
	return r.convertString(want, s)
}

func (r *reader) convertString(want model.Scalar, s string) error {
	switch want {
	case model.Int:
		n, ok := parseInt(s, 32)
		if !ok {
			return r.notScalar(r.fail("Could not convert string to integer: %s.", s), strconv.Quote(s), want)
		}
		r.token, r.num = integer, number{integer: n}
	case model.Double:
		f, ok := parseDoubleText(s)
		if !ok {
			return r.notScalar(r.fail("Could not convert string to double: %s.", s), strconv.Quote(s), want)
		}
		r.token, r.num = float, number{float: f, kind: floatNumber}
	case model.Bool:
		truth, ok := parseBool(s)
		if !ok {
			return r.notScalar(r.fail("Could not convert string to boolean: %s.", s), strconv.Quote(s), want)
		}
		r.token, r.truth = boolean, truth
	}
	return nil
}

// readNumberAs reads a number and converts it.
func (r *reader) readNumberAs(want model.Scalar) error {
	if want == model.Bool {
		if err := r.readNumberValue(); err != nil {
			return err
		}
		r.token, r.truth = boolean, r.num.String() != "0" && r.num.String() != "0.0" && r.num.String() != "-0.0"
		return nil
	}
	start := r.pos
	if err := r.skipNumber(); err != nil {
		return err
	}
	r.start, r.end = start, r.pos
	r.valueRead()
	digits := string(r.text[start:r.pos])
	switch want {
	case model.String:
		if _, ok := parseNumber(digits); !ok {
			return r.failNumber(digits, "number")
		}
		r.token, r.str = text, str{raw: r.text[start:r.pos]}
		return nil
	case model.Int:
		return r.intNumber(digits)
	}
	f, ok := parseAnyDouble(digits)
	if !ok {
		return r.failNumber(digits, "double")
	}
	r.token, r.num = float, number{float: f, kind: floatNumber}
	return nil
}

// parseAnyDouble reads a decimal, hexadecimal or octal number.
func parseAnyDouble(digits string) (float64, bool) {
	if based(digits) {
		n, ok := parseBased(digits, 64)
		return float64(n), ok
	}
	return parseDouble(digits)
}

func (r *reader) intNumber(digits string) error {
	if based(digits) {
		n, ok := parseBased(digits, 32)
		if !ok {
			return r.notScalar(r.failNumber(digits, "integer"), digits, model.Int)
		}
		r.token, r.num = integer, number{integer: n}
		return nil
	}
	if !allDigits(strings.TrimPrefix(digits, "-")) {
		return r.notScalar(r.failNumber(digits, "integer"), digits, model.Int)
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return r.mistyped(r.fail("JSON integer %s is too large or small for an Int32.", digits), digits+" does not fit into a whole number", "write a whole number")
	}
	r.token, r.num = integer, number{integer: n}
	return nil
}
