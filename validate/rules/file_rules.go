package rules

import "github.com/margay-dev/margay/validate"

// fileRules returns the rules about how several files become one
// configuration.
func fileRules() []*validate.Rule {
	return []*validate.Rule{
		globalOutsideGlobalFile(), overwrittenPrimary(), environmentSkipped(), mergeReplacesSection(), mergeDropsSection(), unstableOrder(), indexOverlay(),
	}
}
