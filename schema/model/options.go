package model

// The types of the sections of routes.
var (
	authenticationOptions = Type{
		Name: "FileAuthenticationOptions",
		Members: []Member{
			{Name: "AllowedScopes", Shape: List, Scalar: String},
			{Name: "AllowAnonymous", Scalar: Bool, Flags: Nullable},
			{Name: "AuthenticationProviderKey", Scalar: String, Flags: Deprecated},
			{Name: "AuthenticationProviderKeys", Shape: Array, Scalar: String},
			{Name: "HasScheme", Scalar: Bool, Present: true, Initial: []string{"false"}, Flags: GetOnly},
			{Name: "HasScope", Scalar: Bool, Present: true, Initial: []string{"false"}, Flags: GetOnly},
		},
	}
	cacheOptions = Type{
		Name: "FileCacheOptions",
		Members: []Member{
			{Name: "TtlSeconds", Scalar: Int, Flags: Nullable},
			{Name: "Region", Scalar: String},
			{Name: "Header", Scalar: String},
			{Name: "EnableContentHashing", Scalar: Bool, Flags: Nullable},
		},
	}
	httpHandlerOptions = Type{
		Name: "FileHttpHandlerOptions",
		Members: []Member{
			{Name: "AllowAutoRedirect", Scalar: Bool, Flags: Nullable},
			{Name: "MaxConnectionsPerServer", Scalar: Int, Flags: Nullable},
			{Name: "PooledConnectionLifetimeSeconds", Scalar: Int, Flags: Nullable},
			{Name: "UseCookieContainer", Scalar: Bool, Flags: Nullable},
			{Name: "UseProxy", Scalar: Bool, Flags: Nullable},
			{Name: "UseTracing", Scalar: Bool, Flags: Nullable},
		},
	}
	loadBalancerOptions = Type{
		Name: "FileLoadBalancerOptions",
		Members: []Member{
			{Name: "Expiry", Scalar: Int, Flags: Nullable},
			{Name: "Key", Scalar: String},
			{Name: "Type", Scalar: String},
		},
	}
	qosOptions = Type{
		Name: "FileQoSOptions",
		Members: []Member{
			{Name: "DurationOfBreak", Scalar: Int, Flags: Nullable | Deprecated},
			{Name: "BreakDuration", Scalar: Int, Flags: Nullable},
			{Name: "ExceptionsAllowedBeforeBreaking", Scalar: Int, Flags: Nullable | Deprecated},
			{Name: "MinimumThroughput", Scalar: Int, Flags: Nullable},
			{Name: "FailureRatio", Scalar: Double, Flags: Nullable},
			{Name: "SamplingDuration", Scalar: Int, Flags: Nullable},
			{Name: "TimeoutValue", Scalar: Int, Flags: Nullable | Deprecated},
			{Name: "Timeout", Scalar: Int, Flags: Nullable},
		},
	}
	securityOptions = Type{
		Name: "FileSecurityOptions",
		Members: []Member{
			{Name: "IPAllowedList", Shape: List, Scalar: String, Present: true},
			{Name: "IPBlockedList", Shape: List, Scalar: String, Present: true},
			{Name: "ExcludeAllowedFromBlocked", Scalar: Bool, Present: true, Initial: []string{"false"}},
		},
	}
)
