package rules

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func neverMatches() *validate.Rule {
	return &validate.Rule{
		Name:        "never-matches",
		Summary:     "A template holds a character that paths never hold when they are compared.",
		Severity:    diag.Error,
		Category:    validate.Routes,
		CheckRoutes: checkNeverMatches,
	}
}

func checkNeverMatches(p *validate.Pass) {
	upstreams(p, func(route *normalize.Route, template, _ config.Value[string]) {
		for literal := range literalsIn(pathOf(template.V)) {
			for i, r := range literal.text {
				if !isEncoded(r) {
					continue
				}
				at := literal.start + i
				written := url.PathEscape(string(r))
				p.Report(diag.Diagnostic{
					Message: fmt.Sprintf("no path holds %q: paths are compared encoded, where it is %s", r, written),
					Span:    within(p, template, at, at+utf8.RuneLen(r)),
					Effect:  "the route never takes a request",
					Help:    fmt.Sprintf("write \"%s\"", encoded(template.V)),
					Subject: diag.Subject{Route: validate.Identity(route), Option: "UpstreamPathTemplate"},
				})
				return
			}
		}
	})
}

// encoded writes a template as paths are compared.
func encoded(template string) string {
	var b strings.Builder
	done := 0
	for literal := range literalsIn(pathOf(template)) {
		b.WriteString(template[done:literal.start])
		for _, r := range literal.text {
			if isEncoded(r) {
				b.WriteString(url.PathEscape(string(r)))
			} else {
				b.WriteRune(r)
			}
		}
		done = literal.start + len(literal.text)
	}
	return b.String() + template[done:]
}

// isEncoded says whether a server writes a character of a path as %XX. Those
// that mean something in a regular expression are left out.
func isEncoded(r rune) bool {
	switch r {
	case '"', '#', '<', '>', '`':
		return true
	}
	return r <= ' ' || r >= 0x7f
}
