package aggregate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// object is a JSON object that keeps the order of its members, in which values
// are selected. It is a jp.Keyed; nothing changes it.
type object struct {
	keys   []string
	values map[string]any
}

// ValueForKey returns a member.
func (o *object) ValueForKey(key string) (any, bool) {
	v, ok := o.values[key]
	return v, ok
}

// SetValueForKey adds a member behind the others, or replaces it.
func (o *object) SetValueForKey(key string, value any) {
	if _, there := o.values[key]; !there {
		o.keys = append(o.keys, key)
	}
	o.values[key] = value
}

// RemoveValueForKey removes a member.
func (o *object) RemoveValueForKey(key string) {
	delete(o.values, key)
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
}

// Keys returns the names of the members in their order.
func (o *object) Keys() []string { return o.keys }

// MarshalJSON writes the members in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, key := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(o.values[key])
		if err != nil {
			return nil, err
		}
		b.Write(quoted(key))
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// maxDepth is how deep a document may be nested, as for Newtonsoft.Json.
const maxDepth = 64

var errDepth = errors.New("it is nested too deeply")

// decode reads one JSON value: objects keep their order, whole numbers are
// int64 where they fit.
func decode(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := decodeValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the value")
	}
	return v, nil
}

func decodeValue(d *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '[' {
			return decodeArray(d, depth)
		}
		return decodeObject(d, depth)
	case json.Number:
		return number(token), nil
	}
	return token, nil
}

func decodeArray(d *json.Decoder, depth int) (any, error) {
	out := []any{}
	for d.More() {
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := d.Token()
	return out, err
}

func decodeObject(d *json.Decoder, depth int) (any, error) {
	out := &object{values: map[string]any{}}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, errors.New("a name is no text")
		}
		out.SetValueForKey(name, v)
	}
	_, err := d.Token()
	return out, err
}

func number(n json.Number) any {
	if !strings.ContainsAny(n.String(), ".eE") {
		if v, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			return v
		}
		return n // larger than that: its digits
	}
	if v, err := n.Float64(); err == nil {
		return v
	}
	return n
}
