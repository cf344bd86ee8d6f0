package model

import "slices"

// The types of rate limiting.
var (
	rateLimitByHeaderRule = Type{
		Name: "FileRateLimitByHeaderRule",
		Members: slices.Concat([]Member{
			{Name: "ClientIdHeader", Scalar: String},
			{Name: "ClientWhitelist", Shape: List, Scalar: String, Flags: Interface},
			{Name: "DisableRateLimitHeaders", Scalar: Bool, Flags: Nullable | Deprecated},
			{Name: "HttpStatusCode", Scalar: Int, Flags: Nullable | Deprecated},
			{Name: "QuotaExceededMessage", Scalar: String, Flags: Deprecated},
			{Name: "RateLimitCounterPrefix", Scalar: String, Flags: Deprecated},
		}, rateLimitRule),
	}
	rateLimiting = Type{
		Name: "FileRateLimiting",
		Members: slices.Concat([]Member{
			{Name: "ByHeader", Object: &rateLimitByHeaderRule},
			{Name: "ByMethod", Object: &globalRateLimit},
			{Name: "ByIP", Object: &rateLimitByIPRule},
			{Name: "ByAspNet", Object: &rateLimitByAspNetRule},
			{Name: "Metadata", Shape: Dictionary, Scalar: String, Flags: Interface},
		}, rateLimitRule),
	}
	globalRateLimit = Type{
		Name: "FileGlobalRateLimit",
		Members: slices.Concat([]Member{
			{Name: "Name", Scalar: String},
			{Name: "Pattern", Scalar: String},
			{Name: "RouteKeys", Shape: Set, Scalar: String},
			{Name: "Methods", Shape: Set, Scalar: String},
		}, rateLimitRule),
	}
	rateLimitByIPRule = Type{
		Name: "FileRateLimitByIpRule",
		Members: slices.Concat([]Member{
			{Name: "IPWhitelist", Shape: List, Scalar: String, Flags: Interface},
		}, rateLimitRule),
	}
	rateLimitByAspNetRule = Type{
		Name: "FileRateLimitByAspNetRule",
		Members: []Member{
			{Name: "Policy", Scalar: String},
		},
	}
)

// rateLimitRule are the members of FileRateLimitRule.
var rateLimitRule = []Member{
	{Name: "EnableRateLimiting", Scalar: Bool, Flags: Nullable},
	{Name: "EnableHeaders", Scalar: Bool, Flags: Nullable},
	{Name: "Limit", Scalar: Long, Flags: Nullable},
	{Name: "Period", Scalar: String},
	{Name: "PeriodTimespan", Scalar: Double, Flags: Nullable | Deprecated},
	{Name: "Wait", Scalar: String},
	{Name: "StatusCode", Scalar: Int, Flags: Nullable},
	{Name: "QuotaMessage", Scalar: String},
	{Name: "KeyPrefix", Scalar: String},
}
