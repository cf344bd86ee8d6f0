package emit

import (
	"math"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// rateLimit merges RateLimitOptions, nil where nothing is limited. A global
// section that says EnableRateLimiting false switches off the routes' own
// limits too.
func (l *lowering) rateLimit(route *normalize.Route) *plan.RateLimit {
	own := ownRateLimit(route)
	var global *config.RateLimitByHeaderRule
	if l.groups.has(&l.groups.rateLimit, route) {
		global = &l.global.RateLimitOptions.RateLimitByHeaderRule
	}
	facts := l.Profile.Facts()
	if own == nil && (global == nil || facts.LimitsAsked) {
		return nil
	}
	m := limitMerge{own: orEmpty(own), global: orEmpty(global), globalFirst: l.Profile.Divergences().Has(profile.MergeBeforeAlias)}
	if !m.enabled() {
		return nil
	}
	period := textOr(m.own.Period.Or(m.global.Period), "1s")
	return &plan.RateLimit{
		Limit:         max(m.own.Limit.Or(m.global.Limit).V, -m.own.Limit.Or(m.global.Limit).V),
		Period:        milliseconds(period),
		PeriodText:    period,
		Wait:          m.wait(),
		ClientHeader:  textOr(m.own.ClientIdHeader.Or(m.global.ClientIdHeader), facts.ClientHeader),
		ExemptClients: namesOf(unlessEmpty(m.own.ClientWhitelist, m.global.ClientWhitelist)),
		StatusCode:    m.statusCode(),
		Message: textOr(pick(&m, m.own.QuotaExceededMessage, m.global.QuotaExceededMessage, m.own.QuotaMessage, m.global.QuotaMessage),
			"API calls quota exceeded! Maximum admitted {0} per {1}."),
		Headers: m.headers(),
		KeyPrefix: textOr(pick(&m, m.own.RateLimitCounterPrefix, m.global.RateLimitCounterPrefix, m.own.KeyPrefix, m.global.KeyPrefix),
			"Ocelot.RateLimiting"),
		Share: route.LoadBalancerKey(),
	}
}

// ownRateLimit returns a route's section; the deprecated RateLimitRule of a
// dynamic route wins.
func ownRateLimit(route *normalize.Route) *config.RateLimitByHeaderRule {
	switch {
	case route.Kind == normalize.Dynamic && route.Dynamic.RateLimitRule != nil:
		return route.Dynamic.RateLimitRule
	case route.Base() != nil:
		return route.Base().RateLimitOptions
	}
	return nil
}

// limitMerge is one merge of two sections.
type limitMerge struct {
	own, global *config.RateLimitByHeaderRule
	// globalFirst says that a deprecated name of the global section beats a
	// route's new one, as for QoS.
	globalFirst bool
}

func pick[T any](m *limitMerge, ownOld, globalOld, ownNew, globalNew config.Value[T]) config.Value[T] {
	if m.globalFirst {
		return ownOld.Or(globalOld).Or(ownNew).Or(globalNew)
	}
	return ownOld.Or(ownNew).Or(globalOld).Or(globalNew)
}

func (m *limitMerge) enabled() bool {
	if on := m.global.EnableRateLimiting; on.IsSet() && !on.V {
		return false
	}
	on := m.own.EnableRateLimiting
	return !on.IsSet() || on.V
}

func (m *limitMerge) statusCode() int {
	code := pick(m, m.own.HttpStatusCode, m.global.HttpStatusCode, m.own.StatusCode, m.global.StatusCode)
	if !code.IsSet() {
		return 429
	}
	return int(code.V)
}

func (m *limitMerge) headers() bool {
	on := pick(m, inverted(m.own.DisableRateLimitHeaders), inverted(m.global.DisableRateLimitHeaders), m.own.EnableHeaders, m.global.EnableHeaders)
	return !on.IsSet() || on.V
}

func inverted(v config.Value[bool]) config.Value[bool] {
	v.V = !v.V
	return v
}

// wait reads PeriodTimespan, which is in seconds, or Wait.
func (m *limitMerge) wait() plan.Millis {
	seconds := func(v config.Value[float64]) config.Value[plan.Millis] {
		return config.Value[plan.Millis]{V: wholeMillis(v.V * 1000), Origin: v.Origin}
	}
	text := func(v config.Value[string]) config.Value[plan.Millis] {
		return config.Value[plan.Millis]{V: milliseconds(orText(v.V, "0ms")), Origin: v.Origin}
	}
	return pick(m, seconds(m.own.PeriodTimespan), seconds(m.global.PeriodTimespan), text(m.own.Wait), text(m.global.Wait)).V
}

// unreadable is a time that the plan's check refuses.
const unreadable = plan.Millis(-1)

// milliseconds reads a time such as "500ms", "1s", "5m", "2h", "1d"; without a
// unit it is milliseconds. Of any other text it returns unreadable: Ocelot
// throws at the first request.
func milliseconds(text string) plan.Millis {
	units := []struct {
		suffix string
		factor float64
	}{{"ms", 1}, {"s", 1000}, {"m", 60_000}, {"h", 3_600_000}, {"d", 86_400_000}, {"", 1}}
	text = strings.ToLower(strings.TrimSpace(text))
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		if err != nil {
			return unreadable
		}
		return wholeMillis(n * u.factor)
	}
	return unreadable
}

func wholeMillis(ms float64) plan.Millis {
	if math.IsNaN(ms) || ms < 0 || ms > float64(plan.MaxMillis) {
		return unreadable
	}
	return plan.Millis(ms)
}

func textOr(v config.Value[string], other string) string { return unlessBlank(v.V, other) }

func orEmpty(o *config.RateLimitByHeaderRule) *config.RateLimitByHeaderRule {
	if o == nil {
		return &config.RateLimitByHeaderRule{}
	}
	return o
}
