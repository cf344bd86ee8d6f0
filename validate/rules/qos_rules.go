package rules

import "github.com/margay-dev/margay/validate"

// qosRules returns the rules about what the values of QoSOptions do.
func qosRules() []*validate.Rule {
	return []*validate.Rule{inactiveQoS()}
}
