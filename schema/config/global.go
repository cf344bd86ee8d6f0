package config

// GlobalConfiguration is FileGlobalConfiguration.
type GlobalConfiguration struct {
	Section

	AuthenticationOptions       *GlobalAuthenticationOptions
	BaseUrl                     Value[string]
	CacheOptions                *GlobalCacheOptions
	DownstreamHeaderTransform   *Dict
	DownstreamHttpVersion       Value[string]
	DownstreamHttpVersionPolicy Value[string]
	DownstreamScheme            Value[string]
	HttpHandlerOptions          *GlobalHttpHandlerOptions
	LoadBalancerOptions         *GlobalLoadBalancerOptions
	Metadata                    *Dict
	MetadataOptions             *MetadataOptions
	QoSOptions                  *GlobalQoSOptions
	RateLimitOptions            *GlobalRateLimitByHeaderRule
	RequestIdKey                Value[string]
	SecurityOptions             *SecurityOptions
	ServiceDiscoveryProvider    *ServiceDiscoveryProvider
	// Timeout is in seconds.
	Timeout                 Value[int32]
	UpstreamHeaderTransform *Dict

	// Resilience is ResilienceOptions, which only margay reads.
	Resilience *GlobalResilience
}

// GlobalAuthenticationOptions is FileGlobalAuthenticationOptions.
type GlobalAuthenticationOptions struct {
	RouteKeys *List[string]
	AuthenticationOptions
}

// GlobalCacheOptions is FileGlobalCacheOptions.
type GlobalCacheOptions struct {
	RouteKeys *List[string]
	CacheOptions
}

// GlobalHttpHandlerOptions is FileGlobalHttpHandlerOptions.
type GlobalHttpHandlerOptions struct {
	RouteKeys *List[string]
	HttpHandlerOptions
}

// GlobalLoadBalancerOptions is FileGlobalLoadBalancerOptions.
type GlobalLoadBalancerOptions struct {
	RouteKeys *List[string]
	LoadBalancerOptions
}

// GlobalRateLimitByHeaderRule is FileGlobalRateLimitByHeaderRule.
type GlobalRateLimitByHeaderRule struct {
	RouteKeys *List[string]
	RateLimitByHeaderRule
}

// MetadataOptions is FileMetadataOptions: how metadata values are read.
type MetadataOptions struct {
	Section
	CurrentCulture    Value[string]
	NumberStyle       Value[string]
	Separators        *List[string]
	StringSplitOption Value[string]
	// TrimChars are single characters.
	TrimChars *List[string]
}

// ServiceDiscoveryProvider is FileServiceDiscoveryProvider.
type ServiceDiscoveryProvider struct {
	Section
	Scheme           Value[string]
	Host             Value[string]
	Port             Value[int32]
	Type             Value[string]
	Token            Value[string]
	ConfigurationKey Value[string]
	// PollingInterval is in milliseconds.
	PollingInterval Value[int32]
	Namespace       Value[string]
}
