package bind

import "github.com/margay-dev/margay/schema/config"

var globalFields = []field[config.GlobalConfiguration]{
	{"AuthenticationOptions", object(func(o *config.GlobalConfiguration) **config.GlobalAuthenticationOptions {
		return &o.AuthenticationOptions
	},
		globalAuthenticationTable, nil)},
	{"BaseUrl", str(func(o *config.GlobalConfiguration) *line { return &o.BaseUrl })},
	{"CacheOptions", object(func(o *config.GlobalConfiguration) **config.GlobalCacheOptions { return &o.CacheOptions },
		globalCacheTable, nil)},
	{"DownstreamHeaderTransform", dictionary(func(o *config.GlobalConfiguration) **dict { return &o.DownstreamHeaderTransform })},
	{"DownstreamHttpVersion", str(func(o *config.GlobalConfiguration) *line { return &o.DownstreamHttpVersion })},
	{"DownstreamHttpVersionPolicy", str(func(o *config.GlobalConfiguration) *line { return &o.DownstreamHttpVersionPolicy })},
	{"DownstreamScheme", str(func(o *config.GlobalConfiguration) *line { return &o.DownstreamScheme })},
	{"HttpHandlerOptions", object(func(o *config.GlobalConfiguration) **config.GlobalHttpHandlerOptions { return &o.HttpHandlerOptions },
		globalHttpHandlerTable, nil)},
	{"LoadBalancerOptions", object(func(o *config.GlobalConfiguration) **config.GlobalLoadBalancerOptions { return &o.LoadBalancerOptions },
		globalLoadBalancerTable, nil)},
	{"Metadata", dictionary(func(o *config.GlobalConfiguration) **dict { return &o.Metadata })},
	{"MetadataOptions", object(func(o *config.GlobalConfiguration) **config.MetadataOptions { return &o.MetadataOptions },
		metadataTable, nil)},
	{"QoSOptions", object(func(o *config.GlobalConfiguration) **config.GlobalQoSOptions { return &o.QoSOptions },
		globalQoSTable, nil)},
	{"RateLimitOptions", object(func(o *config.GlobalConfiguration) **config.GlobalRateLimitByHeaderRule { return &o.RateLimitOptions },
		globalRateLimitByHeaderTable, nil)},
	{"RequestIdKey", str(func(o *config.GlobalConfiguration) *line { return &o.RequestIdKey })},
	{"SecurityOptions", object(func(o *config.GlobalConfiguration) **config.SecurityOptions { return &o.SecurityOptions },
		securityTable, securitySlab)},
	{"ServiceDiscoveryProvider", object(func(o *config.GlobalConfiguration) **config.ServiceDiscoveryProvider {
		return &o.ServiceDiscoveryProvider
	},
		discoveryTable, nil)},
	{"Timeout", nullable(func(o *config.GlobalConfiguration) *number { return &o.Timeout }, int32Kind)},
	{"UpstreamHeaderTransform", dictionary(func(o *config.GlobalConfiguration) **dict { return &o.UpstreamHeaderTransform })},
}

var metadataFields = []field[config.MetadataOptions]{
	{"CurrentCulture", str(func(o *config.MetadataOptions) *line { return &o.CurrentCulture })},
	{"NumberStyle", str(func(o *config.MetadataOptions) *line { return &o.NumberStyle })},
	{"Separators", array(func(o *config.MetadataOptions) **texts { return &o.Separators })},
	{"StringSplitOption", str(func(o *config.MetadataOptions) *line { return &o.StringSplitOption })},
	{"TrimChars", chars(func(o *config.MetadataOptions) **texts { return &o.TrimChars })},
}

var discoveryFields = []field[config.ServiceDiscoveryProvider]{
	{"Scheme", str(func(o *config.ServiceDiscoveryProvider) *line { return &o.Scheme })},
	{"Host", str(func(o *config.ServiceDiscoveryProvider) *line { return &o.Host })},
	{"Port", required(func(o *config.ServiceDiscoveryProvider) *number { return &o.Port }, int32Kind)},
	{"Type", str(func(o *config.ServiceDiscoveryProvider) *line { return &o.Type })},
	{"Token", str(func(o *config.ServiceDiscoveryProvider) *line { return &o.Token })},
	{"ConfigurationKey", str(func(o *config.ServiceDiscoveryProvider) *line { return &o.ConfigurationKey })},
	{"PollingInterval", required(func(o *config.ServiceDiscoveryProvider) *number { return &o.PollingInterval },
		int32Kind)},
	{"Namespace", str(func(o *config.ServiceDiscoveryProvider) *line { return &o.Namespace })},
}

