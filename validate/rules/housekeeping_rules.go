package rules

import (
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

// housekeepingRules returns the rules about margay's own comments in files.
func housekeepingRules() []*validate.Rule {
	return []*validate.Rule{
		reported(validate.Housekeeping, diag.Warning, "unused-ignore", "A comment that silences a rule does nothing."),
	}
}
