package proxy_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// configuration is what the differences read of a configuration. Its routes
// have what they take from the global sections, as Ocelot fills them in.
type configuration struct {
	Routes              []configuredRoute
	Aggregates          []struct{ RouteKeys []string }
	DynamicRoutes       []configuredRoute
	GlobalConfiguration configuredRoute // all sections, whatever routes they are for
}

type configuredRoute struct {
	UpstreamPathTemplate   string
	DownstreamPathTemplate string
	DownstreamHttpMethod   string
	DownstreamScheme       string
	DownstreamHttpVersion  string
	DownstreamHostAndPorts []struct {
		Host string
		Port json.RawMessage
	}
	Key, ServiceName, ServiceNamespace                 string
	UpstreamHeaderTransform, DownstreamHeaderTransform map[string]string
	LoadBalancerOptions                                configuredBalancer
	SecurityOptions                                    configuredAddresses
	HttpHandlerOptions                                 struct {
		UseCookieContainer              bool
		PooledConnectionLifetimeSeconds int
	}
	RateLimitOptions             configuredLimit
	AddClaimsToRequest           map[string]string
	AddHeadersToRequest          map[string]string
	AddQueriesToRequest          map[string]string
	ChangeDownstreamPathTemplate map[string]string
	AuthenticationOptions        configuredSchemes
	DelegatingHandlers           []string
	CacheOptions                 configuredCache
}

// configuredAddresses are lists of patterns of clients' addresses.
type configuredAddresses struct {
	IPAllowedList, IPBlockedList []string
	ExcludeAllowedFromBlocked    bool
}

type configuredBalancer struct {
	Type, Key string
	Expiry    *int // milliseconds
}

type configuredCache struct {
	TtlSeconds           int
	Header               string
	EnableContentHashing bool
}

// configuredSchemes are the names of the schemes of a route.
type configuredSchemes struct {
	AuthenticationProviderKey  string
	AuthenticationProviderKeys []string
	AllowAnonymous             bool
}

// known reports whether clients have to be known.
func (s *configuredSchemes) known() bool { return len(s.names()) > 0 && !s.AllowAnonymous }

// names returns the schemes in the order in which they are asked.
func (s *configuredSchemes) names() []string {
	isNone := func(name string) bool { return name == "" }
	return slices.DeleteFunc(append([]string{s.AuthenticationProviderKey}, s.AuthenticationProviderKeys...), isNone)
}

// upstreams returns the names of a route's hosts.
func (r *configuredRoute) upstreams() (names []string) {
	for _, h := range r.DownstreamHostAndPorts {
		names = append(names, string(bytes.Trim(h.Port, `"`)))
	}
	return names
}

// portToken is a port of the recording machine, as a value or within a text.
var portToken = regexp.MustCompile(`:\{\{(\w+)\}\}([,}])|\{\{(\w+)\}\}`)

// section is an object of a configuration. Names are in lower case where they
// are Ocelot's own, which compares them without regard to case.
type section = map[string]any

// configured reads a configuration. Ports become their names.
func configured(text string) *configuration {
	named := portToken.ReplaceAllStringFunc(text, func(token string) string {
		m := portToken.FindStringSubmatch(token)
		if m[1] != "" {
			return `:"` + m[1] + `"` + m[2]
		}
		return m[3]
	})
	var all section
	_ = json.Unmarshal([]byte(named), &all)
	all = lowered(all)
	global, _ := all["globalconfiguration"].(section)
	global = lowered(global)
	for _, kind := range []string{"routes", "dynamicroutes"} {
		routes, _ := all[kind].([]any)
		for i := range routes {
			if own, ok := routes[i].(section); ok {
				routes[i] = withGlobal(lowered(own), global, kind == "routes")
			}
		}
	}
	all["globalconfiguration"] = withGlobal(section{}, ungrouped(global), false)
	whole, _ := json.Marshal(all)
	out := &configuration{}
	_ = json.Unmarshal(whole, out)
	return out
}

// lowered returns an object with its names in lower case.
func lowered(of section) section {
	out := section{}
	for name, value := range of {
		out[strings.ToLower(name)] = value
	}
	return out
}

// ungrouped returns the global sections without what says for which routes they
// are: services that no dynamic route lists take all of them (section 3.3 of
// the recordings' rules, dyn-qos-grouped).
func ungrouped(global section) section {
	out := maps.Clone(global)
	for name, value := range out {
		if one, ok := value.(section); ok {
			one = lowered(one)
			delete(one, "routekeys")
			out[name] = one
		}
	}
	return out
}

// withGlobal returns a route with what it takes from the global sections.
func withGlobal(own, global section, static bool) section {
	out := maps.Clone(own)
	if cache, ok := out["filecacheoptions"]; ok && cache != nil {
		out["cacheoptions"] = cache
	}
	if limit, ok := out["ratelimitrule"]; ok && limit != nil {
		out["ratelimitoptions"] = limit
	}
	for name, isLacking := range map[string]func(any) bool{
		"authenticationoptions": isBlank, "loadbalanceroptions": isBlank,
		"cacheoptions": isNull, "httphandleroptions": isNull, "ratelimitoptions": isNull,
	} {
		mine, _ := out[name].(section)
		theirs, _ := global[name].(section)
		if theirs = lowered(theirs); isFor(theirs, own["key"]) {
			out[name] = filled(lowered(mine), theirs, isLacking)
		} else {
			out[name] = lowered(mine)
		}
	}
	// Where the global section turns limits off, no route has one (rl-glob-off).
	if limits, ok := global["ratelimitoptions"].(section); ok {
		limits = lowered(limits)
		if limits["enableratelimiting"] == false && isFor(limits, own["key"]) {
			out["ratelimitoptions"] = limits
		}
	}
	if !static {
		return out
	}
	for _, name := range []string{"upstreamheadertransform", "downstreamheadertransform"} {
		mine, _ := out[name].(section)
		theirs, _ := global[name].(section)
		out[name] = filled(mine, theirs, isNull)
	}
	lists, _ := out["securityoptions"].(section)
	if lists = lowered(lists); isBlank(lists["ipallowedlist"]) && isBlank(lists["ipblockedlist"]) {
		out["securityoptions"] = global["securityoptions"]
	}
	return out
}

// isFor reports whether a global section is for a route with a key.
func isFor(global section, key any) bool {
	keys, _ := global["routekeys"].([]any)
	return len(keys) == 0 || slices.Contains(keys, key)
}

// filled returns what a route says itself, and the rest of the global section.
func filled(own, global section, isLacking func(any) bool) section {
	out := section{}
	maps.Copy(out, own)
	for name, value := range global {
		if isLacking(out[name]) {
			out[name] = value
		}
	}
	return out
}

func isNull(v any) bool { return v == nil }

// isBlank reports whether a value is none, no text or an empty list.
func isBlank(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	}
	return false
}

// dynamic returns the dynamic route that Ocelot finds for a service, or what the
// global sections make of one that none lists.
func (c *configuration) dynamic(service, namespace string) *configuredRoute {
	for i := range c.DynamicRoutes {
		r := &c.DynamicRoutes[i]
		if r.ServiceName == service && (namespace == "" || r.ServiceNamespace == namespace) {
			return r
		}
	}
	return &c.GlobalConfiguration
}
