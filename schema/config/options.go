package config

// AuthenticationOptions is FileAuthenticationOptions.
type AuthenticationOptions struct {
	Section
	AllowedScopes  *List[string]
	AllowAnonymous Value[bool]
	// AuthenticationProviderKey is deprecated and comes first in the list of
	// schemes.
	AuthenticationProviderKey  Value[string]
	AuthenticationProviderKeys *List[string]
	// HasScheme and HasScope can't be set, yet .NET converts what is written.
	HasScheme Value[bool]
	HasScope  Value[bool]
}

// CacheOptions is FileCacheOptions.
type CacheOptions struct {
	Section
	// TtlSeconds is in seconds; 0 or less: no caching.
	TtlSeconds           Value[int32]
	Region               Value[string]
	Header               Value[string]
	EnableContentHashing Value[bool]
}

// HttpHandlerOptions is FileHttpHandlerOptions.
type HttpHandlerOptions struct {
	Section
	AllowAutoRedirect               Value[bool]
	MaxConnectionsPerServer         Value[int32]
	PooledConnectionLifetimeSeconds Value[int32]
	UseCookieContainer              Value[bool]
	UseProxy                        Value[bool]
	UseTracing                      Value[bool]
}

// LoadBalancerOptions is FileLoadBalancerOptions.
type LoadBalancerOptions struct {
	Section
	// Expiry is in milliseconds.
	Expiry Value[int32]
	Key    Value[string]
	Type   Value[string]
}

// SecurityOptions is FileSecurityOptions: which addresses may call.
type SecurityOptions struct {
	Section
	IPAllowedList             *List[string]
	IPBlockedList             *List[string]
	ExcludeAllowedFromBlocked Value[bool]
}
