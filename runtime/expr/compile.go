package expr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Where evaluation ends.
const (
	exitTrue  = -1
	exitFalse = -2
)

// test is one comparison of a compiled expression and where to go from it. The
// program jumps forward only, so evaluation needs no stack.
type test struct {
	metric          metric
	op              operator
	onTrue, onFalse int
	ofWhole         int64
	ofFraction      float64
	quantile        float64
	// counted and total are indices into the ranges of the Expr, of a
	// responseCodeRatio.
	counted, total int
	// within is the index of the bound ofWhole, below that of ofWhole-1 (-1
	// if ofWhole is 0), of a latencyAtQuantile.
	within, below int
}

func compile(root predicate) *Expr {
	e := &Expr{text: text(root), tests: make([]test, 0, root.size())}
	e.collect(root)
	e.emit(root, exitTrue, exitFalse)
	return e
}

func (j *junction) size() int {
	n := 0
	for _, p := range j.parts {
		n += p.size()
	}
	return n
}

func (*comparison) size() int { return 1 }

// collect gathers ranges and bounds, each once.
func (e *Expr) collect(p predicate) {
	switch p := p.(type) {
	case *junction:
		for _, part := range p.parts {
			e.collect(part)
		}
	case *comparison:
		switch p.metric {
		case responseCodeRatio:
			e.ranges = insert(e.ranges, p.ranges[0], compareRanges)
			e.ranges = insert(e.ranges, p.ranges[1], compareRanges)
		case latencyAtQuantile:
			e.bounds = insert(e.bounds, p.ofWhole, cmp.Compare[int64])
			if p.ofWhole > 0 {
				e.bounds = insert(e.bounds, p.ofWhole-1, cmp.Compare[int64])
			}
		}
	}
}

func insert[T any](sorted []T, v T, compare func(a, b T) int) []T {
	at, found := slices.BinarySearchFunc(sorted, v, compare)
	if found {
		return sorted
	}
	return slices.Insert(sorted, at, v)
}

func compareRanges(a, b CodeRange) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// emit appends the tests of p, which go to onTrue or onFalse when p is decided.
func (e *Expr) emit(p predicate, onTrue, onFalse int) {
	switch p := p.(type) {
	case *junction:
		for i, part := range p.parts {
			next := len(e.tests) + part.size()
			switch {
			case i == len(p.parts)-1:
				e.emit(part, onTrue, onFalse)
			case p.op == opAnd:
				e.emit(part, next, onFalse)
			default:
				e.emit(part, onTrue, next)
			}
		}
	case *comparison:
		e.tests = append(e.tests, e.test(p, onTrue, onFalse))
	}
}

func (e *Expr) test(c *comparison, onTrue, onFalse int) test {
	t := test{
		metric: c.metric, op: c.op, onTrue: onTrue, onFalse: onFalse,
		ofWhole: c.ofWhole, ofFraction: c.ofFraction, quantile: c.quantile,
		within: -1, below: -1,
	}
	switch c.metric {
	case responseCodeRatio:
		t.counted = slices.Index(e.ranges, c.ranges[0])
		t.total = slices.Index(e.ranges, c.ranges[1])
	case latencyAtQuantile:
		t.within = slices.Index(e.bounds, c.ofWhole)
		t.below = slices.Index(e.bounds, c.ofWhole-1)
	}
	return t
}

// compare returns how the metric stands to the number: -1, 0 or 1.
func (t *test) compare(m Metrics) int {
	switch t.metric {
	case networkErrorRatio:
		return cmp.Compare(ratio(m.NetworkErrors(), m.Requests()), t.ofFraction)
	case responseCodeRatio:
		return cmp.Compare(ratio(m.Responses(t.counted), m.Responses(t.total)), t.ofFraction)
	case latencyAtQuantile:
		return t.compareLatency(m)
	default:
		return cmp.Compare(m.Requests(), t.ofWhole)
	}
}

// compareLatency decides how the latency at the quantile stands to the number
// without knowing the latency. It is the smallest one that at least wanted
// samples do not exceed, and 0 if wanted is 0; so it is within a bound if that
// many samples are. The rounding of wanted is that of HdrHistogram.
func (t *test) compareLatency(m Metrics) int {
	wanted := int64(t.quantile/100*float64(m.Latencies()) + 0.5)
	switch {
	case m.LatenciesWithin(t.within) < wanted:
		return 1
	case t.below >= 0 && m.LatenciesWithin(t.below) >= wanted:
		return -1
	default:
		return 0
	}
}

// ratio returns counted/total, 0 when there is nothing to divide by.
func ratio(counted, total int64) float64 {
	if total == 0 {
		return 0
	}
	return float64(counted) / float64(total)
}

// text returns the canonical text of p.
func text(p predicate) string {
	switch p := p.(type) {
	case *junction:
		parts := make([]string, len(p.parts))
		for i, part := range p.parts {
			parts[i] = text(part)
			if inner, ok := part.(*junction); ok && inner.op < p.op {
				parts[i] = "(" + parts[i] + ")"
			}
		}
		return strings.Join(parts, " "+p.op.String()+" ")
	case *comparison:
		return p.call() + " " + p.op.String() + " " + p.number()
	default:
		return ""
	}
}

func (c *comparison) call() string {
	name := functions[c.metric].name
	switch c.metric {
	case responseCodeRatio:
		a, b := c.ranges[0], c.ranges[1]
		return fmt.Sprintf("%s(%d, %d, %d, %d)", name, a.From, a.To, b.From, b.To)
	case latencyAtQuantile:
		return fmt.Sprintf("%s(%s)", name, formatFraction(c.quantile))
	default:
		return name + "()"
	}
}

func (c *comparison) number() string {
	if functions[c.metric].result == fraction {
		return formatFraction(c.ofFraction)
	}
	return fmt.Sprint(c.ofWhole)
}
