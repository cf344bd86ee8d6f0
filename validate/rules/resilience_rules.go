package rules

import "github.com/margay-dev/margay/validate"

// resilienceRules returns the rules of their section of the catalogue.
func resilienceRules() []*validate.Rule {
	return []*validate.Rule{}
}
