package bind

import (
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/convert"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

// kind is a type that text converts to.
type kind[V any] struct {
	name    string
	convert func(string) (V, bool)
	explain func(string) *convert.Exception
}

// The types of scalars.
var (
	int32Kind  = kind[int32]{"System.Int32", convert.Int32, convert.ExplainInt32}
	int64Kind  = kind[int64]{"System.Int64", convert.Int64, convert.ExplainInt64}
	doubleKind = kind[float64]{"System.Double", convert.Double, convert.ExplainDouble}
	boolKind   = kind[bool]{"System.Boolean", convert.Bool, convert.ExplainBool}
)

// nullable binds an int?, long?, double? or bool?. Null and "" are null; an
// object or array with children becomes the zero of the type, because the
// binder creates an instance of the type and finds nothing to fill. Older
// releases have some of them as plain types.
func nullable[T, V any](at func(*T) *config.Value[V], k kind[V]) bindFunc[T] {
	notNullable := required(at, k)
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		if b.known.Is(id, profile.NotNullable) {
			return notNullable(b, into, id)
		}
		value, state := b.value(id)
		switch {
		case state == text && value != "":
			v, ok := k.convert(value)
			if !ok {
				return b.notConverted(id, value, k.name, k.explain(value))
			}
			*at(into) = config.Value[V]{V: v, Origin: b.origin(id)}
		case state == absent && b.hasChildren(id) && b.own:
			return b.notConverted(id, "", k.name, k.explain(""))
		case state == absent && b.hasChildren(id):
			*at(into) = config.Value[V]{Origin: b.origin(id)}
		}
		return nil
	}
}

// required binds an int or bool. Null is the zero of the type, not the default
// of the class; an object or array with children leaves the default.
func required[T, V any](at func(*T) *config.Value[V], k kind[V]) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		value, state := b.value(id)
		switch state {
		case text:
			v, ok := k.convert(value)
			if !ok {
				return b.notConverted(id, value, k.name, k.explain(value))
			}
			*at(into) = config.Value[V]{V: v, Origin: b.origin(id)}
		case null:
			*at(into) = config.Value[V]{Origin: b.origin(id)}
		}
		return nil
	}
}

// str binds a string. Any scalar will do; null is null.
func str[T any](at func(*T) *config.Value[string]) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		value, state := b.value(id)
		v := at(into)
		switch {
		case state == text:
			*v = config.Value[string]{V: value, Origin: b.origin(id)}
		case state == null:
			*v = config.Value[string]{}
		case !b.hasChildren(id):
		case v.IsSet():
			return b.stringMembers(id)
		default:
			return b.notString(id)
		}
		return nil
	}
}

// stringMembers binds an object over a string that is there already: the
// binder goes through the properties of the string, and a bad Length stops it.
func (b *binder) stringMembers(id syntax.ID) *config.BindError {
	var discarded number
	length := required(func(n *number) *number { return n }, int32Kind)
	for c := range b.tree.Children(id) {
		if !strings.EqualFold(b.tree.Key(c), "Length") {
			continue
		}
		b.push(named("Length"))
		if err := length(b, &discarded, c); err != nil {
			return err
		}
		b.pop()
	}
	return nil
}
