package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func regexInTemplate() *validate.Rule {
	return &validate.Rule{
		Name:        "regex-in-template",
		Summary:     "Characters of a template keep their meaning in regular expressions.",
		Severity:    diag.Warning,
		Category:    validate.Routes,
		CheckRoutes: checkRegexInTemplate,
	}
}

func checkRegexInTemplate(p *validate.Pass) {
	upstreams(p, func(r *normalize.Route, template, _ config.Value[string]) {
		for literal := range literalsIn(pathOf(template.V)) {
			at := strings.IndexAny(literal.text, `\\*+()[]|^$`)
			severity := diag.Warning
			if at < 0 {
				at, severity = strings.IndexByte(literal.text, '.'), diag.Info
			}
			if at < 0 {
				continue
			}
			c := literal.text[at]
			p.Report(diag.Diagnostic{
				Severity: severity,
				Message:  fmt.Sprintf("%q means something in regular expressions, which templates are: %s", c, regexMeaning(c)),
				Span:     within(p, template, literal.start+at, literal.start+at+1),
				Effect:   "the route takes other paths than it says, and where it does, its placeholders go out as they are written",
				Help:     "do without the character; no way of escaping it works for both of Ocelot's patterns",
				Subject:  diag.Subject{Route: validate.Identity(r), Option: "UpstreamPathTemplate"},
				Cause:    string(c),
			})
			return
		}
	})
}

func regexMeaning(c byte) string {
	switch c {
	case '.':
		return "a dot takes every character"
	case '*', '+':
		return "what stands before it may be repeated"
	case '|':
		return "it splits the template into two alternatives"
	case '^', '$':
		return "it stands for an end of the path"
	case '\\':
		return "it takes away or gives a meaning to what follows"
	}
	return "it starts or ends a group"
}
