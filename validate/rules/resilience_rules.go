package rules

import "github.com/margay-dev/margay/validate"

// resilienceRules returns the rules about ResilienceOptions.
func resilienceRules() []*validate.Rule {
	return []*validate.Rule{
		retryUnsafeMethod(), retryWithoutBudget(), retryAmplification(), samplingBelowTwoTimeouts(), attemptOverTotal(),
		expressionInvalid(), twoBreakers(), responseCodeInvalid(), staleNeedsGet(), chaosEnabled(),
	}
}
