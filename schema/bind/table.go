package bind

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

// bindFunc binds the node of a member into an object.
type bindFunc[T any] func(b *binder, into *T, id syntax.ID) *config.BindError

// The types that members have, named for the tables.
type (
	line   = config.Value[string]
	number = config.Value[int32]
	long   = config.Value[int64]
	ratio  = config.Value[float64]
	flag   = config.Value[bool]
	texts  = config.List[string]
	dict   = config.Dict
)

// field is a member of a class: its name and what binds it.
type field[T any] struct {
	name string
	bind bindFunc[T]
}

// table is how a class is bound. Fields are in the order in which the program
// goes through its properties, those of the class itself before its base's,
// because the first error in that order is the one that counts.
type table[T any] struct {
	fields  []field[T]
	index   model.Index
	section func(*T) *config.Section
	// zero is a new object with the defaults of the class.
	zero T
}

// maxFields bounds the members of a class, so that binding one needs no heap.
const maxFields = 40

func newTable[T any](section func(*T) *config.Section, zero T, fields ...[]field[T]) *table[T] {
	t := &table[T]{section: section, zero: zero}
	var names []string
	for _, part := range fields {
		t.fields = append(t.fields, part...)
	}
	for i := range t.fields {
		names = append(names, t.fields[i].name)
	}
	if len(names) > maxFields {
		panic("bind: a class has more members than maxFields")
	}
	t.index = model.NewIndex(names)
	return t
}

// bind fills an object from the children of a node. Members are found in the
// order of the file and bound in that of the class, and the first error is
// returned. Inside of an element, which is lost then, it ends the work; outside
// of any the program stops, and the members that follow are still bound so
// that they can be examined.
func (t *table[T]) bind(b *binder, into *T, id syntax.ID) *config.BindError {
	*t.section(into) = b.section(id)
	var members [maxFields]syntax.ID
	for c := b.tree.Node(id).First; c != 0; c = b.tree.Node(c).Next {
		if i := t.index.Find(b.tree.Key(c)); i >= 0 && !b.known.Is(c, profile.Unread) {
			members[i] = c
		}
	}
	var first *config.BindError
	depth := len(b.path)
	for i := range t.fields {
		if members[i] == 0 {
			continue
		}
		b.push(named(t.fields[i].name))
		err := t.fields[i].bind(b, into, members[i])
		b.path = b.path[:depth]
		switch {
		case err == nil:
		case b.own:
			b.rejected = append(b.rejected, *err)
		case b.elements > 0:
			return err
		case first == nil:
			first = err
		}
	}
	return first
}

// lift makes fields of a class from those of a part of it: of its base class,
// or of members that several classes have in common.
func lift[T, Part any](part func(*T) *Part, fields []field[Part]) []field[T] {
	out := make([]field[T], len(fields))
	for i, f := range fields {
		out[i] = field[T]{f.name, func(b *binder, into *T, id syntax.ID) *config.BindError {
			return f.bind(b, part(into), id)
		}}
	}
	return out
}

// object binds a member that holds an object. A scalar, null, {} and [] leave
// it as it is, which is null for most members.
func object[T, S any](at func(*T) **S, t *table[S], from func(*slabs) *slab[S]) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		if !b.hasChildren(id) {
			return nil
		}
		var o *S
		if from != nil {
			o = from(&b.slabs).one()
		} else {
			o = new(S)
		}
		*o = t.zero
		*at(into) = o
		return t.bind(b, o, id)
	}
}
