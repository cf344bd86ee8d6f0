package report

import (
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// Rule is what formats with a catalogue say about a rule. Findings of rules
// that are not in Options.Rules are printed all the same.
type Rule struct {
	// Name is the rule's ID, as in diag.Diagnostic.Rule.
	Name string
	// Summary is one sentence.
	Summary string
	// Doc is the rule's page in Markdown.
	Doc string
	// Severity is what its findings have unless a setting says otherwise.
	Severity diag.Severity
	// Category is the heading under which the rule stands. Rules of the
	// category "Security" are security rules.
	Category string
	// CWE is the number of the weakness that the rule finds; zero if there is
	// none. A rule with a number is a security rule in any category.
	CWE int
}

// securityTag is what GitHub calls security rules.
const securityTag = "security"

// security says whether a rule is about who can do what to the gateway.
func (r Rule) security() bool { return r.CWE > 0 || strings.EqualFold(r.Category, securityTag) }

// score is the severity of a security rule on the scale of CVSS, which GitHub
// reads as low below 4, medium below 7, high below 9.
func (r Rule) score() string {
	switch r.Severity {
	case diag.Error:
		return "8.0"
	case diag.Warning:
		return "5.5"
	}
	return "2.0"
}
