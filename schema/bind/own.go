package bind

import (
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/convert"
	"github.com/margay-dev/margay/schema/syntax"
)

// codes is a list of status codes and classes of them.
type codes = config.List[config.StatusCodes]

// resilienceName is the section that only margay reads.
const resilienceName = "ResilienceOptions"

// own binds a section that Ocelot ignores. Inside of it an error rejects one
// value and leaves it unset.
func own[T any](bind bindFunc[T]) []field[T] {
	return []field[T]{{resilienceName, func(b *binder, into *T, id syntax.ID) *config.BindError {
		b.own = true
		defer func() { b.own = false }()
		return bind(b, into, id)
	}}}
}

// whole binds a list that replaces an inherited one: [] is an empty list, not
// an absent one.
func whole[T any](at func(*T) **texts) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		if b.isList(id) {
			*at(into) = b.appended(nil, id)
		}
		return nil
	}
}

// statusCodes binds a list of codes such as 429 and classes such as "5xx".
func statusCodes[T any](at func(*T) **codes) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		if !b.isList(id) {
			return nil
		}
		kids, mark := b.children(id)
		defer b.release(mark)
		l := &codes{Origin: origin(b.tree.Node(id)), Items: make([]config.Value[config.StatusCodes], 0, len(kids))}
		for i, c := range kids {
			value, _ := b.value(c)
			v, ok := statusCode(value)
			if !ok {
				b.push(b.segmentOf(id, c, i))
				b.drop(c, b.notConverted(c, value, "StatusCode", convert.ExplainInt32(value)))
				b.pop()
				continue
			}
			l.Items = append(l.Items, config.Value[config.StatusCodes]{V: v, Origin: b.origin(c)})
		}
		*at(into) = l
		return nil
	}
}

func statusCode(text string) (config.StatusCodes, bool) {
	if len(text) == 3 && strings.EqualFold(text[1:], "xx") && '1' <= text[0] && text[0] <= '9' {
		first := int32(text[0]-'0') * 100
		return config.StatusCodes{First: first, Last: first + 99}, true
	}
	code, ok := convert.Int32(text)
	return config.StatusCodes{First: code, Last: code}, ok
}

// isList says whether a node is written as a list, be it an empty one.
func (b *binder) isList(id syntax.ID) bool {
	return b.hasChildren(id) || b.tree.Node(id).Kind == syntax.Array
}
