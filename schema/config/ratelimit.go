package config

// RateLimitRule is FileRateLimitRule, what all rate limiting has in common.
type RateLimitRule struct {
	EnableRateLimiting Value[bool]
	EnableHeaders      Value[bool]
	Limit              Value[int64]
	Period             Value[string]
	// PeriodTimespan is in seconds; deprecated, wins over Wait.
	PeriodTimespan Value[float64]
	Wait           Value[string]
	StatusCode     Value[int32]
	QuotaMessage   Value[string]
	KeyPrefix      Value[string]
}

// RateLimitByHeaderRule is FileRateLimitByHeaderRule.
type RateLimitByHeaderRule struct {
	Section
	ClientIdHeader  Value[string]
	ClientWhitelist *List[string]
	// The next four are deprecated and win over EnableHeaders, StatusCode,
	// QuotaMessage and KeyPrefix.
	DisableRateLimitHeaders Value[bool]
	HttpStatusCode          Value[int32]
	QuotaExceededMessage    Value[string]
	RateLimitCounterPrefix  Value[string]
	RateLimitRule
}

// RateLimiting is FileRateLimiting, which nothing in Ocelot 25.0 reads.
type RateLimiting struct {
	Section
	ByHeader *RateLimitByHeaderRule
	ByMethod *GlobalRateLimit
	ByIP     *RateLimitByIPRule
	ByAspNet *RateLimitByAspNetRule
	Metadata *Dict
	RateLimitRule
}

// GlobalRateLimit is FileGlobalRateLimit.
type GlobalRateLimit struct {
	Section
	Name      Value[string]
	Pattern   Value[string]
	RouteKeys *List[string]
	Methods   *List[string]
	RateLimitRule
}

// RateLimitByIPRule is FileRateLimitByIpRule.
type RateLimitByIPRule struct {
	Section
	IPWhitelist *List[string]
	RateLimitRule
}

// RateLimitByAspNetRule is FileRateLimitByAspNetRule.
type RateLimitByAspNetRule struct {
	Section
	Policy Value[string]
}
