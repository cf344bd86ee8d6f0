package proxy_test

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// period is what a rate limit understands.
var period = regexp.MustCompile(`^(\d+(\.\d+)?(ms|[smhd])?|\d+:\d+:\d+.*)?$`)

// unusable reports whether a route has a value that no request can be sent or
// answered with, so that margay makes no plan of it. It knows nothing of the
// plan.
func (r configuredRoute) unusable() bool {
	for _, h := range r.DownstreamHostAndPorts {
		_, err := netip.ParseAddr(strings.Trim(h.Host, "[]"))
		if strings.ContainsAny(h.Host, ` /\@?#`) || strings.Contains(h.Host, ":") && err != nil {
			return true
		}
	}
	for name, value := range r.UpstreamHeaderTransform {
		if !fieldName.MatchString(name) || strings.HasPrefix(value, ",") {
			return true
		}
	}
	limit := r.RateLimitOptions
	return !slices.Contains([]string{"", "http", "https", "ws", "wss"}, r.DownstreamScheme) ||
		!slices.Contains([]string{"", "1.0", "1.1", "2.0", "3.0"}, r.DownstreamHttpVersion) ||
		r.DownstreamHttpMethod != "" && !fieldName.MatchString(r.DownstreamHttpMethod) ||
		r.HttpHandlerOptions.PooledConnectionLifetimeSeconds < 0 ||
		!period.MatchString(limit.Period) || !period.MatchString(limit.Wait) || limit.status() < 200 || limit.status() > 999
}

// injects reports whether a value of a route would begin another header.
func (r configuredRoute) injects() bool {
	for _, transforms := range []map[string]string{r.UpstreamHeaderTransform, r.DownstreamHeaderTransform} {
		for _, value := range transforms {
			if strings.ContainsAny(value, "\r\n") {
				return true
			}
		}
	}
	return false
}
