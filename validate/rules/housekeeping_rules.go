package rules

import "github.com/margay-dev/margay/validate"

// housekeepingRules returns the rules of their section of the catalogue.
func housekeepingRules() []*validate.Rule {
	return []*validate.Rule{}
}
