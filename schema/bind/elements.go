package bind

import (
	stdruntime "runtime"
	"slices"
	"sync"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/syntax"
)

// elements binds a List<T> of objects. An element in which something does not
// convert is dropped as a whole, and a scalar is passed over; null, {} and []
// become a new object.
func elements[T, E any](at func(*T) *[]E, e element[E]) bindFunc[T] {
	return func(b *binder, into *T, id syntax.ID) *config.BindError {
		if b.hasChildren(id) {
			*at(into) = bindElements(b, e, id)
		}
		return nil
	}
}

// element is how the elements of a list are bound.
type element[E any] struct {
	table *table[E]
	// place is told the element's place in its list; may be nil.
	place func(*E, int)
	// construct stands in for table where the class has no constructor
	// without parameters; may be nil.
	construct bindFunc[E]
	// slab provides short lists; may be nil.
	slab func(*slabs) *slab[E]
}

// sideBySide is how many elements make a second goroutine worth its while.
const sideBySide = 4096

func bindElements[E any](b *binder, e element[E], id syntax.ID) []E {
	kids, mark := b.children(id)
	defer b.release(mark)
	if len(kids) >= sideBySide {
		return bindSideBySide(b, e, id, kids)
	}
	var out []E
	if e.slab != nil {
		out = e.slab(&b.slabs).many(len(kids))
	} else {
		out = make([]E, len(kids))
	}
	return out[:bindRun(b, e, run[E]{parent: id, kids: kids, out: out})]
}

// run is a part of a list: some of its children, the place of the first, and
// room for what they become.
type run[E any] struct {
	parent syntax.ID
	kids   []syntax.ID
	first  int
	out    []E
}

// bindRun binds children into the start of r.out and returns how many survive.
func bindRun[E any](b *binder, e element[E], r run[E]) int {
	n := 0
	b.elements++
	defer func() { b.elements-- }()
	for i, c := range r.kids {
		b.push(b.segmentOf(r.parent, c, r.first+i))
		depth := len(b.path)
		keep, err := bindElement(b, e, &r.out[n], c)
		b.path = b.path[:depth]
		switch {
		case err != nil:
			b.drop(c, err)
		case keep:
			if e.place != nil {
				e.place(&r.out[n], r.first+i)
			}
			n++
		}
		b.pop()
	}
	clear(r.out[n:])
	return n
}

// bindElement binds one element. It is not kept if it is a scalar, nor if it is
// null, {} or [] and the class cannot do without values: both are lost without
// an error (recorded: cases obj.agg.RouteKeysConfig).
func bindElement[E any](b *binder, e element[E], into *E, id syntax.ID) (keep bool, err *config.BindError) {
	value, state := b.value(id)
	switch {
	case b.hasChildren(id):
	case state == text && value != "", state == absent:
		return false, nil
	}
	*into = e.table.zero
	switch {
	case e.construct == nil:
		return true, e.table.bind(b, into, id)
	case b.hasChildren(id):
		return true, e.construct(b, into, id)
	}
	return false, nil
}

// bindSideBySide binds a large list in one part for each processor. What comes
// out, the order of dropped elements included, is the same as from one part.
func bindSideBySide[E any](b *binder, e element[E], id syntax.ID, kids []syntax.ID) []E {
	parts := min(stdruntime.GOMAXPROCS(0), len(kids)/(sideBySide/2))
	out := make([]E, len(kids))
	binders, kept := make([]*binder, parts), make([]int, parts)
	start := func(part int) int { return len(kids) * part / parts }
	var wait sync.WaitGroup
	for part := range parts {
		binders[part] = &binder{tree: b.tree, known: b.known, path: slices.Clone(b.path)}
		wait.Go(func() {
			from, to := start(part), start(part+1)
			kept[part] = bindRun(binders[part], e, run[E]{parent: id, kids: kids[from:to], first: from, out: out[from:to]})
		})
	}
	wait.Wait()
	n := 0
	for part, side := range binders {
		from := start(part)
		if n != from {
			copy(out[n:], out[from:from+kept[part]])
		}
		n += kept[part]
		b.dropped = append(b.dropped, side.dropped...)
		b.rejected = append(b.rejected, side.rejected...)
	}
	clear(out[n:])
	return out[:n]
}
