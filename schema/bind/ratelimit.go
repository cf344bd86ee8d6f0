package bind

import "github.com/margay-dev/margay/schema/config"

var rateLimitRuleFields = []field[config.RateLimitRule]{
	{"EnableRateLimiting", nullable(func(o *config.RateLimitRule) *flag { return &o.EnableRateLimiting }, boolKind)},
	{"EnableHeaders", nullable(func(o *config.RateLimitRule) *flag { return &o.EnableHeaders }, boolKind)},
	{"Limit", nullable(func(o *config.RateLimitRule) *long { return &o.Limit }, int64Kind)},
	{"Period", str(func(o *config.RateLimitRule) *line { return &o.Period })},
	{"PeriodTimespan", nullable(func(o *config.RateLimitRule) *ratio { return &o.PeriodTimespan }, doubleKind)},
	{"Wait", str(func(o *config.RateLimitRule) *line { return &o.Wait })},
	{"StatusCode", nullable(func(o *config.RateLimitRule) *number { return &o.StatusCode }, int32Kind)},
	{"QuotaMessage", str(func(o *config.RateLimitRule) *line { return &o.QuotaMessage })},
	{"KeyPrefix", str(func(o *config.RateLimitRule) *line { return &o.KeyPrefix })},
}

var rateLimitByHeaderFields = []field[config.RateLimitByHeaderRule]{
	{"ClientIdHeader", str(func(o *config.RateLimitByHeaderRule) *line { return &o.ClientIdHeader })},
	{"ClientWhitelist", list(func(o *config.RateLimitByHeaderRule) **texts { return &o.ClientWhitelist })},
	{"DisableRateLimitHeaders", nullable(func(o *config.RateLimitByHeaderRule) *flag { return &o.DisableRateLimitHeaders },
		boolKind)},
	{"HttpStatusCode", nullable(func(o *config.RateLimitByHeaderRule) *number { return &o.HttpStatusCode }, int32Kind)},
	{"QuotaExceededMessage", str(func(o *config.RateLimitByHeaderRule) *line { return &o.QuotaExceededMessage })},
	{"RateLimitCounterPrefix", str(func(o *config.RateLimitByHeaderRule) *line { return &o.RateLimitCounterPrefix })},
}

var rateLimitingFields = []field[config.RateLimiting]{
	{"ByHeader", object(func(o *config.RateLimiting) **config.RateLimitByHeaderRule { return &o.ByHeader },
		rateLimitByHeaderTable, nil)},
	{"ByMethod", object(func(o *config.RateLimiting) **config.GlobalRateLimit { return &o.ByMethod },
		globalRateLimitTable, nil)},
	{"ByIP", object(func(o *config.RateLimiting) **config.RateLimitByIPRule { return &o.ByIP },
		rateLimitByIPTable, nil)},
	{"ByAspNet", object(func(o *config.RateLimiting) **config.RateLimitByAspNetRule { return &o.ByAspNet },
		rateLimitByAspNetTable, nil)},
	{"Metadata", dictionary(func(o *config.RateLimiting) **dict { return &o.Metadata })},
}

var globalRateLimitFields = []field[config.GlobalRateLimit]{
	{"Name", str(func(o *config.GlobalRateLimit) *line { return &o.Name })},
	{"Pattern", str(func(o *config.GlobalRateLimit) *line { return &o.Pattern })},
	{"RouteKeys", set(func(o *config.GlobalRateLimit) **texts { return &o.RouteKeys })},
	{"Methods", set(func(o *config.GlobalRateLimit) **texts { return &o.Methods })},
}

var rateLimitByIPFields = []field[config.RateLimitByIPRule]{
	{"IPWhitelist", list(func(o *config.RateLimitByIPRule) **texts { return &o.IPWhitelist })},
}

var rateLimitByAspNetFields = []field[config.RateLimitByAspNetRule]{
	{"Policy", str(func(o *config.RateLimitByAspNetRule) *line { return &o.Policy })},
}

// The classes of rate limiting; all have the members of FileRateLimitRule last.
var (
	rateLimitByHeaderTable = newTable(func(o *config.RateLimitByHeaderRule) *config.Section { return &o.Section },
		config.RateLimitByHeaderRule{}, rateLimitByHeaderFields,
		lift(func(o *config.RateLimitByHeaderRule) *config.RateLimitRule { return &o.RateLimitRule }, rateLimitRuleFields))
	rateLimitingTable = newTable(func(o *config.RateLimiting) *config.Section { return &o.Section },
		config.RateLimiting{}, rateLimitingFields,
		lift(func(o *config.RateLimiting) *config.RateLimitRule { return &o.RateLimitRule }, rateLimitRuleFields))
	globalRateLimitTable = newTable(func(o *config.GlobalRateLimit) *config.Section { return &o.Section },
		config.GlobalRateLimit{}, globalRateLimitFields,
		lift(func(o *config.GlobalRateLimit) *config.RateLimitRule { return &o.RateLimitRule }, rateLimitRuleFields))
	rateLimitByIPTable = newTable(func(o *config.RateLimitByIPRule) *config.Section { return &o.Section },
		config.RateLimitByIPRule{}, rateLimitByIPFields,
		lift(func(o *config.RateLimitByIPRule) *config.RateLimitRule { return &o.RateLimitRule }, rateLimitRuleFields))
	rateLimitByAspNetTable = newTable(func(o *config.RateLimitByAspNetRule) *config.Section { return &o.Section },
		config.RateLimitByAspNetRule{}, rateLimitByAspNetFields)
)
