package startup

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// route runs RouteFluentValidator, in the order in which its lines come:
// V14, V01, V02, the templates, then V06 to V13.
func (v *validator) route(r *config.Route) {
	if r.QoSOptions != nil {
		v.provider(r.QoSOptions)
	}
	down, up := r.DownstreamPathTemplate, r.UpstreamPathTemplate
	if blank(down.V) {
		v.fail("V01", "route-invalid", "Downstream Path Template cannot be empty", place(down.Origin, r.Origin))
	}
	if blank(up.V) {
		v.fail("V02", "route-invalid", "Upstream Path Template cannot be empty", place(up.Origin, r.Origin))
	}
	if down.V != "" {
		v.leadingSlash("Downstream", down)
		v.doubleSlash("Downstream", down)
		v.scheme("Downstream", down)
	}
	if up.V != "" {
		v.doubleSlash("Upstream", up)
		v.leadingSlash("Upstream", up)
		v.scheme("Upstream", up)
	}
	v.rateLimit(r)
	if r.AuthenticationOptions != nil {
		v.authentication(r.AuthenticationOptions)
	}
	v.hosts(r)
	v.httpVersion(r)
	v.samePlaceholders(r)
}

// provider is V14: QoS that is active by itself, aliases included, needs a
// registered provider.
func (v *validator) provider(q *config.QoSOptions) {
	if v.profile.Provider != profile.None || !v.needsProvider(q) {
		return
	}
	v.fail("V14", "provider-missing", v.facts.Start.NoProvider, q.Origin)
}

// needsProvider is QoSOptions.UseQos of the section alone, deprecated names
// first; before 24.1 it takes both a breaker and a timeout.
func (v *validator) needsProvider(q *config.QoSOptions) bool {
	breaker := q.ExceptionsAllowedBeforeBreaking.Or(q.MinimumThroughput).V > 0
	timeout := q.TimeoutValue.Or(q.Timeout).V > 0
	if v.facts.Start.BothOptions {
		return breaker && timeout
	}
	return breaker || timeout || v.facts.RatioActivates && q.FailureRatio.V > 0
}

func (v *validator) leadingSlash(side string, t config.Value[string]) {
	if !strings.HasPrefix(t.V, "/") {
		v.fail("V03", "route-invalid", side+" Path Template "+t.V+" doesnt start with forward slash", t.Origin)
	}
}

func (v *validator) doubleSlash(side string, t config.Value[string]) {
	if strings.Contains(t.V, "//") {
		v.fail("V04", "route-invalid", side+" Path Template "+t.V+" contains double forward slash, Ocelot does not support this at the moment. "+
			"Please raise an issue in GitHib if you need this feature.", t.Origin)
	}
}

func (v *validator) scheme(side string, t config.Value[string]) {
	if strings.Contains(t.V, "https://") || strings.Contains(t.V, "http://") {
		v.fail("V05", "route-invalid", side+" Path Template "+t.V+" contains scheme", t.Origin)
	}
}

// rateLimit is V06 to V08. They look at the route's own section only: a Period
// that the global section would supply does not help.
func (v *validator) rateLimit(r *config.Route) {
	o := r.RateLimitOptions
	if o == nil || o.EnableRateLimiting.IsSet() && !o.EnableRateLimiting.V {
		return
	}
	const rule = "rate-limit-invalid"
	if o.Limit.IsSet() && o.Limit.V <= 0 && !v.facts.LimitsAsked { // new in 24.1
		v.fail("V06", rule, "RateLimitOptions.Limit is negative or zero for the route "+limitName(r), o.Limit.Origin)
	}
	at := place(o.Period.Origin, o.Origin)
	if blank(o.Period.V) {
		v.fail("V07", rule, "RateLimitOptions.Period is empty", at)
	}
	if !periodHasUnit(o.Period.V) {
		v.fail("V08", rule, v.facts.Start.NoUnit, at)
	}
}

// limitName is FileRoute's own name for itself: the Key, else the service or
// the template.
func limitName(r *config.Route) string {
	if !blank(r.Key.V) {
		return r.Key.V
	}
	name := cmp.Or(r.UpstreamPathTemplate.V, r.DownstreamPathTemplate.V, "?")
	if r.ServiceName.V != "" {
		return r.ServiceNamespace.V + ":" + r.ServiceName.V + ":" + name
	}
	return name
}

// periodHasUnit matches the start of the trimmed period: digits, optionally a
// point and digits, then a unit in lower case. Any Unicode digit counts, and
// what follows the unit is not looked at.
func periodHasUnit(period string) bool {
	rest, ok := skipDigits(strings.TrimSpace(period))
	if !ok {
		return false
	}
	if fraction, found := strings.CutPrefix(rest, "."); found {
		if rest, ok = skipDigits(fraction); !ok {
			return false
		}
	}
	return rest != "" && strings.ContainsRune("smhd", rune(rest[0]))
}

func skipDigits(s string) (rest string, ok bool) {
	rest = strings.TrimLeftFunc(s, unicode.IsDigit)
	return rest, len(rest) < len(s)
}

// hosts is V10 and V11: a route without a service name needs hosts.
func (v *validator) hosts(r *config.Route) {
	if r.ServiceName.V != "" {
		return
	}
	if len(r.DownstreamHostAndPorts) == 0 {
		v.fail("V10", "route-invalid", "When not using service discovery DownstreamHostAndPorts must be set and not empty or Ocelot cannot find your service!", r.Origin)
	}
	for _, h := range r.DownstreamHostAndPorts {
		if blank(h.Host.V) {
			v.fail("V11", "route-invalid", "When not using service discovery Host must be set on DownstreamHostAndPorts "+
				"if you are not using Route.Host or Ocelot cannot find your service!", place(h.Host.Origin, h.Origin))
		}
	}
}

// httpVersion is V12 and V13. FluentValidation's own text is used; it follows
// the culture of the process, which is taken to be the invariant one.
func (v *validator) httpVersion(r *config.Route) {
	if version := r.DownstreamHttpVersion; version.V != "" && !isHTTPVersion(cutFinalNewline(version.V)) {
		v.fail("V12", "route-invalid", "'Downstream Http Version' is not in the correct format.", version.Origin)
	}
	policy := r.DownstreamHttpVersionPolicy
	switch cutFinalNewline(policy.V) {
	case "RequestVersionExact", "RequestVersionOrHigher", "RequestVersionOrLower":
		return
	}
	if policy.V != "" {
		v.fail("V13", "route-invalid", "'Downstream Http Version Policy' is not in the correct format.", policy.Origin)
	}
}

func isHTTPVersion(s string) bool {
	digit := func(i int) bool { return s[i] >= '0' && s[i] <= '9' }
	switch len(s) {
	case 1:
		return digit(0)
	case 3:
		return digit(0) && (s[1] == '.' || s[1] == ',') && digit(2)
	}
	return false
}

// cutFinalNewline removes one line feed from the end: in .NET's patterns `$`
// also matches before it.
func cutFinalNewline(s string) string { return strings.TrimSuffix(s, "\n") }

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// place returns the first origin that points anywhere, so that a finding about
// something missing points at what lacks it.
func place(origins ...config.Origin) config.Origin {
	for _, o := range origins {
		if o.IsSet() {
			return o
		}
	}
	return config.Origin{}
}
