package validate

import (
	"cmp"
	"slices"
	"sort"

	"github.com/margay-dev/margay/schema/syntax"
)

// path returns the names of the members that lead to an offset. Elements of
// lists have none, so that an option keeps its path when others move.
func (w *writtenRoutes) path(at syntax.ID, offset int) []string {
	var names []string
	for {
		next, ok := w.memberAt(at, offset)
		if !ok {
			return names
		}
		if key := w.tree.Key(next); key != "" && w.tree.Node(at).Kind == syntax.Object {
			names = append(names, key)
		}
		at = next
	}
}

// memberAt returns the child of an object or list whose name or value stands at
// an offset.
func (w *writtenRoutes) memberAt(at syntax.ID, offset int) (syntax.ID, bool) {
	members := w.membersOf(at)
	i := sort.Search(len(members), func(i int) bool { return w.from(members[i]) > offset }) - 1
	if i < 0 || offset >= max(int(w.tree.Node(members[i]).End), w.from(members[i])+1) {
		return 0, false
	}
	return members[i], true
}

// membersOf returns the children of an object or list in the order of the file.
// There may be very many of them, and very many findings that ask.
func (w *writtenRoutes) membersOf(at syntax.ID) []syntax.ID {
	if w.tree.Node(at).First == 0 {
		return nil
	}
	members, ok := w.members[at]
	if !ok {
		members = slices.SortedStableFunc(w.tree.Children(at), func(a, b syntax.ID) int {
			return cmp.Compare(w.from(a), w.from(b))
		})
		w.members[at] = members
	}
	return members
}

// from returns where a member begins: at its name, if it has one.
func (w *writtenRoutes) from(member syntax.ID) int {
	n := w.tree.Node(member)
	if n.KeyEnd != 0 {
		return int(n.KeyStart)
	}
	return int(n.Start)
}
