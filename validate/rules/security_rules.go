package rules

import "github.com/margay-dev/margay/validate"

// securityRules returns the rules about who may call what.
func securityRules() []*validate.Rule {
	return []*validate.Rule{
		openByDrop(), discoveryByDrop(), certificateNotChecked(), authInactive(), upgradeUnprotected(), prefixEscape(),
		cacheSharedByUsers(), cookiesShared(), whitelistAdmitsAll(), clientCanTrip(),
	}
}
