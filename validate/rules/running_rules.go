package rules

import (
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

// runningRules returns the rules about whether margay can run a gateway, which
// emit.Plan reports.
func runningRules() []*validate.Rule {
	invalid := reported(validate.Running, diag.Error, "plan-invalid", "A value fits into no plan, so margay does not run the gateway.")
	invalid.Late, invalid.Unsilenceable = true, true
	differs := reported(validate.Running, diag.Warning, "plan-differs", "A plan for an older release does something else than that release.")
	differs.Late = true
	return []*validate.Rule{invalid, differs}
}
