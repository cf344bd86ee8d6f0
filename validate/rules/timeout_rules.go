package rules

import "github.com/margay-dev/margay/validate"

// timeoutRules returns the rules about how long a caller waits.
func timeoutRules() []*validate.Rule {
	return []*validate.Rule{
		outerTimeoutShorter(), timeoutOverflow(), unitTrap(), uncountedHang(), ignoredZeroTimeout(), budgetExceeded(), endlessTimeout(),
	}
}
