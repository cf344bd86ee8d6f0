package rules

import "github.com/margay-dev/margay/validate"

// securityRules returns the rules of their section of the catalogue.
func securityRules() []*validate.Rule {
	return []*validate.Rule{}
}
