package rules

import "github.com/margay-dev/margay/validate"

// routeRules returns the rules about which requests reach which route.
func routeRules() []*validate.Rule {
	return []*validate.Rule{
		shadowedRoute(), portMissing(), deadDynamicRoutes(), loadBalancerType(), placeholderMismatch(), placeholderName(),
		neverMatches(), regexInTemplate(), upstreamHostNever(), slashLosesPlaceholder(), ampersandInTemplate(), queryRewritten(),
		quotaMessageBraces(), emptyAggregate(), httpVersion(), transformInvalid(),
	}
}
