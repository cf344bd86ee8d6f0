package expr

import (
	"fmt"
	"strings"
)

// maxDepth bounds nesting, so that no text can exhaust the stack.
const maxDepth = 1000

// foreignOperators are operators of other languages, the longer ones first,
// with the one that is meant.
var foreignOperators = [...]struct {
	text string
	op   operator
}{
	{"===", opEqual}, {"!==", opNotEqual}, {"<>", opNotEqual}, {"=>", opGreaterEqual},
	{"=<", opLessEqual}, {"≥", opGreaterEqual}, {"≤", opLessEqual}, {"≠", opNotEqual},
}

// stump is a foreign operator that begins like one of the language.
func stump(text string) (operator, bool) {
	switch text {
	case "=":
		return opEqual, true
	case "&":
		return opAnd, true
	case "|":
		return opOr, true
	}
	return 0, false
}

// parser builds the tree of a text. After a mistake that it understands it goes
// on; after any other it gives up, with what it has.
type parser struct {
	scanner
	tok    token
	depth  int
	gaveUp bool
}

func newParser(text string) *parser {
	p := &parser{scanner: newScanner(text)}
	p.gaveUp = len(p.errs) > 0
	if !p.gaveUp {
		p.advance()
	}
	return p
}

func (p *parser) parse() node {
	if p.tok.kind == tokEOF {
		p.fail(span{0, len(p.text)}, "the expression is empty", "write a comparison such as "+functions[networkErrorRatio].sample)
		return &bad{}
	}
	tree := p.junction(opOr)
	end := p.tok
	if end.kind == tokNewline {
		p.advance()
	}
	if p.tok.kind != tokEOF {
		p.tok = end
		p.unexpected()
	}
	return tree
}

// junction parses operands of || (op is opOr) or of && (opAnd).
func (p *parser) junction(op operator) node {
	operand := p.comparison
	if op == opOr {
		operand = func() node { return p.junction(opAnd) }
	}
	left := operand()
	for p.tok.kind == tokOperator && p.tok.op == op {
		p.advance()
		right := operand()
		left = &binary{span: left.where().to(right.where()), op: op, left: left, right: right}
	}
	return left
}

func (p *parser) comparison() node {
	left := p.operand()
	for p.tok.kind == tokOperator && p.tok.op >= opEqual {
		op := p.tok.op
		p.advance()
		right := p.operand()
		left = &binary{span: left.where().to(right.where()), op: op, left: left, right: right}
	}
	return left
}

func (p *parser) operand() node {
	p.depth++
	defer func() { p.depth-- }()
	t := p.tok
	switch {
	case p.depth > maxDepth:
		p.fail(t.span, fmt.Sprintf("parentheses nest more than %d deep", maxDepth), "write the expression with fewer of them")
		return &bad{t.span}
	case t.kind == tokOpen:
		return p.group()
	case t.kind == tokWhole || t.kind == tokFraction:
		return p.number()
	case t.kind == tokBad:
		p.advance()
		return &bad{t.span}
	case p.atSign():
		return p.signed()
	case t.kind == tokName:
		return p.name()
	}
	p.missingOperand()
	return &bad{t.span}
}

func (p *parser) group() node {
	open := p.tok
	p.advance()
	inner := p.junction(opOr)
	return &group{span: open.to(p.closing(open)), inner: inner}
}

// closing consumes the parenthesis that closes open and returns its place.
func (p *parser) closing(open token) span {
	t := p.tok
	switch t.kind {
	case tokClose:
		p.advance()
	case tokEOF:
		p.fail(open.span, `"(" is never closed`, `add ")" where it ends`)
	default:
		p.unexpected()
	}
	return t.span
}

func (p *parser) number() node {
	n := &number{span: p.tok.span, form: whole}
	if p.tok.kind == tokFraction {
		n.form = fraction
	}
	p.advance()
	if p.tok.kind == tokOther && p.textOf(p.tok) == "%" {
		n.percent, n.end = true, p.tok.end
		p.scanner.operand = true
		p.advance()
	}
	return n
}

// atSign reports whether tok is a unary operator, which the language lacks.
func (p *parser) atSign() bool {
	text := p.textOf(p.tok)
	if p.tok.kind == tokName {
		return strings.EqualFold(text, "not")
	}
	return p.tok.kind == tokOther && (text == "!" || text == "-" || text == "+")
}

func (p *parser) signed() node {
	sign := p.tok
	p.advance()
	operand := p.operand()
	message := fmt.Sprintf("%q has no meaning here: expressions have no signs and no negation", p.textOf(sign))
	p.errs.add(sign.span, message, p.adviseSign(sign, operand))
	return &bad{sign.to(operand.where())}
}

func (p *parser) adviseSign(sign token, operand node) string {
	if text := p.textOf(sign); text == "-" || text == "+" {
		return "write the number without a sign"
	}
	b, ok := ungroup(operand).(*binary)
	if !ok || b.op < opEqual {
		return "write the opposite comparison"
	}
	return fmt.Sprintf("write %s %s %s", p.source(b.left), b.op.negated(), p.source(b.right))
}

func (p *parser) name() node {
	name := p.tok
	p.advance()
	if p.tok.kind != tokOpen {
		return &plain{name.span}
	}
	open := p.tok
	p.advance()
	args := p.arguments()
	return &call{span: name.to(p.closing(open)), name: name.span, args: args}
}

// arguments parses up to the closing parenthesis. As in Go, a comma may follow
// the last argument, and so may "...", which oxy does not look at.
func (p *parser) arguments() []node {
	var args []node
	for p.tok.kind != tokClose && p.tok.kind != tokEOF {
		args = append(args, p.junction(opOr))
		last := p.tok.kind == tokEllipsis
		if last {
			p.advance()
		}
		if p.tok.kind != tokComma {
			break
		}
		p.advance()
		if last {
			break
		}
	}
	return args
}

func (p *parser) advance() {
	operand := p.scanner.operand
	p.tok = p.scanner.next()
	if operand {
		p.tok = p.mend(p.tok)
	}
}

// mend takes what stands in an operator's place for the operator that is meant,
// and says so.
func (p *parser) mend(t token) token {
	text := p.textOf(t)
	op, ok := stump(text)
	switch {
	case t.kind == tokName && strings.EqualFold(text, "and"):
		op, ok = opAnd, true
	case t.kind == tokName && strings.EqualFold(text, "or"):
		op, ok = opOr, true
	}
	for _, f := range foreignOperators {
		if text == f.text {
			op, ok = f.op, true
		}
	}
	if !ok {
		return t
	}
	p.errs.add(t.span, fmt.Sprintf("%q is not an operator", text), fmt.Sprintf("write %s instead of %s", op, text))
	p.scanner.operand = false
	return token{span: t.span, kind: tokOperator, op: op}
}

func (p *parser) textOf(t token) string { return p.text[t.start:t.end] }
func (p *parser) source(n node) string  { return p.text[n.where().start:n.where().end] }
