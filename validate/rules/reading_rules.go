package rules

import "github.com/margay-dev/margay/validate"

// readingRules returns the rules of their section of the catalogue.
func readingRules() []*validate.Rule {
	return []*validate.Rule{}
}
