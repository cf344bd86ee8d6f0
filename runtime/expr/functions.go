package expr

import "slices"

// metric is one of the four functions.
type metric uint8

const (
	networkErrorRatio metric = iota
	responseCodeRatio
	latencyAtQuantile
	requestThreshold
)

// form is how a number has to be written. oxy compares the Go types of the
// parsed literals, so 1 is no fraction and 1.0 no whole number.
type form uint8

const (
	whole form = iota
	fraction
)

// describe says what is expected, for the end of a message.
func (f form) describe() string {
	if f == fraction {
		return "a number with a decimal point"
	}
	return "a whole number"
}

// function is what the language knows of a metric.
type function struct {
	name   string
	result form
	args   []form
	// signature shows how to call it; sample is a sensible comparison.
	signature, sample string
}

// functions is indexed by metric.
var functions = [...]function{
	networkErrorRatio: {
		name: "NetworkErrorRatio", result: fraction,
		signature: "NetworkErrorRatio()", sample: "NetworkErrorRatio() > 0.30",
	},
	responseCodeRatio: {
		name: "ResponseCodeRatio", result: fraction, args: []form{whole, whole, whole, whole},
		signature: "ResponseCodeRatio(from, to, from, to)",
		sample:    "ResponseCodeRatio(500, 600, 0, 600) > 0.30",
	},
	latencyAtQuantile: {
		name: "LatencyAtQuantileMS", result: whole, args: []form{fraction},
		signature: "LatencyAtQuantileMS(quantile)", sample: "LatencyAtQuantileMS(50.0) > 100",
	},
	requestThreshold: {
		name: "RequestThreshold", result: whole,
		signature: "RequestThreshold()", sample: "RequestThreshold() >= 20",
	},
}

// lookup finds a function by its name; case counts.
func lookup(name string) (metric, bool) {
	i := slices.IndexFunc(functions[:], func(f function) bool { return f.name == name })
	return metric(max(i, 0)), i >= 0
}

// operator is a comparison or a junction, in Go's precedence.
type operator uint8

const (
	opOr operator = iota
	opAnd
	opEqual
	opNotEqual
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
)

var operatorTexts = [...]string{"||", "&&", "==", "!=", "<", "<=", ">", ">="}

func (o operator) String() string { return operatorTexts[o] }

// holds reports whether a comparison with the given order (-1, 0, 1 as in
// cmp.Compare) is true.
func (o operator) holds(order int) bool {
	switch o {
	case opEqual:
		return order == 0
	case opNotEqual:
		return order != 0
	case opLess:
		return order < 0
	case opLessEqual:
		return order <= 0
	case opGreater:
		return order > 0
	default:
		return order >= 0
	}
}

// mirrored returns the operator for exchanged sides.
func (o operator) mirrored() operator {
	switch o {
	case opLess:
		return opGreater
	case opLessEqual:
		return opGreaterEqual
	case opGreater:
		return opLess
	case opGreaterEqual:
		return opLessEqual
	default:
		return o
	}
}

// negated returns the operator that is true where o is false.
func (o operator) negated() operator {
	switch o {
	case opEqual:
		return opNotEqual
	case opNotEqual:
		return opEqual
	case opLess:
		return opGreaterEqual
	case opLessEqual:
		return opGreater
	case opGreater:
		return opLessEqual
	default:
		return opLess
	}
}
