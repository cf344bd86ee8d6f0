package expr_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"

	"github.com/margay-dev/margay/runtime/expr"
)

// This file is the language a second time, naively: Go's own parser, then a
// fold of its tree, which is how oxy does it. It tells what is accepted and
// what it means, and nothing about mistakes.

// figures are metrics in full.
type figures struct {
	requests, networkErrors int64
	codes                   map[int]int64
	latencies               []int64 // whole milliseconds
}

type (
	refPredicate func(f *figures) bool
	refWhole     func(f *figures) int64
	refFraction  func(f *figures) float64
)

func (f *figures) networkErrorRatio() float64 {
	if f.requests == 0 {
		return 0
	}
	return float64(f.networkErrors) / float64(f.requests)
}

func (f *figures) within(from, to int) (n int64) {
	for code, count := range f.codes {
		if from <= code && code < to {
			n += count
		}
	}
	return n
}

func (f *figures) responseCodeRatio(a, b, c, d int) float64 {
	total := f.within(c, d)
	if total == 0 {
		return 0
	}
	return float64(f.within(a, b)) / float64(total)
}

func (f *figures) latencyAtQuantile(q float64) int64 {
	if q > 100 {
		q = 100
	}
	count := int(((q / 100) * float64(len(f.latencies))) + 0.5)
	if count == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(f.latencies))
	return sorted[count-1]
}

// reference returns what text means, or an error if it is refused.
func reference(text string) (refPredicate, error) {
	tree, err := parser.ParseExpr(text)
	if err != nil {
		return nil, err
	}
	folded, err := fold(tree)
	if err != nil {
		return nil, err
	}
	if p, ok := folded.(refPredicate); ok {
		return p, nil
	}
	return nil, fmt.Errorf("%T is no predicate", folded)
}

func fold(n ast.Expr) (any, error) {
	switch n := n.(type) {
	case *ast.ParenExpr:
		return fold(n.X)
	case *ast.BinaryExpr:
		x, err := fold(n.X)
		if err != nil {
			return nil, err
		}
		y, err := fold(n.Y)
		if err != nil {
			return nil, err
		}
		return foldBinary(n.Op, x, y)
	case *ast.BasicLit:
		return foldLiteral(n)
	case *ast.CallExpr:
		return foldCall(n)
	}
	return nil, fmt.Errorf("%T is not supported", n)
}

func foldLiteral(n *ast.BasicLit) (any, error) {
	switch n.Kind {
	case token.INT:
		return strconv.Atoi(n.Value)
	case token.FLOAT:
		return strconv.ParseFloat(n.Value, 64)
	}
	return nil, fmt.Errorf("%s is not supported", n.Kind)
}

func foldCall(n *ast.CallExpr) (any, error) {
	name, ok := n.Fun.(*ast.Ident)
	if !ok {
		return nil, fmt.Errorf("%T is no name", n.Fun)
	}
	var ints []int
	var floats []float64
	for _, arg := range n.Args {
		literal, ok := arg.(*ast.BasicLit)
		if !ok {
			return nil, fmt.Errorf("%T is no literal", arg)
		}
		v, err := foldLiteral(literal)
		if err != nil {
			return nil, err
		}
		switch v := v.(type) {
		case int:
			ints = append(ints, v)
		case float64:
			floats = append(floats, v)
		}
	}
	switch signature := fmt.Sprint(name.Name, len(ints), len(floats)); signature {
	case "NetworkErrorRatio0 0":
		return refFraction((*figures).networkErrorRatio), nil
	case "ResponseCodeRatio4 0":
		return refFraction(func(f *figures) float64 {
			return f.responseCodeRatio(ints[0], ints[1], ints[2], ints[3])
		}), nil
	case "LatencyAtQuantileMS0 1":
		return refWhole(func(f *figures) int64 { return f.latencyAtQuantile(floats[0]) }), nil
	case "RequestThreshold0 0":
		return refWhole(func(f *figures) int64 { return f.requests }), nil
	default:
		return nil, fmt.Errorf("no function %s", signature)
	}
}

func foldBinary(op token.Token, x, y any) (any, error) {
	switch x := x.(type) {
	case refPredicate:
		y, ok := y.(refPredicate)
		switch {
		case ok && op == token.LAND:
			return refPredicate(func(f *figures) bool { return x(f) && y(f) }), nil
		case ok && op == token.LOR:
			return refPredicate(func(f *figures) bool { return x(f) || y(f) }), nil
		}
	case refWhole:
		if y, ok := y.(int); ok {
			return foldComparison(op, x, int64(y))
		}
	case refFraction:
		if y, ok := y.(float64); ok {
			return foldComparison(op, x, y)
		}
	}
	return nil, fmt.Errorf("%T %s %T is not supported", x, op, y)
}

func foldComparison[F ~func(*figures) T, T int64 | float64](op token.Token, value F, number T) (any, error) {
	holds, ok := map[token.Token]func(a, b T) bool{
		token.EQL: func(a, b T) bool { return a == b }, token.NEQ: func(a, b T) bool { return a != b },
		token.LSS: func(a, b T) bool { return a < b }, token.LEQ: func(a, b T) bool { return a <= b },
		token.GTR: func(a, b T) bool { return a > b }, token.GEQ: func(a, b T) bool { return a >= b },
	}[op]
	if !ok {
		return nil, fmt.Errorf("%s is no comparison", op)
	}
	return refPredicate(func(f *figures) bool { return holds(value(f), number) }), nil
}

// view gives an expression the counts that it asks for.
type view struct {
	*figures
	e *expr.Expr
}

func (v view) Requests() int64      { return v.requests }
func (v view) NetworkErrors() int64 { return v.networkErrors }
func (v view) Latencies() int64     { return int64(len(v.latencies)) }

func (v view) Responses(i int) int64 {
	r := v.e.Ranges()[i]
	return v.within(r.From, r.To)
}

func (v view) LatenciesWithin(i int) (n int64) {
	for _, l := range v.latencies {
		if l <= v.e.Bounds()[i] {
			n++
		}
	}
	return n
}
