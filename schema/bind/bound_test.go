package bind_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/model"
)

// bound writes a configuration as the recordings do: the members that differ
// from those of a new object, arrays and objects whole.
func bound(cfg *config.Configuration) any {
	return encodeObject(model.Root(), reflect.ValueOf(cfg).Elem())
}

func encodeObject(typ *model.Type, v reflect.Value) map[string]any {
	out := map[string]any{}
	for i := range typ.Members {
		m := &typ.Members[i]
		if m.Is(model.GetOnly) {
			continue
		}
		name := m.Name
		if name == "GlobalConfiguration" {
			name = "Global"
		}
		value := encodeMember(m, v.FieldByName(name))
		if !reflect.DeepEqual(value, encodeDefault(m)) {
			out[m.Name] = value
		}
	}
	return out
}

func encodeMember(m *model.Member, v reflect.Value) any {
	switch member := v.Interface().(type) {
	case config.Value[string]:
		return encodeString(member)
	case config.Value[int32]:
		return encodeNumber(member)
	case config.Value[int64]:
		return encodeNumber(member)
	case config.Value[float64]:
		if !member.IsSet() {
			return nil
		}
		return encodeDouble(member.V)
	case config.Value[bool]:
		if !member.IsSet() {
			return nil
		}
		return member.V
	case *config.List[string]:
		return encodeList(member)
	case *config.Dict:
		return encodeDict(m, member)
	}
	switch {
	case m.Collection():
		out := []any{}
		for i := range v.Len() {
			out = append(out, any(encodeObject(m.Object, v.Index(i))))
		}
		return out
	case v.IsNil():
		return nil
	}
	return encodeObject(m.Object, v.Elem())
}

func encodeString(v config.Value[string]) any {
	if !v.IsSet() {
		return nil
	}
	return v.V
}

func encodeNumber[N int32 | int64](v config.Value[N]) any {
	if !v.IsSet() {
		return nil
	}
	return json.Number(fmt.Sprint(v.V))
}

// encodeDouble writes a double so that equal numbers are equal texts.
func encodeDouble(v float64) any {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return map[bool]string{true: "Infinity", false: "-Infinity"}[v > 0]
	}
	if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return json.Number(strconv.FormatFloat(v, 'f', -1, 64))
	}
	return json.Number(strconv.FormatFloat(v, 'g', -1, 64))
}

func encodeList(l *config.List[string]) any {
	if l == nil {
		return nil
	}
	out := []any{}
	for _, v := range l.Items {
		out = append(out, encodeString(v))
	}
	return out
}

func encodeDict(m *model.Member, d *config.Dict) any {
	if d == nil && !m.Present {
		return nil
	}
	out := map[string]any{}
	for _, e := range d.All() {
		out[e.Key.V] = encodeString(e.Value)
	}
	return out
}

// encodeDefault writes what a new object holds, by the model.
func encodeDefault(m *model.Member) any {
	switch {
	case !m.Present:
		return nil
	case m.Shape == model.Dictionary, m.Object != nil && !m.Collection():
		return map[string]any{}
	case m.Collection():
		out := []any{}
		for _, text := range m.Initial {
			out = append(out, any(text))
		}
		return out
	case m.Scalar == model.String:
		return m.Initial[0]
	case m.Scalar == model.Bool:
		return m.Initial[0] == "true"
	}
	return json.Number(m.Initial[0])
}

// canonical rewrites recorded numbers of doubles as encodeDouble writes them.
func canonical(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = canonical(member)
		}
	case []any:
		for i := range v {
			v[i] = canonical(v[i])
		}
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return v
		}
		f, err := v.Float64()
		if err == nil {
			return encodeDouble(f)
		}
	}
	return v
}
