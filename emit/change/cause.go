package change

import (
	"strings"
)

// written names the members of a route, and of the global section where it has
// them too, that can decide a part of the plan.
var written = map[string][]string{
	"match.methods":       {"UpstreamHttpMethod"},
	"match.path":          {"UpstreamPathTemplate"},
	"match.host":          {"UpstreamHost"},
	"match.headers":       {"UpstreamHeaderTemplates"},
	"match.priority":      {"Priority", "UpstreamPathTemplate"},
	"match.caseSensitive": {"RouteIsCaseSensitive"},
	"key":                 {"Key"},
	"backend": {"DownstreamScheme", "DownstreamHostAndPorts", "ServiceName", "ServiceNamespace", "DownstreamPathTemplate",
		"DownstreamHttpMethod", "DownstreamHttpVersion", "DownstreamHttpVersionPolicy", "DangerousAcceptAnyServerCertificateValidator", "HttpHandlerOptions"},
	"loadBalancer":    {"LoadBalancerOptions"},
	"requestHeaders":  {"UpstreamHeaderTransform"},
	"responseHeaders": {"DownstreamHeaderTransform"},
	"requestIdHeader": {"RequestIdKey"},
	"clientIps":       {"SecurityOptions"},
	"rateLimit":       {"RateLimitOptions", "RateLimitRule"},
	"authentication":  {"AuthenticationOptions"},
	"claims.required": {"RouteClaimsRequirement"},
	"claims":          {"RouteClaimsRequirement", "AddClaimsToRequest", "AddHeadersToRequest", "AddQueriesToRequest", "ChangeDownstreamPathTemplate"},
	"cache":           {"FileCacheOptions", "CacheOptions"},
	"handlers":        {"DelegatingHandlers"},
	"breaker":         {"QoSOptions", "ResilienceOptions"},
	"failure":         {"QoSOptions", "Timeout"},
	"attemptTimeout":  {"QoSOptions"},
	"outerTimeout":    {"Timeout", "QoSOptions", "ResilienceOptions"},
	"failures":        {"ResilienceOptions", "QoSOptions"},
	"metadata":        {"Metadata"},
	"circuit":         {"LoadBalancerOptions", "QoSOptions", "UpstreamHttpMethod", "DownstreamHostAndPorts"},
	"members":         {"RouteKeys"},
	"aggregator":      {"Aggregator"},
}

// options names the members of QoSOptions that decide a value.
var options = map[string][]string{
	"breaker":                   {"MinimumThroughput", "ExceptionsAllowedBeforeBreaking", "FailureRatio"},
	"breaker.minimumThroughput": {"MinimumThroughput", "ExceptionsAllowedBeforeBreaking"},
	"breaker.failureRatio":      {"FailureRatio"},
	"breaker.samplingDuration":  {"SamplingDuration", "FailureRatio"},
	"breaker.breakDuration":     {"BreakDuration", "DurationOfBreak"},
	"attemptTimeout":            {"Timeout", "TimeoutValue"},
}

// resilience is where every other strategy is written.
var resilience = []string{"ResilienceOptions"}

// namesFor returns the members that decide a field, by its longest known prefix.
func namesFor(field string) []string {
	for name := field; name != ""; {
		if names, ok := written[name]; ok {
			return names
		}
		at := strings.LastIndexByte(name, '.')
		if at < 0 {
			break
		}
		name = name[:at]
	}
	return resilience
}

// cause returns the line that makes fields of a pair differ: the one that
// decides the new value, else the first difference in the members that can
// decide it, else the line that decided the old value and is gone, else the
// route.
func (c *comparison) cause(old, new *entry, fields []Field) *Place {
	for i := range fields {
		place, unchanged := c.decided(old, new, fields[i].Name)
		if place != nil && (!unchanged || c.sameText) {
			return place
		}
		if found := c.optionDifference(old, new, fields[i].Name); found != nil {
			return found
		}
		if found := c.optionWritten(new, fields[i].Name); found != nil && c.sameText {
			return found
		}
		if found := c.difference(old, new, namesFor(fields[i].Name)); found != nil {
			return found
		}
		if place != nil {
			return place
		}
	}
	for i := range fields {
		if place := textPlace(oldSide, originOf(old, fields[i].Name)); place != nil {
			if c.sameText {
				place.Side = newSide
			}
			return place
		}
	}
	return textPlace(newSide, new.at())
}

// decided returns the text that decides a strategy's value in the new side.
// unchanged says that the same text decides it in the old side.
func (c *comparison) decided(old, new *entry, field string) (place *Place, unchanged bool) {
	at := originOf(new, field)
	place = textPlace(newSide, at)
	if place == nil {
		return nil, false
	}
	before := textPlace(oldSide, originOf(old, field))
	return place, before != nil && c.new.lineAt(place) == c.old.lineAt(before)
}

// originOf returns where a value of a route is decided, as plans write it; of a
// whole strategy, its first value that is written.
func originOf(e *entry, field string) string {
	first := ""
	for _, o := range e.origins() {
		if o.Field == field {
			return o.At
		}
		if strings.HasPrefix(o.Field, field+".") && textPlace("", o.At) != nil && first == "" {
			first = o.At
		}
	}
	return first
}

// lineAt returns the text of a line; "" where it is not at hand.
func (s *Side) lineAt(p *Place) string {
	if s.result == nil {
		return ""
	}
	for i := range s.result.Loaded.Texts {
		file := s.result.Loaded.Texts[i].File
		if spanName(file.Name) != p.File {
			continue
		}
		return strings.TrimSpace(string(file.Line(p.Line)))
	}
	return ""
}