// The global variants of sections: RouteKeys, then what routes have.
var (
	globalAuthenticationTable = newTable(func(o *config.GlobalAuthenticationOptions) *config.Section { return &o.Section },
		config.GlobalAuthenticationOptions{}, routeKeys(func(o *config.GlobalAuthenticationOptions) **texts { return &o.RouteKeys }),
		lift(func(o *config.GlobalAuthenticationOptions) *config.AuthenticationOptions {
			return &o.AuthenticationOptions
		}, authenticationFields))
	globalCacheTable = newTable(func(o *config.GlobalCacheOptions) *config.Section { return &o.Section },
		config.GlobalCacheOptions{}, routeKeys(func(o *config.GlobalCacheOptions) **texts { return &o.RouteKeys }),
		lift(func(o *config.GlobalCacheOptions) *config.CacheOptions { return &o.CacheOptions }, cacheFields))
	globalHttpHandlerTable = newTable(func(o *config.GlobalHttpHandlerOptions) *config.Section { return &o.Section },
		config.GlobalHttpHandlerOptions{}, routeKeys(func(o *config.GlobalHttpHandlerOptions) **texts { return &o.RouteKeys }),
		lift(func(o *config.GlobalHttpHandlerOptions) *config.HttpHandlerOptions { return &o.HttpHandlerOptions }, httpHandlerFields))
	globalLoadBalancerTable = newTable(func(o *config.GlobalLoadBalancerOptions) *config.Section { return &o.Section },
		config.GlobalLoadBalancerOptions{}, routeKeys(func(o *config.GlobalLoadBalancerOptions) **texts { return &o.RouteKeys }),
		lift(func(o *config.GlobalLoadBalancerOptions) *config.LoadBalancerOptions { return &o.LoadBalancerOptions }, loadBalancerFields))
	globalQoSTable = newTable(func(o *config.GlobalQoSOptions) *config.Section { return &o.Section },
		config.GlobalQoSOptions{}, routeKeys(func(o *config.GlobalQoSOptions) **texts { return &o.RouteKeys }),
		lift(func(o *config.GlobalQoSOptions) *config.QoSOptions { return &o.QoSOptions }, qosFields))
	globalRateLimitByHeaderTable = newTable(func(o *config.GlobalRateLimitByHeaderRule) *config.Section { return &o.Section },
		config.GlobalRateLimitByHeaderRule{},
		routeKeys(func(o *config.GlobalRateLimitByHeaderRule) **texts { return &o.RouteKeys }),
		lift(func(o *config.GlobalRateLimitByHeaderRule) *config.RateLimitByHeaderRule {
			return &o.RateLimitByHeaderRule
		},
			rateLimitByHeaderTable.fields))
)

func routeKeys[T any](at func(*T) **texts) []field[T] { return []field[T]{{"RouteKeys", set(at)}} }

// GlobalConfiguration and the sections that only it has. CurrentCulture is
// that of the process, which is the invariant one here.
var (
	metadataTable = newTable(func(o *config.MetadataOptions) *config.Section { return &o.Section },
		config.MetadataOptions{
			CurrentCulture:    byDefault(""),
			NumberStyle:       byDefault("Any"),
			Separators:        listByDefault(","),
			StringSplitOption: byDefault("None"),
			TrimChars:         listByDefault(" "),
		}, metadataFields)
	discoveryTable = newTable(func(o *config.ServiceDiscoveryProvider) *config.Section { return &o.Section },
		config.ServiceDiscoveryProvider{Port: byDefault[int32](0), PollingInterval: byDefault[int32](0)}, discoveryFields)
	globalTable = newTable(func(o *config.GlobalConfiguration) *config.Section { return &o.Section },
		config.GlobalConfiguration{
			AuthenticationOptions:    &globalAuthenticationTable.zero,
			HttpHandlerOptions:       &globalHttpHandlerTable.zero,
			MetadataOptions:          &metadataTable.zero,
			SecurityOptions:          &securityTable.zero,
			ServiceDiscoveryProvider: &discoveryTable.zero,
		}, globalFields,
		own(object(func(o *config.GlobalConfiguration) **config.GlobalResilience { return &o.Resilience },
			globalResilienceTable, nil)))
)
