package bind

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/convert"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

// list binds a List<string>: children are added to what is there. A scalar,
// null, {} and [] leave it as it is.
func list[T any](at func(*T) **config.List[string]) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		if b.hasChildren(id) {
			*at(into) = b.appended(*at(into), id)
		}
		return nil
	}
}

// set binds a HashSet<string>, whose comparer is ordinal: equal elements are
// held once, those that differ in case are not equal. In older releases it is
// a list.
func set[T any](at func(*T) **config.List[string]) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		if b.hasChildren(id) {
			l := b.appended(*at(into), id)
			if !b.known.Is(id, profile.Repeating) {
				l.Items = distinct(l.Items)
			}
			*at(into) = l
		}
		return nil
	}
}

// array binds a string[]. As for a list, children follow what is there; an
// array that is null becomes empty by [] or "".
func array[T any](at func(*T) **config.List[string]) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		l := at(into)
		if b.hasChildren(id) {
			*l = b.appended(*l, id)
		} else if value, state := b.value(id); state == text && value == "" && *l == nil {
			*l = b.slabs.lists.one()
			(*l).Origin = b.origin(id)
		}
		return nil
	}
}

// chars binds a char[]. Texts of more than one character are dropped; a null
// among them stops everything when the array is made.
func chars[T any](at func(*T) **config.List[string]) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		if !b.hasChildren(id) {
			return nil
		}
		kids, mark := b.children(id)
		defer b.release(mark)
		l := b.grown(*at(into), id, len(kids))
		for i, c := range kids {
			b.push(b.segmentOf(id, c, i))
			if err := b.char(l, c); err != nil {
				b.drop(c, err)
			}
			b.pop()
		}
		*at(into) = l
		for i := range l.Items {
			if !l.Items[i].IsSet() {
				return b.notCopied(id)
			}
		}
		return nil
	}
}

func (b *binder) char(l *config.List[string], id syntax.ID) *config.BindError {
	value, state := b.value(id)
	switch {
	case state == null:
		l.Items = append(l.Items, config.Value[string]{})
	case state == text:
		v, ok := convert.Char(value)
		if !ok {
			return b.notConverted(id, value, "System.Char", convert.ExplainChar(value))
		}
		l.Items = append(l.Items, config.Value[string]{V: v, Origin: b.origin(id)})
	case b.hasChildren(id):
		l.Items = append(l.Items, config.Value[string]{V: "\x00", Origin: b.origin(id)})
	}
	return nil
}

// appended returns the items of a list, which may be nil, followed by the
// children of a node.
func (b *binder) appended(l *config.List[string], id syntax.ID) *config.List[string] {
	kids, mark := b.children(id)
	defer b.release(mark)
	out := b.grown(l, id, len(kids))
	for i, c := range kids {
		v, ok := b.item(c)
		if !ok {
			b.dropItem(c, b.segmentOf(id, c, i))
			continue
		}
		out.Items = append(out.Items, v)
	}
	return out
}

// grown returns a new list with the items of an old one, which may be nil, and
// room for n more.
func (b *binder) grown(l *config.List[string], id syntax.ID, n int) *config.List[string] {
	out := b.slabs.lists.one()
	out.Origin = origin(b.tree.Node(id))
	items := b.slabs.items.many(l.Len() + n)
	out.Items = items[:copy(items, l.All())]
	return out
}

// item returns a string in a collection, which may be null. It is not ok for
// an object or array with children, nor where nothing could be read.
func (b *binder) item(id syntax.ID) (v config.Value[string], ok bool) {
	value, state := b.value(id)
	switch state {
	case text:
		return config.Value[string]{V: value, Origin: b.origin(id)}, true
	case null:
		return v, true
	}
	return v, false
}

// dropItem records a string that is lost because it is an object or array.
// What could not be read is lost too, but not by the binder.
func (b *binder) dropItem(id syntax.ID, step segment) {
	if b.tree.Node(id).Kind == syntax.Bad {
		return
	}
	b.push(step)
	b.drop(id, b.notString(id))
	b.pop()
}

// dictionary binds a dictionary of strings. Entries that hold objects or
// arrays with children are dropped.
func dictionary[T any](at func(*T) **config.Dict) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		if !b.hasChildren(id) {
			return nil
		}
		kids, mark := b.children(id)
		defer b.release(mark)
		d := b.slabs.dicts.one()
		d.Origin = origin(b.tree.Node(id))
		d.Entries = b.slabs.entries.many(len(kids))[:0]
		for i, c := range kids {
			step := b.segmentOf(id, c, i)
			v, ok := b.item(c)
			if !ok {
				b.dropItem(c, step)
				continue
			}
			d.Entries = append(d.Entries, config.Entry{Key: b.key(c, step), Value: v})
		}
		*at(into) = d
		return nil
	}
}

// key returns the key of an entry; elements of an array have their index.
func (b *binder) key(id syntax.ID, step segment) config.Value[string] {
	n := b.tree.Node(id)
	o := config.Origin{Start: n.KeyStart, End: n.KeyEnd, File: n.File, Kind: config.Explicit}
	if n.KeyEnd == 0 {
		o = origin(n)
		o.Kind = config.Derived
	}
	return config.Value[string]{V: step.text(), Origin: o}
}

// distinct removes items that are equal to an earlier one; null equals null.
func distinct(items []config.Value[string]) []config.Value[string] {
	out := items[:0]
	if len(items) <= fewItems {
		for _, v := range items {
			if !containsItem(out, v) {
				out = append(out, v)
			}
		}
		return out
	}
	seen := make(map[item]bool, len(items))
	for _, v := range items {
		if k := (item{v.V, v.IsSet()}); !seen[k] {
			seen[k] = true
			out = append(out, v)
		}
	}
	return out
}

// fewItems is up to how many items comparing all pairs beats a map.
const fewItems = 16

type item struct {
	text string
	set  bool
}

func containsItem(items []config.Value[string], v config.Value[string]) bool {
	for i := range items {
		if items[i].V == v.V && items[i].IsSet() == v.IsSet() {
			return true
		}
	}
	return false
}
