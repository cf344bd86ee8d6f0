package rules

import "github.com/margay-dev/margay/validate"

// fileRules returns the rules of their section of the catalogue.
func fileRules() []*validate.Rule {
	return []*validate.Rule{}
}
