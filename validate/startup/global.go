package startup

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/config"
)

// global runs FileGlobalConfigurationFluentValidator. Nothing else of the
// global section is validated.
func (v *validator) global(g *config.GlobalConfiguration) {
	if g.QoSOptions != nil {
		v.provider(&g.QoSOptions.QoSOptions)
	}
	if g.AuthenticationOptions != nil {
		v.authentication(&g.AuthenticationOptions.AuthenticationOptions)
	}
}

// authentication is V09. AllowAnonymous exempts nobody; a good deprecated key
// hides bad ones in the list.
func (v *validator) authentication(a *config.AuthenticationOptions) {
	if v.profile.Schemes == nil {
		return
	}
	if key := a.AuthenticationProviderKey.V; !blank(key) {
		if !slices.Contains(v.profile.Schemes, key) {
			v.unknownScheme(a, a.AuthenticationProviderKey.Origin)
		}
		return
	}
	for _, key := range a.AuthenticationProviderKeys.All() {
		if !slices.Contains(v.profile.Schemes, key.V) {
			v.unknownScheme(a, place(key.Origin, a.Origin))
			return
		}
	}
}

func (v *validator) unknownScheme(a *config.AuthenticationOptions, at config.Origin) {
	anonymous := "False"
	if a.AllowAnonymous.V {
		anonymous = "True"
	}
	v.fail("V09", "unknown-authentication-scheme", "AuthenticationOptions: AllowAnonymous:"+anonymous+
		",AllowedScopes:["+quoted(a.AllowedScopes)+"],AuthenticationProviderKey:'"+a.AuthenticationProviderKey.V+
		"',AuthenticationProviderKeys:["+quoted(a.AuthenticationProviderKeys)+"] is unsupported authentication provider", at)
}

func quoted(list *config.List[string]) string {
	items := make([]string, 0, list.Len())
	for _, item := range list.All() {
		items = append(items, "'"+item.V+"'")
	}
	return strings.Join(items, ",")
}

const noDiscovery = "Unable to start Ocelot, errors are: Unable to start Ocelot because either a Route or GlobalConfiguration are using " +
	"ServiceDiscoveryOptions but no ServiceDiscoveryFinderDelegate has been registered in dependency injection container. " +
	"Are you missing a package like Ocelot.Discovery.Consul and services.AddConsul() or Ocelot.Discovery.Eureka and services.AddEureka()?"

// discoveryOfRoutes is V16: a service name needs a discovery provider. A blank
// one counts as set.
func (v *validator) discoveryOfRoutes() {
	if !v.profile.NoDiscovery || v.discoveryType() == "servicefabric" {
		return
	}
	for i := range v.cfg.Routes {
		if name := v.cfg.Routes[i].ServiceName; name.V != "" {
			v.fail("V16", "discovery-missing", noDiscovery, name.Origin)
		}
	}
}

// discoveryOfGlobal is V17: any Type but ServiceFabric comes from a package.
func (v *validator) discoveryOfGlobal() {
	if kind := v.discoveryType(); v.profile.NoDiscovery && kind != "" && kind != "servicefabric" {
		v.fail("V17", "discovery-missing", noDiscovery, v.cfg.Global.ServiceDiscoveryProvider.Type.Origin)
	}
}

func (v *validator) discoveryType() string {
	if sdp := v.cfg.Global.ServiceDiscoveryProvider; sdp != nil {
		return strings.ToLower(sdp.Type.V)
	}
	return ""
}
