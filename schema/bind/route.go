package bind

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/syntax"
)

var routeBaseFields = []field[config.RouteBase]{
	{"AuthenticationOptions", object(func(o *config.RouteBase) **config.AuthenticationOptions { return &o.AuthenticationOptions },
		authenticationTable, authenticationSlab)},
	{"CacheOptions", object(func(o *config.RouteBase) **config.CacheOptions { return &o.CacheOptions },
		cacheTable, cacheSlab)},
	{"DownstreamHttpVersionPolicy", str(func(o *config.RouteBase) *line { return &o.DownstreamHttpVersionPolicy })},
	{"DownstreamHttpVersion", str(func(o *config.RouteBase) *line { return &o.DownstreamHttpVersion })},
	{"DownstreamScheme", str(func(o *config.RouteBase) *line { return &o.DownstreamScheme })},
	{"HttpHandlerOptions", object(func(o *config.RouteBase) **config.HttpHandlerOptions { return &o.HttpHandlerOptions },
		httpHandlerTable, handlerSlab)},
	{"Key", str(func(o *config.RouteBase) *line { return &o.Key })},
	{"LoadBalancerOptions", object(func(o *config.RouteBase) **config.LoadBalancerOptions { return &o.LoadBalancerOptions },
		loadBalancerTable, balancerSlab)},
	{"Metadata", dictionary(func(o *config.RouteBase) **dict { return &o.Metadata })},
	{"QoSOptions", object(func(o *config.RouteBase) **config.QoSOptions { return &o.QoSOptions },
		qosTable, qosSlab)},
	{"RateLimitOptions", object(func(o *config.RouteBase) **config.RateLimitByHeaderRule { return &o.RateLimitOptions },
		rateLimitByHeaderTable, rateLimitSlab)},
	{"RateLimiting", object(func(o *config.RouteBase) **config.RateLimiting { return &o.RateLimiting },
		rateLimitingTable, nil)},
	{"ServiceName", str(func(o *config.RouteBase) *line { return &o.ServiceName })},
	{"ServiceNamespace", str(func(o *config.RouteBase) *line { return &o.ServiceNamespace })},
	{"Timeout", nullable(func(o *config.RouteBase) *number { return &o.Timeout }, int32Kind)},
}

var routeFields = []field[config.Route]{
	{"AddClaimsToRequest", dictionary(func(o *config.Route) **dict { return &o.AddClaimsToRequest })},
	{"AddHeadersToRequest", dictionary(func(o *config.Route) **dict { return &o.AddHeadersToRequest })},
	{"AddQueriesToRequest", dictionary(func(o *config.Route) **dict { return &o.AddQueriesToRequest })},
	{"ChangeDownstreamPathTemplate", dictionary(func(o *config.Route) **dict { return &o.ChangeDownstreamPathTemplate })},
	{"DangerousAcceptAnyServerCertificateValidator", required(func(o *config.Route) *flag { return &o.DangerousAcceptAnyServerCertificateValidator },
		boolKind)},
	{"DelegatingHandlers", list(func(o *config.Route) **texts { return &o.DelegatingHandlers })},
	{"DownstreamHeaderTransform", dictionary(func(o *config.Route) **dict { return &o.DownstreamHeaderTransform })},
	{"DownstreamHostAndPorts", elements(func(o *config.Route) *[]config.HostAndPort { return &o.DownstreamHostAndPorts },
		hostElement)},
	{"DownstreamHttpMethod", str(func(o *config.Route) *line { return &o.DownstreamHttpMethod })},
	{"DownstreamPathTemplate", str(func(o *config.Route) *line { return &o.DownstreamPathTemplate })},
	{"FileCacheOptions", object(func(o *config.Route) **config.CacheOptions { return &o.FileCacheOptions },
		cacheTable, cacheSlab)},
	{"Priority", required(func(o *config.Route) *number { return &o.Priority }, int32Kind)},
	{"RequestIdKey", str(func(o *config.Route) *line { return &o.RequestIdKey })},
	{"RouteClaimsRequirement", dictionary(func(o *config.Route) **dict { return &o.RouteClaimsRequirement })},
	{"RouteIsCaseSensitive", required(func(o *config.Route) *flag { return &o.RouteIsCaseSensitive }, boolKind)},
	{"SecurityOptions", object(func(o *config.Route) **config.SecurityOptions { return &o.SecurityOptions },
		securityTable, securitySlab)},
	{"UpstreamHeaderTemplates", dictionary(func(o *config.Route) **dict { return &o.UpstreamHeaderTemplates })},
	{"UpstreamHeaderTransform", dictionary(func(o *config.Route) **dict { return &o.UpstreamHeaderTransform })},
	{"UpstreamHost", str(func(o *config.Route) *line { return &o.UpstreamHost })},
	{"UpstreamHttpMethod", set(func(o *config.Route) **texts { return &o.UpstreamHttpMethod })},
	{"UpstreamPathTemplate", str(func(o *config.Route) *line { return &o.UpstreamPathTemplate })},
}

var dynamicRouteFields = []field[config.DynamicRoute]{
	{"RateLimitRule", object(func(o *config.DynamicRoute) **config.RateLimitByHeaderRule { return &o.RateLimitRule },
		rateLimitByHeaderTable, rateLimitSlab)},
}

