package expr

import "fmt"

// fail reports a mistake that the parser can't see past and gives up: the rest
// of the text is not looked at, and no further syntax error is reported.
func (p *parser) fail(at span, message, help string) {
	if p.gaveUp {
		return
	}
	p.gaveUp = true
	p.errs.add(at, message, help)
	p.pos = len(p.text)
	p.scanner.operand = false
	p.tok = token{span: span{len(p.text), len(p.text)}}
}

// missingOperand gives up at tok, which is no function, number or parenthesis.
func (p *parser) missingOperand() {
	t, text := p.tok, p.textOf(p.tok)
	switch t.kind {
	case tokEOF:
		p.fail(t.span, "the expression ends too early", "add a comparison such as "+functions[networkErrorRatio].sample)
	case tokClose, tokComma, tokOperator:
		p.fail(t.span, fmt.Sprintf("expected a function or a number before %q", text), "add what is missing")
	default:
		p.fail(t.span, fmt.Sprintf("%q is no function and no number", text), "write a function or a plain number")
	}
}

// unexpected gives up at tok, which stands where an operator or the end of
// something is expected.
func (p *parser) unexpected() {
	t, text := p.tok, p.textOf(p.tok)
	switch {
	case t.kind == tokNewline:
		p.fail(t.span, "the line break ends the expression, but more follows",
			"write the operator or comma at the end of the line, not at the beginning of the next one")
	case t.kind == tokClose:
		p.fail(t.span, `")" closes nothing`, "remove it")
	case text == ";":
		p.fail(t.span, `";" has no meaning here: an expression is one condition`, "join the comparisons with && or ||")
	case t.kind == tokOther && isArithmetic(text):
		p.fail(t.span, fmt.Sprintf("%q has no meaning here: expressions have no arithmetic", text),
			"compare a function with a number")
	default:
		p.fail(t.span, fmt.Sprintf("expected an operator before %q", text), "join comparisons with && or ||")
	}
}

func isArithmetic(text string) bool {
	switch text {
	case "+", "-", "*", "/", "%", "^":
		return true
	}
	return false
}
