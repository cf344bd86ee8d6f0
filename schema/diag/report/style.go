package report

import "github.com/margay-dev/margay/schema/diag"

// style is an ANSI SGR parameter list.
type style string

const (
	bold   style = "1"
	dim    style = "2"
	red    style = "1;31"
	yellow style = "1;33"
	cyan   style = "1;36"
	strong style = "32"
)

func styleOf(s diag.Severity) style {
	switch s {
	case diag.Error:
		return red
	case diag.Warning:
		return yellow
	}
	return cyan
}

// paint colours a text, if colours are wanted.
func (p *textPrinter) paint(s style, text string) string {
	if !p.Color || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
