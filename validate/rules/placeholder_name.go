package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func placeholderName() *validate.Rule {
	return &validate.Rule{
		Name:        "placeholder-name",
		Summary:     "The name of a placeholder is not a word, so every request that fits fails.",
		Severity:    diag.Error,
		Category:    validate.Routes,
		CheckRoutes: checkPlaceholderName,
	}
}

func checkPlaceholderName(p *validate.Pass) {
	upstreams(p, func(r *normalize.Route, template, _ config.Value[string]) {
		if strings.HasPrefix(template.V, "/{") && strings.Count(template.V, "{") > strings.Count(template.V, "}") {
			return // the start fails
		}
		for ph, ok := nextPlaceholder(template.V, 0); ok; ph, ok = nextPlaceholder(template.V, ph.end) {
			if isGroupName(ph.text) || isOnlyQuery(template.V, ph) {
				continue
			}
			p.Report(diag.Diagnostic{
				Message: fmt.Sprintf("{%s} is not a name: letters, digits and underscores are allowed, and no digit in front", ph.text),
				Span:    within(p, template, ph.start, ph.end),
				Effect:  "every request that the template fits gets 500 (RegexParseException), even where another route would take it",
				Help:    "rename the placeholder in both templates",
				Subject: diag.Subject{Route: validate.Identity(r), Option: "UpstreamPathTemplate"},
			})
		}
	})
}

// isOnlyQuery says whether a placeholder is one that Ocelot never makes a group
// of: a template that ends in "?{x}" and has no other brace gives x the empty
// text.
func isOnlyQuery(template string, ph piece) bool {
	return ph.end == len(template) && ph.start > 0 && template[ph.start-1] == '?' && strings.IndexByte(template, '{') == ph.start
}
