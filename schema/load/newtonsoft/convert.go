package newtonsoft

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/syntax"
)

// convert makes the current token, a scalar, a node of a member's type.
func (d *deserializer) convert(m *model.Member) (syntax.ID, error) {
	nullable := m.Collection() || m.Object != nil || m.Scalar == model.String || m.Is(model.Nullable)
	switch {
	case d.token == null || d.token == undefined:
		if !nullable {
			return 0, d.cannotConvert("{null}", m, &Error{Type: invalidCast, Message: "Null object cannot be converted to a value type."})
		}
		return d.leaf(syntax.Null, ""), nil
	case d.token == text && nullable && m.Scalar != model.String && d.str.text() == "",
		d.token == text && m.Collection() && d.str.text() == "":
		return d.leaf(syntax.Null, ""), nil
	case m.Collection() || m.Object != nil:
		return 0, d.cannotConvert(d.printed(), m, &Error{Type: "System.ArgumentException",
			Message: "Could not cast or convert from " + d.netType() + " to " + m.TypeName() + "."})
	}
	switch m.Scalar {
	case model.String:
		return d.leaf(syntax.String, d.str.text()), nil
	case model.Int, model.Double:
		return d.leaf(syntax.Number, d.num.String()), nil
	case model.Bool:
		if d.truth {
			return d.leaf(syntax.True, ""), nil
		}
		return d.leaf(syntax.False, ""), nil
	case model.Long:
		return d.long(m)
	}
	return d.char(m)
}

const (
	invalidCast       = "System.InvalidCastException"
	overflowException = "System.OverflowException"
)

// leaf makes a scalar node at the current token.
func (d *deserializer) leaf(kind syntax.Kind, value string) syntax.ID {
	n := syntax.Node{Kind: kind, Start: uint32(d.start), End: uint32(d.end), File: d.doc.File}
	d.nameNode(&n)
	if kind == syntax.Number && (value == "NaN" || strings.HasSuffix(value, "Infinity")) {
		n.Kind = syntax.String
	}
	if kind == syntax.String && d.str.escaped {
		n.Flags |= syntax.Escaped
	}
	id := d.tree.Add(n)
	if name := d.key.name; name.quote == '\'' || name.odd {
		d.tree.SetKey(id, name.text())
	}
	if kind != syntax.Null && d.tree.Text(id) != value && (kind == syntax.String || kind == syntax.Number) {
		d.tree.SetText(id, value)
	}
	return id
}

func (d *deserializer) nameNode(n *syntax.Node) {
	if d.key.end == 0 {
		return
	}
	n.KeyStart, n.KeyEnd = uint32(d.key.start), uint32(d.key.end)
	if d.key.name.escaped {
		n.Flags |= syntax.KeyEscaped
	}
}

// long converts as Convert.ChangeType does to Int64.
func (d *deserializer) long(m *model.Member) (syntax.ID, error) {
	value, failure := int64(0), (*Error)(nil)
	switch d.token {
	case boolean:
		if d.truth {
			value = 1
		}
	case integer, float:
		value, failure = d.num.long()
	case date:
		failure = &Error{Type: invalidCast, Message: "Invalid cast from 'DateTime' to 'Int64'."}
	default:
		value, failure = parseLong(d.word())
	}
	if failure != nil {
		return 0, d.cannotConvert(d.printed(), m, failure)
	}
	return d.leaf(syntax.Number, strconv.FormatInt(value, 10)), nil
}

// word is the text of a string or the name of a constructor.
func (d *deserializer) word() string { return d.str.text() }

func parseLong(s string) (int64, *Error) {
	n, ok := parseInt(s, 64)
	if ok {
		return n, nil
	}
	trimmed := strings.Trim(strings.TrimRight(s, "\x00"), blanks)
	if digits := strings.TrimLeft(trimmed, "+-"); len(trimmed)-len(digits) <= 1 && allDigits(digits) {
		return 0, &Error{Type: overflowException, Message: "Value was either too large or too small for an Int64."}
	}
	return 0, &Error{Type: formatException, Message: "The input string '" + s + "' was not in a correct format."}
}

// long rounds to the nearest integer, halves to the even one.
func (n number) long() (int64, *Error) {
	switch n.kind {
	case int64Number:
		return n.integer, nil
	case bigNumber:
		return 0, &Error{Type: "System.InvalidOperationException", Message: "Can not convert from BigInteger to System.Int64.",
			Inner: &Error{Type: overflowException, Message: "Value was either too large or too small for an Int64."}}
	}
	rounded := math.RoundToEven(n.float)
	if !(rounded >= math.MinInt64 && rounded < math.MaxInt64) {
		return 0, &Error{Type: overflowException, Message: "Arithmetic operation resulted in an overflow."}
	}
	return int64(rounded), nil
}

