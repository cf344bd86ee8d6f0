package expr

// node is a piece of the text as it was written; whether it makes sense is
// found out by the checker.
type node interface{ where() span }

type (
	// binary is a junction or a comparison.
	binary struct {
		span
		op          operator
		left, right node
	}
	// call is a name with arguments.
	call struct {
		span
		name span
		args []node
	}
	// plain is a name without parentheses.
	plain struct{ span }
	// number is a literal; percent tells that "%" follows, and is included.
	number struct {
		span
		form    form
		percent bool
	}
	// group is a node in parentheses.
	group struct {
		span
		inner node
	}
	// bad stands where a mistake was reported; nothing more is said about it.
	bad struct{ span }
)

func (s span) where() span { return s }

// ungroup removes the parentheses around n.
func ungroup(n node) node {
	for {
		g, ok := n.(*group)
		if !ok {
			return n
		}
		n = g.inner
	}
}
