package config

// RouteBase is FileRouteBase, what static and dynamic routes have in common.
type RouteBase struct {
	Section
	// Index is the element's place in its list as written, dropped elements
	// counted.
	Index int

	AuthenticationOptions       *AuthenticationOptions
	CacheOptions                *CacheOptions
	DownstreamHttpVersionPolicy Value[string]
	DownstreamHttpVersion       Value[string]
	DownstreamScheme            Value[string]
	HttpHandlerOptions          *HttpHandlerOptions
	Key                         Value[string]
	LoadBalancerOptions         *LoadBalancerOptions
	Metadata                    *Dict
	QoSOptions                  *QoSOptions
	RateLimitOptions            *RateLimitByHeaderRule
	RateLimiting                *RateLimiting
	ServiceName                 Value[string]
	ServiceNamespace            Value[string]
	// Timeout is in seconds.
	Timeout Value[int32]

	// Resilience is ResilienceOptions, which only margay reads.
	Resilience *Resilience
}

// Route is FileRoute, a static route.
type Route struct {
	RouteBase

	AddClaimsToRequest                           *Dict
	AddHeadersToRequest                          *Dict
	AddQueriesToRequest                          *Dict
	ChangeDownstreamPathTemplate                 *Dict
	DangerousAcceptAnyServerCertificateValidator Value[bool]
	DelegatingHandlers                           *List[string]
	DownstreamHeaderTransform                    *Dict
	DownstreamHostAndPorts                       []HostAndPort
	DownstreamHttpMethod                         Value[string]
	DownstreamPathTemplate                       Value[string]
	FileCacheOptions                             *CacheOptions
	Priority                                     Value[int32]
	RequestIdKey                                 Value[string]
	RouteClaimsRequirement                       *Dict
	RouteIsCaseSensitive                         Value[bool]
	SecurityOptions                              *SecurityOptions
	UpstreamHeaderTemplates                      *Dict
	UpstreamHeaderTransform                      *Dict
	UpstreamHost                                 Value[string]
	UpstreamHttpMethod                           *List[string]
	UpstreamPathTemplate                         Value[string]
}

// DynamicRoute is FileDynamicRoute, a service that discovery routes to.
type DynamicRoute struct {
	RouteBase
	RateLimitRule *RateLimitByHeaderRule
}

// HostAndPort is FileHostAndPort.
type HostAndPort struct {
	Section
	Host Value[string]
	Port Value[int32]
}

// AggregateRoute is FileAggregateRoute: several routes answered as one.
type AggregateRoute struct {
	Section
	// Index is the element's place in its list as written.
	Index int

	Aggregator              Value[string]
	Priority                Value[int32]
	RouteIsCaseSensitive    Value[bool]
	RouteKeys               *List[string]
	RouteKeysConfig         []AggregateRouteConfig
	UpstreamHeaderTemplates *Dict
	UpstreamHost            Value[string]
	UpstreamHttpMethod      *List[string]
	UpstreamPathTemplate    Value[string]
}

// AggregateRouteConfig passes values of one answer to another route of an
// aggregate. All three members are required.
type AggregateRouteConfig struct {
	Section
	RouteKey  Value[string]
	Parameter Value[string]
	JsonPath  Value[string]
}