// char converts as Convert.ChangeType does to Char.
func (d *deserializer) char(m *model.Member) (syntax.ID, error) {
	fail := func(typ, message string) (syntax.ID, error) {
		return 0, d.cannotConvert(d.printed(), m, &Error{Type: typ, Message: message})
	}
	switch d.token {
	case integer:
		if d.num.kind == bigNumber {
			return 0, d.cannotConvert(d.printed(), m, &Error{Type: "System.InvalidOperationException",
				Message: "Can not convert from BigInteger to System.Char.",
				Inner:   &Error{Type: overflowException, Message: "Value was either too large or too small for an Int64."}})
		}
		if n := d.num.integer; n >= 0 && n <= 0xFFFF {
			return d.leaf(syntax.String, string(rune(n))), nil
		}
		return fail(overflowException, "Value was either too large or too small for a character.")
	case float:
		return fail(invalidCast, "Invalid cast from 'Double' to 'Char'.")
	case boolean:
		return fail(invalidCast, "Invalid cast from 'Boolean' to 'Char'.")
	case date:
		return fail(invalidCast, "Invalid cast from 'DateTime' to 'Char'.")
	}
	s := d.word()
	if char, size := utf8.DecodeRuneInString(s); size != len(s) || size == 0 || char > 0xFFFF {
		return fail(formatException, "String must be exactly one character long.")
	}
	return d.leaf(syntax.String, s), nil
}

// netType is the .NET type of the current token's value.
func (d *deserializer) netType() string {
	switch d.token {
	case integer, float:
		return d.num.netType()
	case boolean:
		return "System.Boolean"
	case date:
		return "System.DateTime"
	}
	return "System.String"
}

// printed is the current token's value as messages print it.
func (d *deserializer) printed() string {
	switch d.token {
	case integer:
		return d.num.String()
	case float:
		return formatGeneral(d.num.float)
	case boolean:
		return map[bool]string{true: "True", false: "False"}[d.truth]
	case date:
		return d.moment.general()
	}
	return `"` + d.word() + `"`
}

// formatGeneral writes a double as double.ToString does: plain up to 15 digits
// before the point.
func formatGeneral(f float64) string {
	s := formatDouble(f)
	if math.Abs(f) >= 1e15 && !math.IsInf(f, 0) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'E', -1, 64), "E")
		return mantissa + "E" + exponent
	}
	return strings.TrimSuffix(s, ".0")
}

func (d *deserializer) cannotConvert(value string, m *model.Member, inner *Error) error {
	err := d.failAs(serializationException, fmt.Sprintf("Error converting value %s to type '%s'.", value, fullTypeName(m)), inner)
	switch {
	case d.token == null:
		return d.mistyped(err, "null stands where a value has to be", "write a value, or leave the option out")
	case m.Collection():
		return d.mistyped(err, value+" stands where a list belongs", "write a list: [ … ]")
	case m.Object != nil:
		return d.mistyped(err, value+" stands where an object belongs", "write an object: { … }")
	}
	return d.notScalar(err, value, m.Scalar)
}

// fullTypeName is the name of a member's type with its nullability.
func fullTypeName(m *model.Member) string {
	if m.Is(model.Nullable) {
		return "System.Nullable`1[" + m.TypeName() + "]"
	}
	return m.TypeName()
}

// wrongArray is the exception for an array where the type wants none.
func (d *deserializer) wrongArray(m *model.Member) error {
	wants := `JSON object (e.g. {"name":"value"})`
	words := Mistyped{"a list stands where an object belongs", "write an object: { … }"}
	if m.Object == nil && m.Shape != model.Dictionary {
		wants = "JSON primitive value (e.g. string, number, boolean, null)"
		words = Mistyped{"a list stands where a single value belongs", scalarWords[m.Scalar].Remedy}
	}
	d.start, d.end = d.pos-1, d.pos
	return d.mistyped(d.failAs(serializationException, "Cannot deserialize the current JSON array (e.g. [1,2,3]) into type '"+fullTypeName(m)+
		"' because the type requires a "+wants+" to deserialize correctly.\nTo fix this error either change the JSON to a "+wants+
		" or change the deserialized type to an array or a type that implements a collection interface (e.g. ICollection, IList)"+
		" like List<T> that can be deserialized from a JSON array. JsonArrayAttribute can also be added to the type to force it"+
		" to deserialize from a JSON array.\n", nil), words.Reason, words.Remedy)
}

// wrongObject is the exception for an object where the type wants none. The
// real reader has then read the first token inside already.
func (d *deserializer) wrongObject(m *model.Member, wants string) error {
	open := d.pos - 1
	found, err := d.next()
	if err != nil {
		return err
	}
	if !found {
		return d.unexpectedEnd("object")
	}
	words := Mistyped{"an object stands where a single value belongs", scalarWords[m.Scalar].Remedy}
	if m.Collection() {
		words = Mistyped{"an object stands where a list belongs", "write a list: [ … ]"}
	}
	err = d.failAs(serializationException, `Cannot deserialize the current JSON object (e.g. {"name":"value"}) into type '`+fullTypeName(m)+
		"' because the type requires a "+wants+" to deserialize correctly.\nTo fix this error either change the JSON to a "+wants+
		" or change the deserialized type so that it is a normal .NET type (e.g. not a primitive type like integer, not a collection"+
		" type like an array or List<T>) that can be deserialized from a JSON object. JsonObjectAttribute can also be added to the"+
		" type to force it to deserialize from a JSON object.\n", nil)
	d.start, d.end = open, open+1
	return d.mistyped(err, words.Reason, words.Remedy)
}
