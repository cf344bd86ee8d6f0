package retry

import "math"

// The exponential jitter is recorded to the last bit of its state, and its
// state is a sum over all attempts so far. The real program gets it from the C
// library, whose pow is right to half a unit in the last place; math.Pow and
// math.Exp2 are off by one in a tenth of their results. These two agree with
// the C library but for one result in a thousand, by one unit.

// exp2 returns 2**x for x ≥ 0, correctly rounded in practice: the exponential
// series in twice the precision of a float64.
func exp2(x float64) float64 {
	ln2 := double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	whole := math.Floor(x)
	const halvings, terms = 8, 10 // the argument is below 2**-8·ln 2, the rest of the series below 2**-105
	y := double{x - whole, 0}.times(ln2)
	y.high, y.low = math.Ldexp(y.high, -halvings), math.Ldexp(y.low, -halvings)

	sum, term := double{1, 0}, double{1, 0}
	for n := 1.0; n <= terms; n++ {
		term = term.times(y).over(n)
		sum = sum.plus(term)
	}
	for range halvings {
		sum = sum.times(sum)
	}
	return math.Ldexp(sum.high, int(min(whole, 2048))) // beyond 1024 it is infinite anyhow
}

// tanh returns the hyperbolic tangent for x ≥ 0 by way of Expm1.
func tanh(x float64) float64 {
	switch {
	case x >= 22:
		return 1
	case x >= 1:
		return 1 - 2/(math.Expm1(2*x)+2)
	}
	t := math.Expm1(-2 * x)
	return -t / (t + 2)
}

// double is the unevaluated sum of two float64, the second below half a unit
// in the last place of the first.
type double struct{ high, low float64 }

func (a double) times(b double) double {
	p := a.high * b.high
	return normal(p, math.FMA(a.high, b.high, -p)+a.high*b.low+a.low*b.high)
}

func (a double) plus(b double) double {
	s := a.high + b.high
	t := s - a.high
	return normal(s, (a.high-(s-t))+(b.high-t)+a.low+b.low)
}

func (a double) over(n float64) double {
	q := a.high / n
	return normal(q, (math.FMA(-q, n, a.high)+a.low)/n)
}

func normal(high, low float64) double {
	s := high + low
	return double{s, low - (s - high)}
}
