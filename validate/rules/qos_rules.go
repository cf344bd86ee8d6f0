package rules

import "github.com/margay-dev/margay/validate"

// qosRules returns the rules about what the values of QoSOptions do.
func qosRules() []*validate.Rule {
	return []*validate.Rule{
		deprecatedOption(), deprecatedOverrides(), globalDeprecatedWins(), valueOutOfRange(), secondsForMilliseconds(), inactiveQoS(),
		noEffect(), disabledByZero(), hairTrigger(), unreachableThroughput(), documentedDiffers(), globalTurnsOn(),
		optionRefused(), briefBreak(),
	}
}
