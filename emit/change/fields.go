package change

import (
	"math"
	"reflect"
	"strings"
)

// shape is a struct whose values are compared member by member. It is made once
// for a type; names are then at hand.
type shape []member

// member is one member of a shape.
type member struct {
	// name is the path of the member as JSON has it.
	name  string
	index int
	// inner are the members of a struct, or of what a pointer points to; nil for
	// a member that is compared as one.
	inner shape
}

func shapeOf(t reflect.Type, prefix string) shape {
	var s shape
	for i := range t.NumField() {
		tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		m := member{name: prefix + tag, index: i}
		of := t.Field(i).Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if of.Kind() == reflect.Struct {
			m.inner = shapeOf(of, m.name+".")
		}
		s = append(s, m)
	}
	return s
}

// fieldsOf returns the members that differ between two values of one struct
// type, in the order of the type. A pointer that is set on one side only is one
// member, and so is a list.
func fieldsOf[T any](s shape, old, new *T) []Field {
	return s.differing(nil, reflect.ValueOf(old).Elem(), reflect.ValueOf(new).Elem())
}

func (s shape) differing(found []Field, old, new reflect.Value) []Field {
	for i := range s {
		m := &s[i]
		a, b := old.Field(m.index), new.Field(m.index)
		if m.inner != nil && a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil() {
			if a.Pointer() == b.Pointer() {
				continue
			}
			a, b = a.Elem(), b.Elem()
		}
		switch {
		case m.inner != nil && a.Kind() == reflect.Struct:
			found = m.inner.differing(found, a, b)
		case !sameValue(a, b):
			found = append(found, Field{Name: m.name, Old: wire(a), New: wire(b)})
		}
	}
	return found
}

// sameValue compares two members, simple ones without making copies of them.
func sameValue(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return a.Equal(b)
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		if a.Len() == 0 {
			return true
		}
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// wire returns a value for JSON: null where a plan leaves the member out.
func wire(v reflect.Value) any {
	if v.IsZero() && v.Kind() != reflect.Bool && v.Kind() != reflect.Int && v.Kind() != reflect.Int64 {
		return nil
	}
	if v.Kind() == reflect.Pointer && v.Elem().Kind() != reflect.Struct {
		v = v.Elem()
	}
	if v.Kind() != reflect.Float64 {
		return v.Interface()
	}
	switch f := v.Float(); {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return v.Interface()
}

// Under says whether a member is one of the given ones or inside of one.
func (f *Field) Under(names ...string) bool {
	for _, name := range names {
		if rest, ok := strings.CutPrefix(f.Name, name); ok && (rest == "" || rest[0] == '.') {
			return true
		}
	}
	return false
}
