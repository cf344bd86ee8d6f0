package plan

import (
	"bytes"
	"encoding"
	"encoding/json"
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
	dec      *json.Decoder
	lenient  bool // pass over unknown members
	problems []Problem
	names    map[reflect.Type][]string // of the members, by field
}

func newReader(data []byte) *reader {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &reader{dec: dec, names: map[reflect.Type][]string{}}
}

func (r *reader) report(at *place, format string, args ...any) {
	r.problems = addProblem(r.problems, at, format, args...)
}

// value reads the next value into v. Null leaves v as it is.
func (r *reader) value(v reflect.Value, at *place) {
	tok, err := r.dec.Token()
	if err != nil {
		r.report(at, "%v", err)
		return
	}
	if tok == nil {
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch tok := tok.(type) {
	case json.Delim:
		r.composite(v, tok, at)
	default:
		if reason := setScalar(v, tok); reason != "" {
			r.report(at, "%s", reason)
		}
	}
}

func (r *reader) composite(v reflect.Value, open json.Delim, at *place) {
	switch {
	case open == '{' && v.Kind() == reflect.Struct && !isText(v):
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
	for r.dec.More() {
		tok, err := r.dec.Token()
		name, ok := tok.(string)
		if err != nil || !ok {
			r.report(at, "%v", err)
			return
		}
		i := slices.Index(names, name)
		here := at.member(name)
		switch {
		case i < 0:
			r.unknown(here, names)
		case seen[i]:
			r.report(here, "occurs twice")
			r.skip()
		default:
			seen[i] = true
			r.value(v.Field(i), here)
		}
	}
	_, _ = r.dec.Token() // the closing brace
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
	for i := 0; r.dec.More(); i++ {
		v.Grow(1)
		v.SetLen(i + 1)
		r.value(v.Index(i), at.element(i))
	}
	_, _ = r.dec.Token() // the closing bracket
}

// skip passes over one value.
func (r *reader) skip() {
	var raw json.RawMessage
	_ = r.dec.Decode(&raw)
}

// skipOpen passes over the rest of a value whose opening bracket was read.
func (r *reader) skipOpen() {
	for depth := 1; depth > 0; {
		tok, err := r.dec.Token()
		if err != nil {
			return
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

// setScalar stores a string, number or bool in v. It returns why it cannot.
func setScalar(v reflect.Value, tok json.Token) string {
	if text, ok := tok.(string); ok && isText(v) {
		if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
			return err.Error()
		}
		return ""
	}
	switch tok := tok.(type) {
	case string:
		if v.Kind() == reflect.String {
			v.SetString(tok)
			return ""
		}
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(tok)
			return ""
		}
	case json.Number:
		if setNumber(v, tok.String()) {
			return ""
		}
		return fmt.Sprintf("got %s, expected %s", tok, kindName(v.Type()))
	}
	return fmt.Sprintf("got the %s %v, expected %s", kindName(reflect.TypeOf(tok))[2:], quoted(tok), kindName(v.Type()))
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

func quoted(tok json.Token) string {
	if text, ok := tok.(string); ok {
		return strconv.Quote(text)
	}
	return fmt.Sprint(tok)
}

// isText reports whether v is written as text although its kind is another.
func isText(v reflect.Value) bool {
	return v.CanAddr() && v.Addr().Type().Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// kindName says in words which JSON fits t.
func kindName(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
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
