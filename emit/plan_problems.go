package emit

import (
	"errors"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// invalidPlan is the rule under which reasons to refuse a plan are reported.
const invalidPlan = "plan-invalid"

// planFindings returns what Plan and PlanDiffers have to say.
func planFindings(r *Result) *diag.List {
	l := newLowering(r)
	l.placeless = true
	l.lower()
	l.problems(l.plan.Check())
	if l.found.Len() > 0 {
		return &l.found
	}
	return PlanDiffers(r)
}

// problems turns what the plan's own check refuses into findings.
func (l *lowering) problems(err error) {
	invalid, ok := errors.AsType[*plan.InvalidError](err)
	if !ok {
		return
	}
	for _, p := range invalid.Problems {
		at, rest := l.placeOf(p.Path)
		if rest == "members" {
			l.found.Add(noMembers(at))
			continue
		}
		message := p.Reason
		if rest != "" {
			message = rest + ": " + message
		}
		l.found.Add(diag.Diagnostic{
			Rule: invalidPlan, Severity: diag.Error, Span: at, Message: message,
			Effect: "Ocelot takes the value and fails on requests",
			Help:   "write a value that can work; margay refuses to run this one",
		})
	}
}

// noMembers is about an aggregate that has nothing to ask.
func noMembers(at source.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Rule: invalidPlan, Severity: diag.Error, Span: at,
		Message: "this aggregate names no routes, so there is nothing that could answer",
		Effect:  "Ocelot starts with it and asks no backend",
		Help:    "name the Keys of the routes to join in RouteKeys, or remove the aggregate",
	}
}

// placeOf returns where what a path within the plan is about is written, and
// the rest of the path.
func (l *lowering) placeOf(path string) (source.Span, string) {
	for prefix, sections := range map[string][]config.Section{"routes[": l.routeAt, "aggregates[": l.aggregateAt} {
		after, ok := strings.CutPrefix(path, prefix)
		number, rest, _ := strings.Cut(after, "]")
		if i, err := strconv.Atoi(number); ok && err == nil && i < len(sections) {
			rest = strings.TrimPrefix(rest, ".")
			return l.within(sections[i], writtenAs(rest)...), rest
		}
	}
	return source.Span{}, path
}

// within returns the place of the first of several options in a section, or
// else in the global one; that of the section where it has none.
func (l *lowering) within(s config.Section, options ...string) source.Span {
	for _, root := range []config.Section{s, l.global.Section} {
		for _, option := range options {
			if span := l.optionAt(root, option); !span.IsZero() {
				return span
			}
		}
	}
	return l.span(s.Origin)
}

func (l *lowering) optionAt(s config.Section, option string) source.Span {
	at := s.Node
	for name := range strings.SplitSeq(option, ":") {
		if at != 0 {
			at = l.Config.Tree.Find(at, name)
		}
	}
	if at == 0 {
		return source.Span{}
	}
	return l.Config.Tree.Span(at)
}

// planOptions are the options that parts of a plan are made of, the longest
// path first.
var planOptions = [...]struct {
	path    string
	options []string
}{
	{"members", []string{"RouteKeys"}},
	{"match.path", []string{"UpstreamPathTemplate"}},
	{"match.methods", []string{"UpstreamHttpMethod"}},
	{"match.headers", []string{"UpstreamHeaderTemplates"}},
	{"backend.scheme", []string{"DownstreamScheme"}},
	{"backend.hosts", []string{"DownstreamHostAndPorts"}},
	{"backend.path", []string{"DownstreamPathTemplate"}},
	{"backend.method", []string{"DownstreamHttpMethod"}},
	{"backend.httpVersion", []string{"DownstreamHttpVersion"}},
	{"backend.versionPolicy", []string{"DownstreamHttpVersionPolicy"}},
	{"backend.handler", []string{"HttpHandlerOptions"}},
	{"loadBalancer", []string{"LoadBalancerOptions"}},
	{"requestHeaders", []string{"UpstreamHeaderTransform"}},
	{"responseHeaders", []string{"DownstreamHeaderTransform"}},
	{"requestIdHeader", []string{"RequestIdKey"}},
	{"rateLimit.statusCode", []string{"RateLimitRule:HttpStatusCode", "RateLimitOptions:HttpStatusCode", "RateLimitOptions:StatusCode"}},
	{"rateLimit.limit", []string{"RateLimitRule:Limit", "RateLimitOptions:Limit"}},
	{"rateLimit.period", []string{"RateLimitRule:Period", "RateLimitOptions:Period"}},
	{"rateLimit.wait", []string{"RateLimitOptions:PeriodTimespan", "RateLimitOptions:Wait"}},
	{"rateLimit.clientHeader", []string{"RateLimitOptions:ClientIdHeader"}},
	{"rateLimit", []string{"RateLimitRule", "RateLimitOptions"}},
	{"authentication", []string{"AuthenticationOptions"}},
	{"claims.required", []string{"RouteClaimsRequirement"}},
	{"cache", []string{"FileCacheOptions", "CacheOptions"}},
	{"outerTimeout", []string{"Timeout"}},
	{"retry", []string{"ResilienceOptions:Retry"}},
	{"fallback", []string{"ResilienceOptions:Fallback"}},
	{"concurrencyLimiter", []string{"ResilienceOptions:ConcurrencyLimiter"}},
	{"chaos", []string{"ResilienceOptions:Chaos"}},
	{"failures", []string{"ResilienceOptions:FailureStatusCodes"}},
	{"breaker", []string{"ResilienceOptions:CircuitBreaker", "QoSOptions"}},
	{"attemptTimeout", []string{"QoSOptions"}},
}

// writtenAs returns the options that a part of a route in a plan is made of.
func writtenAs(path string) []string {
	for i := range planOptions {
		if rest, ok := strings.CutPrefix(path, planOptions[i].path); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return planOptions[i].options
		}
	}
	return nil
}
