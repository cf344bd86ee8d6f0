package bind

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/syntax"
)

// children returns a node's children in the order of .NET's
// ConfigurationKeyComparer: the empty name, then integers by value, then the
// other names without regard to case. Elements of an array are in that order
// already. Call release with the returned mark when done.
func (b *binder) children(id syntax.ID) (kids []syntax.ID, mark int) {
	mark = len(b.kids)
	for c := b.tree.Node(id).First; c != 0; c = b.tree.Node(c).Next {
		b.kids = append(b.kids, c)
	}
	kids = b.kids[mark:]
	if b.tree.Node(id).Kind == syntax.Object {
		slices.SortStableFunc(kids, func(x, y syntax.ID) int { return compareKeys(b.tree.Key(x), b.tree.Key(y)) })
	}
	return kids, mark
}

func (b *binder) release(mark int) { b.kids = b.kids[:mark] }

// segmentOf returns the path segment of the i-th child of a node.
func (b *binder) segmentOf(parent, child syntax.ID, i int) segment {
	if b.tree.Node(parent).Kind == syntax.Array {
		return segment{index: i}
	}
	return named(b.tree.Key(child))
}

// text returns the segment as the key of a child.
func (s segment) text() string {
	if s.index >= 0 {
		return strconv.Itoa(s.index)
	}
	return s.name
}

func compareKeys(x, y string) int {
	if x == "" || y == "" {
		return cmp.Compare(len(x), len(y))
	}
	m, xIsInt := keyInt(x)
	n, yIsInt := keyInt(y)
	switch {
	case xIsInt && yIsInt:
		// The comparer subtracts in 32 bits, and so overflows.
		return int(m - n)
	case xIsInt:
		return -1
	case yIsInt:
		return 1
	}
	return ordinal.Compare(x, y)
}

// keyInt reads a key as Int32.TryParse does: a sign, ASCII blanks around it
// and NUL characters at the end are fine, hexadecimal is not.
func keyInt(key string) (value int32, ok bool) {
	key = strings.TrimLeft(key, blanks)
	negative := strings.HasPrefix(key, "-")
	if negative || strings.HasPrefix(key, "+") {
		key = key[1:]
	}
	i, n := 0, int64(0)
	for ; i < len(key) && key[i]-'0' <= 9; i++ {
		n = min(n*10+int64(key[i]-'0'), 1<<31+1)
	}
	if negative {
		n = -n
	}
	rest := strings.Trim(strings.TrimLeft(key[i:], blanks), "\x00")
	return int32(n), i > 0 && rest == "" && n == int64(int32(n))
}

// blanks are what Int32.TryParse takes for white space.
const blanks = " \t\n\v\f\r"
