package plan

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// reader fills a plan from JSON that is known to be well-formed. Unlike
// encoding/json it names the path of every defect, goes on after one, takes
// names as they are written only, and refuses a member that occurs twice.
type reader struct {
	cursor
	lenient  bool // pass over unknown members
	problems []Problem
	names    map[reflect.Type][]string // of the members, by field
}

func newReader(data []byte) *reader {
	return &reader{cursor: cursor{data: data}, names: map[reflect.Type][]string{}}
}

func (r *reader) report(at *place, format string, args ...any) {
	r.problems = addProblem(r.problems, at, format, args...)
}

// value reads the next value into v. Null leaves v as it is.
func (r *reader) value(v reflect.Value, at *place) {
	first := r.peek()
	if first == 'n' {
		r.skip()
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if first == '{' || first == '[' {
		r.cursor.at++
		r.composite(v, first, at)
		return
	}
	if reason := setScalar(v, r.literal()); reason != "" {
		r.report(at, "%s", reason)
	}
}

func (r *reader) composite(v reflect.Value, open byte, at *place) {
	switch {
	case open == '{' && v.Kind() == reflect.Struct && !isText(v.Type()):
		r.object(v, at)
	case open == '[' && v.Kind() == reflect.Slice:
		r.array(v, at)
	default:
		what := "object"
		if open == '[' {
			what = "array"
		}
		r.report(at, "got an %s, expected %s", what, kindName(v.Type()))
		r.skipOpen()
	}
}

func (r *reader) object(v reflect.Value, at *place) {
	names := r.members(v.Type())
	seen := make([]bool, len(names))
	for r.more() {
		name := unquote(r.literal())
		here := place{up: at, name: cmp.Or(name, `""`)}
		i := slices.Index(names, name)
		switch {
		case i < 0:
			r.unknown(&here, names)
		case seen[i]:
			r.report(&here, "occurs twice")
			r.skip()
		default:
			seen[i] = true
			r.value(v.Field(i), &here)
		}
	}
}

// unknown passes over a member that the type does not have. One that differs
// from a known name only in case is a mistake in every version.
func (r *reader) unknown(at *place, names []string) {
	near := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, at.name) })
	switch {
	case near >= 0:
		r.report(at, "unknown member, did you mean %q?", names[near])
	case !r.lenient:
		r.report(at, "unknown member in version %s", Version)
	}
	r.skip()
}

func (r *reader) array(v reflect.Value, at *place) {
	for i := 0; r.more(); i++ {
		v.Grow(1)
		v.SetLen(i + 1)
		r.value(v.Index(i), &place{up: at, index: i})
	}
}

// setScalar stores a string, number or boolean in v. It returns why it cannot.
func setScalar(v reflect.Value, literal []byte) string {
	switch first := literal[0]; {
	case first == '"':
		return setString(v, unquote(literal))
	case first == 't' || first == 'f':
		if v.Kind() != reflect.Bool {
			return fmt.Sprintf("got the boolean %s, expected %s", literal, kindName(v.Type()))
		}
		v.SetBool(first == 't')
	case !setNumber(v, string(literal)):
		return fmt.Sprintf("got %s, expected %s", literal, kindName(v.Type()))
	}
	return ""
}

func setString(v reflect.Value, text string) string {
	switch {
	case isText(v.Type()):
		if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
			return err.Error()
		}
	case v.Kind() == reflect.String:
		v.SetString(text)
	default:
		return fmt.Sprintf("got the string %q, expected %s", text, kindName(v.Type()))
	}
	return ""
}

func setNumber(v reflect.Value, text string) bool {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(n)
		return err == nil
	case reflect.Float64:
		x, err := strconv.ParseFloat(text, 64)
		v.SetFloat(x)
		return err == nil
	}
	return false
}

// isText reports whether a t is written as text although its kind is another.
func isText(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// kindName says in words which JSON fits t.
func kindName(t reflect.Type) string {
	if isText(t) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "an array"
	case reflect.Pointer:
		return kindName(t.Elem())
	default:
		return "an object"
	}
}

// members returns what JSON calls the fields of t.
func (r *reader) members(t reflect.Type) []string {
	names, ok := r.names[t]
	if !ok {
		for f := range t.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			names = append(names, name)
		}
		r.names[t] = names
	}
	return names
}
