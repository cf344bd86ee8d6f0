package expr

import (
	"fmt"
	"strconv"
	"strings"
)

// predicate is a part of a checked expression that is true or false.
type predicate interface{ size() int }

type (
	// junction is two or more predicates joined by && or ||.
	junction struct {
		op    operator
		parts []predicate
	}
	// comparison compares a metric with a number: ofWhole or ofFraction, as
	// the metric has it.
	comparison struct {
		metric     metric
		ranges     [2]CodeRange
		quantile   float64
		op         operator
		ofWhole    int64
		ofFraction float64
	}
)

// checker turns a tree into predicates and reports what makes no sense. Where
// it returns nil, something has been reported.
type checker struct {
	text string
	errs Errors
	// torso is set if the parser gave up: what seems to be missing from the
	// tree may stand in the rest of the text.
	torso bool
}

func (c *checker) predicate(n node) predicate {
	n = ungroup(n)
	switch n := n.(type) {
	case *binary:
		if n.op >= opEqual {
			if checked := c.comparison(n); checked != nil {
				return checked
			}
			return nil
		}
		return c.junction(n)
	case *number:
		if !c.torso {
			c.errs.add(n.span, fmt.Sprintf("%q is a number, not a comparison", c.source(n)),
				"compare a function with it, as in "+functions[networkErrorRatio].sample)
		}
	case *call:
		if m, ok := c.function(n); ok && !c.torso {
			c.errs.add(n.span, fmt.Sprintf("%q is not compared with anything", c.source(n)),
				"write a comparison such as "+functions[m].sample)
		}
	case *plain:
		c.name(n)
	}
	return nil
}

// junction flattens a && b && c, which the parser nests to the left.
func (c *checker) junction(n *binary) predicate {
	joined := &junction{op: n.op}
	for _, side := range [2]node{n.left, n.right} {
		p := c.predicate(side)
		inner, nested := p.(*junction)
		switch {
		case p == nil:
		case !nested || inner.op != n.op:
			joined.parts = append(joined.parts, p)
		case joined.parts == nil:
			joined.parts = inner.parts // taken over: a long chain is not copied at every step
		default:
			joined.parts = append(joined.parts, inner.parts...)
		}
	}
	return joined
}

func (c *checker) comparison(n *binary) *comparison {
	left, ok := ungroup(n.left).(*call)
	if !ok {
		c.leftSide(n)
		return nil
	}
	m, known := c.function(left)
	if !known {
		return nil
	}
	checked := &comparison{metric: m, op: n.op}
	arguments, number := c.arguments(m, left, checked), c.rightSide(m, n, checked)
	if !arguments || !number {
		return nil
	}
	return checked
}

// leftSide reports a comparison that does not begin with a function.
func (c *checker) leftSide(n *binary) {
	switch left := ungroup(n.left).(type) {
	case *binary:
		if left.op >= opEqual && c.comparison(left) == nil {
			return
		}
		c.errs.add(n.left.where(), fmt.Sprintf("%q is true or false and can't be compared", c.source(n.left)),
			"join comparisons with && or ||")
	case *number:
		help := "write a function on the left side"
		if right, ok := ungroup(n.right).(*call); ok {
			help = fmt.Sprintf("write %s %s %s", c.source(right), n.op.mirrored(), c.source(left))
		}
		c.errs.add(left.span, fmt.Sprintf("the left side %q is a number: expected a function", c.source(left)), help)
	case *plain:
		c.name(left)
	}
}

func (c *checker) rightSide(m metric, n *binary, into *comparison) bool {
	f := functions[m]
	switch right := ungroup(n.right).(type) {
	case *number:
		return c.literal(right, f.result, m, &into.ofWhole, &into.ofFraction)
	case *bad:
		return false
	default:
		c.errs.add(n.right.where(), fmt.Sprintf("the right side %q is no number: expected %s", c.source(n.right), f.result.describe()),
			"compare the function with a number, as in "+f.sample)
		return false
	}
}

func (c *checker) arguments(m metric, n *call, into *comparison) bool {
	f := functions[m]
	if len(n.args) != len(f.args) {
		c.errs.add(n.span, fmt.Sprintf("%s takes %s, got %d", f.name, count(len(f.args)), len(n.args)),
			"write "+f.signature)
		return false
	}
	var codes [4]int64
	ok := true
	for i, arg := range n.args {
		literal, isNumber := arg.(*number)
		switch {
		case isNumber:
			ok = c.literal(literal, f.args[i], m, &codes[i], &into.quantile) && ok
		default:
			ok = false
			c.argument(arg)
		}
	}
	into.quantile = min(into.quantile, 100) // as the histogram of oxy does
	into.ranges = [2]CodeRange{
		{From: int(codes[0]), To: int(codes[1])}, {From: int(codes[2]), To: int(codes[3])},
	}
	return ok
}

// argument reports an argument that is no literal.
func (c *checker) argument(n node) {
	if _, reported := ungroup(n).(*bad); reported {
		return
	}
	help := "write a number"
	if _, grouped := n.(*group); grouped {
		if inner, ok := ungroup(n).(*number); ok {
			help = fmt.Sprintf("write %s without parentheses", c.source(inner))
		}
	}
	c.errs.add(n.where(), fmt.Sprintf("the argument %q is not a plain number", c.source(n)), help)
}

// literal reads n in the form that is wanted, into one of the two targets.
func (c *checker) literal(n *number, want form, m metric, toWhole *int64, toFraction *float64) bool {
	text := strings.TrimRight(c.source(n), "% \t\r")
	if n.percent {
		c.errs.add(n.span, fmt.Sprintf("%q is not a number: expressions have no percent sign", c.source(n)),
			unpercent(text, m, want))
		return false
	}
	if n.form != want {
		c.errs.add(n.span, fmt.Sprintf("%q has the wrong form for %s: expected %s", text, functions[m].name, want.describe()),
			reform(text, want))
		return false
	}
	// The scanner has reported every literal that these two refuse.
	if want == fraction {
		*toFraction, _ = strconv.ParseFloat(text, 64)
	} else {
		*toWhole, _ = strconv.ParseInt(text, 10, 64)
	}
	return true
}

// function finds the function that n calls and reports one that there is not.
func (c *checker) function(n *call) (metric, bool) {
	name := c.text[n.name.start:n.name.end]
	m, ok := lookup(name)
	if !ok {
		c.errs.add(n.name, fmt.Sprintf("there is no function %q", name), suggest(name, false))
	}
	return m, ok
}

// name reports a name without parentheses.
func (c *checker) name(n *plain) {
	name := c.source(n)
	if m, ok := lookup(name); ok {
		c.errs.add(n.span, fmt.Sprintf("%q is a function: expected parentheses after it", name), "write "+functions[m].signature)
		return
	}
	c.errs.add(n.span, fmt.Sprintf("there is no name %q", name), suggest(name, true))
}

func (c *checker) source(n node) string { return c.text[n.where().start:n.where().end] }
