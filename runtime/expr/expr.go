// Package expr reads and evaluates the expressions of Traefik's circuit
// breaker (the cbreaker package of vulcand/oxy v2), such as
//
//	NetworkErrorRatio() > 0.30 || LatencyAtQuantileMS(99.0) > 500
//
// It takes the text and returns an [Expr] or the list of what is wrong with it,
// with byte offsets, in words for whoever wrote the text. What Traefik accepts
// is accepted, and nothing else:
//
//   - Four functions give numbers: NetworkErrorRatio() and
//     ResponseCodeRatio(from, to, from, to) with a fraction,
//     LatencyAtQuantileMS(quantile) and RequestThreshold() with a whole number.
//   - A comparison (== != < <= > >=) has a function on its left and, on its
//     right, a number written in the very form of the function: with a decimal
//     point or an exponent for a fraction, without one for a whole number.
//   - && and || join comparisons, && first; parentheses group. There is no
//     negation, no sign, no arithmetic.
//   - Lexically the text is Go: its numbers, its comments, and its rule that a
//     line break after an operand ends the expression. oxy hands the text to
//     go/parser. This package has a parser of its own, because that one speaks
//     of Go to somebody who wrote a configuration, and stops at the first
//     mistake.
//
// Two things differ on purpose: parentheses nest at most 1000 deep, and a
// comment that looks like a position directive of Go is a comment.
//
// Evaluation reads every metric once per comparison, where oxy reads it twice
// for <= and >= and may see two values.
package expr

// CodeRange is a range of HTTP status codes, From inclusive, To exclusive.
type CodeRange struct{ From, To int }

// Contains reports whether code lies in the range.
func (r CodeRange) Contains(code int) bool { return r.From <= code && code < r.To }

// Metrics are the figures that an expression is about, all counted over the
// breaker's window. An Expr says with [Expr.Ranges] and [Expr.Bounds] which
// counts it asks for, so that nothing else needs to be kept.
type Metrics interface {
	// Requests is how many requests finished.
	Requests() int64
	// NetworkErrors is how many of them finished with status 502 or 504.
	NetworkErrors() int64
	// Responses is how many finished with a status in Ranges()[i].
	Responses(i int) int64
	// Latencies is how many latencies were measured.
	Latencies() int64
	// LatenciesWithin is how many of them are, in whole milliseconds, at most
	// Bounds()[i].
	LatenciesWithin(i int) int64
}

// Expr is an expression, ready to be evaluated. It is immutable and may be used
// by many goroutines at once.
type Expr struct {
	text   string
	tests  []test
	ranges []CodeRange
	bounds []int64
}

// Parse reads text. The error is of type [Errors] and holds every mistake that
// was found.
func Parse(text string) (*Expr, error) {
	p := newParser(text)
	tree := p.parse()
	c := checker{text: text, errs: p.errs, torso: p.gaveUp}
	root := c.predicate(tree)
	if len(c.errs) > 0 {
		return nil, c.errs.sorted()
	}
	return compile(root), nil
}

// String returns the canonical text: what the expression means in one form,
// with single spaces, no comments and no needless parentheses. Parsing it gives
// the same Expr.
func (e *Expr) String() string { return e.text }

// Ranges returns the ranges of status codes whose responses are asked for, each
// once. The result must not be changed.
func (e *Expr) Ranges() []CodeRange { return e.ranges }

// Bounds returns the latencies in milliseconds up to which samples are asked
// for, each once, in ascending order; empty if the expression is not about
// latencies. The result must not be changed.
func (e *Expr) Bounds() []int64 { return e.bounds }

// Holds reports whether the expression is true of m. It stops at the first
// comparison that decides and allocates nothing.
func (e *Expr) Holds(m Metrics) bool {
	for at := 0; ; {
		t := &e.tests[at]
		if t.op.holds(t.compare(m)) {
			at = t.onTrue
		} else {
			at = t.onFalse
		}
		switch at {
		case exitTrue:
			return true
		case exitFalse:
			return false
		}
	}
}
