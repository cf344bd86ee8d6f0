package plan

import (
	"reflect"
	"strings"
)

// Detach puts copies in place of all texts of p, equal ones by one copy. The
// texts of a compiled plan are parts of the files that it was compiled from,
// which stay in memory as long as one of them does.
func (p *Plan) Detach() {
	detacher{}.walk(reflect.ValueOf(p).Elem())
}

// detacher holds the copies. (A plan has no maps: see the package.)
type detacher map[string]string

func (d detacher) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > 0 {
			v.SetString(d.copyOf(v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			d.walk(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			d.walk(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			d.walk(v.Elem())
		}
	}
}

func (d detacher) copyOf(text string) string {
	known, ok := d[text]
	if !ok {
		known = strings.Clone(text)
		d[known] = known
	}
	return known
}
