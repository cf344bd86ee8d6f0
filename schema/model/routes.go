package model

import "slices"

// The types of routes.
var (
	configuration = Type{
		Name: "FileConfiguration",
		Members: []Member{
			{Name: "Routes", Shape: List, Object: &route, Present: true},
			{Name: "DynamicRoutes", Shape: List, Object: &dynamicRoute, Present: true},
			{Name: "Aggregates", Shape: List, Object: &aggregateRoute, Present: true},
			{Name: "GlobalConfiguration", Object: &globalConfiguration, Present: true},
		},
	}
	route = Type{
		Name: "FileRoute",
		Members: slices.Concat([]Member{
			{Name: "AddClaimsToRequest", Shape: Dictionary, Scalar: String, Present: true},
			{Name: "AddHeadersToRequest", Shape: Dictionary, Scalar: String, Present: true},
			{Name: "AddQueriesToRequest", Shape: Dictionary, Scalar: String, Present: true},
			{Name: "ChangeDownstreamPathTemplate", Shape: Dictionary, Scalar: String, Present: true},
			{Name: "DangerousAcceptAnyServerCertificateValidator", Scalar: Bool, Present: true, Initial: []string{"false"}},
			{Name: "DelegatingHandlers", Shape: List, Scalar: String, Present: true},
			{Name: "DownstreamHeaderTransform", Shape: Dictionary, Scalar: String, Present: true, Flags: Interface},
			{Name: "DownstreamHostAndPorts", Shape: List, Object: &hostAndPort, Present: true},
			{Name: "DownstreamHttpMethod", Scalar: String},
			{Name: "DownstreamPathTemplate", Scalar: String},
			{Name: "FileCacheOptions", Object: &cacheOptions, Flags: Deprecated},
			{Name: "Priority", Scalar: Int, Present: true, Initial: []string{"1"}},
			{Name: "RequestIdKey", Scalar: String},
			{Name: "RouteClaimsRequirement", Shape: Dictionary, Scalar: String, Present: true},
			{Name: "RouteIsCaseSensitive", Scalar: Bool, Present: true, Initial: []string{"false"}},
			{Name: "SecurityOptions", Object: &securityOptions, Present: true},
			{Name: "UpstreamHeaderTemplates", Shape: Dictionary, Scalar: String, Present: true, Flags: Interface},
			{Name: "UpstreamHeaderTransform", Shape: Dictionary, Scalar: String, Present: true, Flags: Interface},
			{Name: "UpstreamHost", Scalar: String},
			{Name: "UpstreamHttpMethod", Shape: Set, Scalar: String, Present: true},
			{Name: "UpstreamPathTemplate", Scalar: String},
		}, routeBase),
	}
	dynamicRoute = Type{
		Name: "FileDynamicRoute",
		Members: slices.Concat([]Member{
			{Name: "RateLimitRule", Object: &rateLimitByHeaderRule, Flags: Deprecated},
		}, routeBase),
	}
	hostAndPort = Type{
		Name: "FileHostAndPort",
		Members: []Member{
			{Name: "Host", Scalar: String},
			{Name: "Port", Scalar: Int, Present: true, Initial: []string{"0"}},
		},
	}
	aggregateRoute = Type{
		Name: "FileAggregateRoute",
		Members: []Member{
			{Name: "Aggregator", Scalar: String},
			{Name: "Priority", Scalar: Int, Present: true, Initial: []string{"1"}},
			{Name: "RouteIsCaseSensitive", Scalar: Bool, Present: true, Initial: []string{"false"}},
			{Name: "RouteKeys", Shape: Set, Scalar: String, Present: true},
			{Name: "RouteKeysConfig", Shape: List, Object: &aggregateRouteConfig, Present: true},
			{Name: "UpstreamHeaderTemplates", Shape: Dictionary, Scalar: String, Present: true, Flags: Interface},
			{Name: "UpstreamHost", Scalar: String},
			{Name: "UpstreamHttpMethod", Shape: Set, Scalar: String, Present: true, Initial: []string{"GET"}},
			{Name: "UpstreamPathTemplate", Scalar: String},
		},
	}
	aggregateRouteConfig = Type{
		Name: "AggregateRouteConfig",
		Members: []Member{
			{Name: "RouteKey", Scalar: String},
			{Name: "Parameter", Scalar: String},
			{Name: "JsonPath", Scalar: String},
		},
		Constructor: []string{"RouteKey", "JsonPath", "Parameter"},
	}
)

// routeBase are the members of FileRouteBase.
var routeBase = []Member{
	{Name: "AuthenticationOptions", Object: &authenticationOptions},
	{Name: "CacheOptions", Object: &cacheOptions},
	{Name: "DownstreamHttpVersionPolicy", Scalar: String},
	{Name: "DownstreamHttpVersion", Scalar: String},
	{Name: "DownstreamScheme", Scalar: String},
	{Name: "HttpHandlerOptions", Object: &httpHandlerOptions},
	{Name: "Key", Scalar: String},
	{Name: "LoadBalancerOptions", Object: &loadBalancerOptions},
	{Name: "Metadata", Shape: Dictionary, Scalar: String, Flags: Interface},
	{Name: "QoSOptions", Object: &qosOptions},
	{Name: "RateLimitOptions", Object: &rateLimitByHeaderRule},
	{Name: "RateLimiting", Object: &rateLimiting, Flags: NotInJSON},
	{Name: "ServiceName", Scalar: String},
	{Name: "ServiceNamespace", Scalar: String},
	{Name: "Timeout", Scalar: Int, Flags: Nullable},
}
