package rules

import "github.com/margay-dev/margay/validate"

// groupRules returns the rules of their section of the catalogue.
func groupRules() []*validate.Rule {
	return []*validate.Rule{}
}
