// Package rules holds the linter's rules: one rule is one .go file, one page
// in Markdown beside it and one folder of cases in testdata/rules.
//
// Rules that an earlier stage reports stand here too, without a Check, so that
// every finding has a page.
package rules

import (
	"embed"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

//go:embed *.md
var pages embed.FS

// All returns every rule, sorted by name.
func All() []*validate.Rule {
	all := slices.Concat(readingRules(), fileRules(), qosRules(), groupRules(), timeoutRules(), startupRules(), routeRules(), securityRules(), resilienceRules(), runningRules(), housekeepingRules())
	slices.SortFunc(all, func(a, b *validate.Rule) int { return strings.Compare(a.Name, b.Name) })
	for _, r := range all {
		r.Doc = page(r.Name)
	}
	return all
}

// ByName returns the rule with the given name; nil if there is none.
func ByName(name string) *validate.Rule {
	for _, r := range All() {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// page returns the page of a rule; a test holds that each has one.
func page(name string) string {
	text, err := pages.ReadFile(strings.ReplaceAll(name, "-", "_") + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}

// reported returns a rule whose findings an earlier stage makes.
func reported(category validate.Category, severity diag.Severity, name, summary string) *validate.Rule {
	return &validate.Rule{Name: name, Summary: summary, Severity: severity, Category: category}
}
