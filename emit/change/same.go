package change

import (
	"path/filepath"

	"github.com/margay-dev/margay/schema/syntax"
)

// sameNode says whether two nodes say the same: comments, layout and the order of
// an object's members make no difference.
func sameNode(a *syntax.Tree, x syntax.ID, b *syntax.Tree, y syntax.ID) bool {
	n, m := a.Node(x), b.Node(y)
	if n.Kind != m.Kind {
		return false
	}
	switch n.Kind {
	case syntax.Object:
		return sameMembers(a, x, b, y)
	case syntax.Array:
		other := m.First
		for child := range a.Children(x) {
			if other == 0 || !sameNode(a, child, b, other) {
				return false
			}
			other = b.Node(other).Next
		}
		return other == 0
	}
	return a.Text(x) == b.Text(y)
}

// sameMembers walks both objects in step for as long as the names agree, which is
// nearly always; only then it looks names up.
func sameMembers(a *syntax.Tree, x syntax.ID, b *syntax.Tree, y syntax.ID) bool {
	other, count := b.Node(y).First, 0
	for child := range a.Children(x) {
		count++
		at := other
		if at == 0 || a.Key(child) != b.Key(at) {
			at = b.Find(y, a.Key(child))
		}
		if at == 0 || !sameNode(a, child, b, at) {
			return false
		}
		if other != 0 {
			other = b.Node(other).Next
		}
	}
	for range b.Children(y) {
		count--
	}
	return count == 0
}

func spanName(name string) string { return filepath.ToSlash(name) }
