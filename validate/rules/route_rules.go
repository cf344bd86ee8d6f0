package rules

import "github.com/margay-dev/margay/validate"

// routeRules returns the rules of their section of the catalogue.
func routeRules() []*validate.Rule {
	return []*validate.Rule{}
}
