package schema

import (
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// removal is an option that some release of Ocelot had and 25.0 has not.
type removal struct {
	// class is the definition that it was a member of; "" is the root.
	class, name string
	// first and last are the first and the last release that read it, gone is
	// the one that stopped.
	first, last, gone string
	// now is its new name in the same object; "" where it moved or went.
	now string
	// help says what to write where now is "".
	help string
}

// removals are all of them, from the models of the 166 releases from 1.1.0 to
// 25.0.0. What was renamed together with its parent stands under the parent's
// new name.
var removals = []removal{
	{"", "ReRoutes", "1.1.0", "15.0.7", "16.0.0", "Routes", ""},
	{"", "DynamicReRoutes", "8.0.4", "15.0.7", "16.0.0", "DynamicRoutes", ""},
	{"AggregateRoute", "ReRouteIsCaseSensitive", "3.1.7", "15.0.7", "16.0.0", "RouteIsCaseSensitive", ""},
	{"AggregateRoute", "ReRouteKeys", "3.1.7", "15.0.7", "16.0.0", "RouteKeys", ""},
	{"AggregateRoute", "ReRouteKeysConfig", "13.2.0", "15.0.7", "16.0.0", "RouteKeysConfig", ""},
	{"AggregateRouteConfig", "ReRouteKey", "13.2.0", "15.0.7", "16.0.0", "RouteKey", ""},
	{"AuthenticationOptions", "AdditionalScopes", "1.1.0", "1.4.1", "1.4.2", "AllowedScopes", ""},
	{"AuthenticationOptions", "ApiName", "1.4.2", "1.4.8", "1.4.9", "", schemeHelp},
	{"AuthenticationOptions", "ApiSecret", "1.4.2", "1.4.8", "1.4.9", "", schemeHelp},
	{"AuthenticationOptions", "IdentityServerConfig", "1.4.9", "1.4.20", "2.0.0", "", schemeHelp},
	{"AuthenticationOptions", "JwtConfig", "1.4.9", "1.4.20", "2.0.0", "", schemeHelp},
	{"AuthenticationOptions", "Provider", "1.1.0", "1.4.20", "2.0.0", "AuthenticationProviderKey", ""},
	{"AuthenticationOptions", "ProviderRootUrl", "1.1.0", "1.4.8", "1.4.9", "", schemeHelp},
	{"AuthenticationOptions", "RequireHttps", "1.1.0", "1.4.8", "1.4.9", "", schemeHelp},
	{"AuthenticationOptions", "ScopeName", "1.1.0", "1.4.1", "1.4.2", "", schemeHelp},
	{"AuthenticationOptions", "ScopeSecret", "1.1.0", "1.4.1", "1.4.2", "", schemeHelp},
	{"GlobalConfiguration", "AdministrationPath", "1.4.0", "2.0.4", "2.0.5", "", "remove it, and pass the path to AddAdministration() in code"},
	{"MetadataOptions", "Metadata", "23.3.0", "24.0.1", "24.1.0", "", "move it into \"GlobalConfiguration\""},
	{"Route", "DownstreamHost", "1.1.0", "2.0.11", "3.0.0", "", hostHelp},
	{"Route", "DownstreamPort", "1.1.0", "2.0.11", "3.0.0", "", hostHelp},
	{"Route", "LoadBalancer", "1.2.0", "5.5.7", "6.0.0", "", "write \"LoadBalancerOptions\": { \"Type\": … }"},
	{"Route", "ReRouteIsCaseSensitive", "1.1.0", "15.0.7", "16.0.0", "RouteIsCaseSensitive", ""},
	{"Route", "UpstreamTemplate", "1.1.0", "1.3.1", "1.3.2", "UpstreamPathTemplate", ""},
	{"Route", "UseServiceDiscovery", "2.0.1", "10.0.4", "11.0.0", "", "remove it: \"ServiceName\" alone asks for service discovery"},
	{"ServiceDiscoveryProvider", "Address", "1.1.0", "1.1.0", "1.2.0", "Host", ""},
	{"ServiceDiscoveryProvider", "Provider", "1.1.0", "2.0.0", "2.0.1", "", "write \"Type\""},
}

const (
	schemeHelp = "remove it: register the scheme in code and name it in \"AuthenticationProviderKeys\""
	hostHelp   = "write \"DownstreamHostAndPorts\": [{ \"Host\": …, \"Port\": … }]"
)

// removedFrom returns the removal of a member of a class. The global variant
// of a class and the class itself have the same history, and what was a member
// of routes is missed on dynamic routes too.
func removedFrom(class, name string) (removal, bool) {
	class = strings.TrimPrefix(class, "Global")
	switch class {
	case "Configuration":
		class = "GlobalConfiguration"
	case "DynamicRoute":
		class = "Route"
	}
	for _, was := range removals {
		if was.class == class && strings.EqualFold(was.name, name) {
			return was, true
		}
	}
	return removal{}, false
}

// removedAnywhere returns the removal of a name with a longer history than a
// word of everyday use, whatever class it was a member of. A new name is valid
// there only, so it is left out.
func removedAnywhere(name string) (removal, bool) {
	for _, was := range removals {
		if strings.EqualFold(was.name, name) && !everydayName(was.name) {
			if was.now != "" {
				was.now, was.help = "", "remove it here: its new name is \""+was.now+"\""
			}
			return was, true
		}
	}
	return removal{}, false
}

// everydayName says whether people use a removed name for other things.
func everydayName(name string) bool {
	switch name {
	case "Provider", "Address", "Metadata", "ApiName", "RequireHttps":
		return true
	}
	return false
}

// slipOfRemoved returns the new name of the removed member of a class that a
// name is a slip of.
func slipOfRemoved(name string, owner *shape) (string, bool) {
	for _, was := range removals {
		if was.now == "" || !owner.has(was.now) {
			continue
		}
		if _, ok := diag.Suggest(name, []string{was.name}); ok {
			return was.now, true
		}
	}
	return "", false
}
