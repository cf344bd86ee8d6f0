package normalize_test

// A stand-in for package schema while that is being written: it reads the
// small configurations of the recordings. Deleted when schema.Decode is there.

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/tidwall/jsonc"
)

type member struct {
	name  string
	value any
}
type object []member

func parseOrdered(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			k, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := parseOrdered(d)
			if err != nil {
				return nil, err
			}
			o = append(o, member{k.(string), v})
		}
		_, err := d.Token()
		return o, err
	case json.Delim('['):
		a := []any{}
		for d.More() {
			v, err := parseOrdered(d)
			if err != nil {
				return nil, err
			}
			a = append(a, v)
		}
		_, err := d.Token()
		return a, err
	}
	return t, nil
}

func readConfig(text []byte) (*config.Configuration, error) {
	d := json.NewDecoder(bytes.NewReader(jsonc.ToJSON(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))))
	d.UseNumber()
	v, err := parseOrdered(d)
	if err != nil {
		return nil, err
	}
	cfg := &config.Configuration{Global: &config.GlobalConfiguration{}}
	o, _ := v.(object)
	for _, m := range o {
		switch strings.ToLower(m.name) {
		case "routes":
			cfg.Routes = readElements[config.Route](m.value, func(r *config.Route, i int) { r.Index = i })
		case "dynamicroutes":
			cfg.DynamicRoutes = readElements[config.DynamicRoute](m.value, func(r *config.DynamicRoute, i int) { r.Index = i })
		case "aggregates":
			cfg.Aggregates = readElements[config.AggregateRoute](m.value, func(r *config.AggregateRoute, i int) { r.Index = i })
		case "globalconfiguration":
			if err := fill(reflect.ValueOf(cfg.Global).Elem(), m.value); err != nil {
				return nil, err
			}
		}
	}
	return cfg, nil
}

func elements(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case object:
		var a []any
		for _, m := range v {
			a = append(a, m.value)
		}
		return a
	}
	return nil
}

func readElements[T any](v any, number func(*T, int)) []T {
	var list []T
	for i, e := range elements(v) {
		switch e.(type) {
		case object, nil, []any:
		default:
			continue
		}
		var t T
		if fill(reflect.ValueOf(&t).Elem(), e) == nil {
			number(&t, i)
			list = append(list, t)
		}
	}
	return list
}

var explicit = config.Origin{Kind: config.Explicit}

func fill(to reflect.Value, v any) error {
	o, _ := v.(object)
	for i := range to.NumField() {
		f := to.Type().Field(i)
		if f.Name == "Section" || f.Name == "Index" {
			continue
		}
		if f.Anonymous {
			if err := fill(to.Field(i), v); err != nil {
				return err
			}
			continue
		}
		for _, m := range o {
			if strings.EqualFold(m.name, f.Name) || f.Name == "Resilience" && strings.EqualFold(m.name, "ResilienceOptions") {
				if err := set(to.Field(i), m.value); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func set(to reflect.Value, v any) error {
	switch p := to.Addr().Interface().(type) {
	case *config.Value[string]:
		if s, ok := scalar(v); ok {
			*p = config.Value[string]{V: s, Origin: explicit}
		}
	case *config.Value[int32]:
		return number(p, v, func(s string) (int32, error) {
			if h, ok := strings.CutPrefix(strings.ToLower(s), "0x"); ok {
				n, err := strconv.ParseUint(h, 16, 32)
				return int32(n), err
			}
			n, err := strconv.ParseInt(strings.TrimPrefix(s, "+"), 10, 32)
			return int32(n), err
		})
	case *config.Value[float64]:
		return number(p, v, func(s string) (float64, error) {
			n, err := strconv.ParseFloat(strings.Replace(strings.ToLower(s), "-nan", "nan", 1), 64)
			if errors.Is(err, strconv.ErrRange) {
				err = nil
			}
			return n, err
		})
	case **config.List[string]:
		if _, ok := scalar(v); ok || v == nil {
			return nil
		}
		*p = &config.List[string]{Origin: explicit}
		for _, e := range elements(v) {
			if s, ok := scalar(e); ok {
				(*p).Items = append((*p).Items, config.Value[string]{V: s, Origin: explicit})
			} else if e == nil || reflect.DeepEqual(e, object{}) {
				(*p).Items = append((*p).Items, config.Value[string]{})
			} else if reflect.DeepEqual(e, []any{}) {
				(*p).Items = append((*p).Items, config.Value[string]{Origin: explicit})
			}
		}
	case *[]config.HostAndPort:
		for _, e := range elements(v) {
			var h config.HostAndPort
			if _, ok := scalar(e); !ok && fill(reflect.ValueOf(&h).Elem(), e) == nil {
				*p = append(*p, h)
			}
		}
	default:
		if to.Kind() == reflect.Pointer && to.Type().Elem().Kind() == reflect.Struct {
			if o, ok := v.(object); ok && len(o) > 0 {
				to.Set(reflect.New(to.Type().Elem()))
				return fill(to.Elem(), v)
			}
		}
	}
	return nil
}

func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return string(v), true
	case bool:
		return map[bool]string{true: "True", false: "False"}[v], true
	}
	return "", false
}

func number[T any](to *config.Value[T], v any, parse func(string) (T, error)) error {
	switch v := v.(type) {
	case object, []any:
		if len(elements(v)) > 0 {
			*to = config.Value[T]{Origin: explicit}
		}
		return nil
	}
	s, ok := scalar(v)
	if s = strings.TrimSpace(s); !ok || s == "" {
		return nil
	}
	n, err := parse(s)
	if err == nil {
		*to = config.Value[T]{V: n, Origin: explicit}
	}
	return err
}