var hostFields = []field[config.HostAndPort]{
	{"Host", str(func(o *config.HostAndPort) *line { return &o.Host })},
	{"Port", required(func(o *config.HostAndPort) *number { return &o.Port }, int32Kind)},
}

var aggregateFields = []field[config.AggregateRoute]{
	{"Aggregator", str(func(o *config.AggregateRoute) *line { return &o.Aggregator })},
	{"Priority", required(func(o *config.AggregateRoute) *number { return &o.Priority }, int32Kind)},
	{"RouteIsCaseSensitive", required(func(o *config.AggregateRoute) *flag { return &o.RouteIsCaseSensitive },
		boolKind)},
	{"RouteKeys", set(func(o *config.AggregateRoute) **texts { return &o.RouteKeys })},
	{"RouteKeysConfig", elements(func(o *config.AggregateRoute) *[]config.AggregateRouteConfig { return &o.RouteKeysConfig },
		aggregateConfigElement)},
	{"UpstreamHeaderTemplates", dictionary(func(o *config.AggregateRoute) **dict { return &o.UpstreamHeaderTemplates })},
	{"UpstreamHost", str(func(o *config.AggregateRoute) *line { return &o.UpstreamHost })},
	{"UpstreamHttpMethod", set(func(o *config.AggregateRoute) **texts { return &o.UpstreamHttpMethod })},
	{"UpstreamPathTemplate", str(func(o *config.AggregateRoute) *line { return &o.UpstreamPathTemplate })},
}

var aggregateConfigFields = []field[config.AggregateRouteConfig]{
	{"RouteKey", str(func(o *config.AggregateRouteConfig) *line { return &o.RouteKey })},
	{"Parameter", str(func(o *config.AggregateRouteConfig) *line { return &o.Parameter })},
	{"JsonPath", str(func(o *config.AggregateRouteConfig) *line { return &o.JsonPath })},
}

// The classes of routes. Members of FileRouteBase come after those of the
// class itself; ResilienceOptions, which the program does not know, is last.
var (
	routeTable = newTable(func(o *config.Route) *config.Section { return &o.Section },
		config.Route{
			DangerousAcceptAnyServerCertificateValidator: byDefault(false),
			DelegatingHandlers:                           emptyList,
			Priority:                                     byDefault[int32](1),
			RouteIsCaseSensitive:                         byDefault(false),
			SecurityOptions:                              &securityTable.zero,
			UpstreamHttpMethod:                           emptyList,
		}, routeFields,
		lift(func(o *config.Route) *config.RouteBase { return &o.RouteBase }, routeBaseFields),
		own(object(func(o *config.Route) **config.Resilience { return &o.Resilience }, resilienceTable, resilienceSlab)))
	dynamicRouteTable = newTable(func(o *config.DynamicRoute) *config.Section { return &o.Section },
		config.DynamicRoute{}, dynamicRouteFields,
		lift(func(o *config.DynamicRoute) *config.RouteBase { return &o.RouteBase }, routeBaseFields),
		own(object(func(o *config.DynamicRoute) **config.Resilience { return &o.Resilience }, resilienceTable, resilienceSlab)))
	hostTable = newTable(func(o *config.HostAndPort) *config.Section { return &o.Section },
		config.HostAndPort{Port: byDefault[int32](0)}, hostFields)
	aggregateTable = newTable(func(o *config.AggregateRoute) *config.Section { return &o.Section },
		config.AggregateRoute{
			Priority:             byDefault[int32](1),
			RouteIsCaseSensitive: byDefault(false),
			RouteKeys:            emptyList,
			UpstreamHttpMethod:   listByDefault("GET"),
		}, aggregateFields)
	aggregateConfigTable = newTable(func(o *config.AggregateRouteConfig) *config.Section { return &o.Section },
		config.AggregateRouteConfig{}, aggregateConfigFields)
)

// The elements of the lists of objects.
var (
	routeElement = element[config.Route]{
		table: routeTable, place: func(o *config.Route, i int) { o.Index = i },
	}
	dynamicRouteElement = element[config.DynamicRoute]{
		table: dynamicRouteTable, place: func(o *config.DynamicRoute, i int) { o.Index = i },
	}
	aggregateElement = element[config.AggregateRoute]{
		table: aggregateTable, place: func(o *config.AggregateRoute, i int) { o.Index = i },
	}
	hostElement = element[config.HostAndPort]{
		table: hostTable, slab: func(s *slabs) *slab[config.HostAndPort] { return &s.hosts },
	}
	aggregateConfigElement = element[config.AggregateRouteConfig]{
		table: aggregateConfigTable, construct: constructAggregateConfig,
	}
)

// constructAggregateConfig binds an AggregateRouteConfig through its only
// constructor, AggregateRouteConfig(routeKey, jsonPath, parameter): each
// parameter needs a value that is not null, "" included.
func constructAggregateConfig(b *binder, into *config.AggregateRouteConfig, id syntax.ID) *config.BindError {
	if err := aggregateConfigTable.bind(b, into, id); err != nil {
		return err
	}
	for _, parameter := range [...]struct {
		name  string
		value line
	}{{"routeKey", into.RouteKey}, {"jsonPath", into.JsonPath}, {"parameter", into.Parameter}} {
		if !parameter.value.IsSet() {
			return b.noParameter(id, "Ocelot.Configuration.File.AggregateRouteConfig", parameter.name)
		}
	}
	return nil
}
