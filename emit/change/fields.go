package change

import (
	"math"
	"reflect"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// fieldsOf returns the members that differ between two values of one struct
// type, in the order of the type. A pointer that is set on one side only is one
// member, and so is a list.
func fieldsOf(old, new any) []Field {
	return differing(nil, "", reflect.ValueOf(old).Elem(), reflect.ValueOf(new).Elem())
}

func differing(found []Field, name string, old, new reflect.Value) []Field {
	switch old.Kind() {
	case reflect.Struct:
		for i := range old.NumField() {
			found = differing(found, join(name, old.Type().Field(i)), old.Field(i), new.Field(i))
		}
		return found
	case reflect.Pointer:
		if old.IsNil() || new.IsNil() || old.Elem().Kind() != reflect.Struct {
			break
		}
		return differing(found, name, old.Elem(), new.Elem())
	}
	if reflect.DeepEqual(old.Interface(), new.Interface()) {
		return found
	}
	return append(found, Field{Name: name, Old: wire(old), New: wire(new)})
}

// join returns the name of a member as JSON has it.
func join(name string, field reflect.StructField) string {
	tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		return tag
	}
	return name + "." + tag
}

// wire returns a value for JSON: null where a plan leaves the member out.
func wire(v reflect.Value) any {
	if v.IsZero() && v.Kind() != reflect.Bool && v.Kind() != reflect.Int && v.Kind() != reflect.Int64 {
		return nil
	}
	if v.Kind() == reflect.Pointer && v.Elem().Kind() != reflect.Struct {
		v = v.Elem()
	}
	if v.Kind() == reflect.Float64 && (math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0)) {
		return "NaN"
	}
	return v.Interface()
}

// under says whether a member is one of the given ones or inside of one.
func (f *Field) under(names ...string) bool {
	for _, name := range names {
		if f.Name == name || strings.HasPrefix(f.Name, name+".") {
			return true
		}
	}
	return false
}

// sameRoute says whether two routes differ in nothing.
func sameRoute(a, b *plan.Route) bool { return reflect.DeepEqual(a, b) }
