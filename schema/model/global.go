package model

import "slices"

// The type of GlobalConfiguration and those that only it has.
var (
	globalConfiguration = Type{
		Name: "FileGlobalConfiguration",
		Members: []Member{
			{Name: "AuthenticationOptions", Object: &globalAuthenticationOptions, Present: true},
			{Name: "BaseUrl", Scalar: String},
			{Name: "CacheOptions", Object: &globalCacheOptions},
			{Name: "DownstreamHeaderTransform", Shape: Dictionary, Scalar: String, Present: true, Flags: Interface},
			{Name: "DownstreamHttpVersion", Scalar: String},
			{Name: "DownstreamHttpVersionPolicy", Scalar: String},
			{Name: "DownstreamScheme", Scalar: String},
			{Name: "HttpHandlerOptions", Object: &globalHttpHandlerOptions, Present: true},
			{Name: "LoadBalancerOptions", Object: &globalLoadBalancerOptions},
			{Name: "Metadata", Shape: Dictionary, Scalar: String, Flags: Interface},
			{Name: "MetadataOptions", Object: &metadataOptions, Present: true},
			{Name: "QoSOptions", Object: &globalQoSOptions},
			{Name: "RateLimitOptions", Object: &globalRateLimitByHeaderRule},
			{Name: "RequestIdKey", Scalar: String},
			{Name: "SecurityOptions", Object: &securityOptions, Present: true},
			{Name: "ServiceDiscoveryProvider", Object: &serviceDiscoveryProvider, Present: true},
			{Name: "Timeout", Scalar: Int, Flags: Nullable},
			{Name: "UpstreamHeaderTransform", Shape: Dictionary, Scalar: String, Present: true, Flags: Interface},
		},
	}
	globalAuthenticationOptions = Type{
		Name: "FileGlobalAuthenticationOptions",
		Members: slices.Concat([]Member{
			{Name: "RouteKeys", Shape: Set, Scalar: String},
		}, authenticationOptions.Members),
	}
	globalCacheOptions = Type{
		Name: "FileGlobalCacheOptions",
		Members: slices.Concat([]Member{
			{Name: "RouteKeys", Shape: Set, Scalar: String},
		}, cacheOptions.Members),
	}
	globalHttpHandlerOptions = Type{
		Name: "FileGlobalHttpHandlerOptions",
		Members: slices.Concat([]Member{
			{Name: "RouteKeys", Shape: Set, Scalar: String},
		}, httpHandlerOptions.Members),
	}
	globalLoadBalancerOptions = Type{
		Name: "FileGlobalLoadBalancerOptions",
		Members: slices.Concat([]Member{
			{Name: "RouteKeys", Shape: Set, Scalar: String},
		}, loadBalancerOptions.Members),
	}
	globalQoSOptions = Type{
		Name: "FileGlobalQoSOptions",
		Members: slices.Concat([]Member{
			{Name: "RouteKeys", Shape: Set, Scalar: String},
		}, qosOptions.Members),
	}
	globalRateLimitByHeaderRule = Type{
		Name: "FileGlobalRateLimitByHeaderRule",
		Members: slices.Concat([]Member{
			{Name: "RouteKeys", Shape: Set, Scalar: String},
		}, rateLimitByHeaderRule.Members),
	}
	metadataOptions = Type{
		Name: "FileMetadataOptions",
		Members: []Member{
			{Name: "CurrentCulture", Scalar: String, Present: true, Initial: []string{""}},
			{Name: "NumberStyle", Scalar: String, Present: true, Initial: []string{"Any"}},
			{Name: "Separators", Shape: Array, Scalar: String, Present: true, Initial: []string{","}},
			{Name: "StringSplitOption", Scalar: String, Present: true, Initial: []string{"None"}},
			{Name: "TrimChars", Shape: Array, Scalar: Char, Present: true, Initial: []string{" "}},
		},
	}
	serviceDiscoveryProvider = Type{
		Name: "FileServiceDiscoveryProvider",
		Members: []Member{
			{Name: "Scheme", Scalar: String},
			{Name: "Host", Scalar: String},
			{Name: "Port", Scalar: Int, Present: true, Initial: []string{"0"}},
			{Name: "Type", Scalar: String},
			{Name: "Token", Scalar: String},
			{Name: "ConfigurationKey", Scalar: String},
			{Name: "PollingInterval", Scalar: Int, Present: true, Initial: []string{"0"}},
			{Name: "Namespace", Scalar: String},
		},
	}
)
