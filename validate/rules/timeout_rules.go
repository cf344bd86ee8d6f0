package rules

import "github.com/margay-dev/margay/validate"

// timeoutRules returns the rules of their section of the catalogue.
func timeoutRules() []*validate.Rule {
	return []*validate.Rule{}
}
