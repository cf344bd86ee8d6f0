package profile

import "strings"

// Reading is how a release reads a member of the file.
type Reading uint8

// The ways of reading.
const (
	// AsNow: as 25.0 does.
	AsNow Reading = iota
	// Unread: the class has no such member, so whatever is written there is
	// ignored without a message.
	Unread
	// NotNullable: an empty text does not convert, and null is the zero of
	// the type.
	NotNullable
	// Repeating: a list keeps elements that are equal.
	Repeating
)

// Names are the members of a class as a release reads them, where that is not
// as now. A nil *Names is a class without differences.
type Names struct {
	// Reading is how the member itself is read.
	Reading Reading
	// Until is the release that reads it as now.
	Until Release
	// Items are the elements of a list.
	Items *Names
	// members are by name, in lower case.
	members map[string]*Names
}

// Names returns what the profile's release reads otherwise; nil if nothing.
// It is the root of a configuration: its members are Routes and so on.
func (p Profile) Names() *Names {
	at := p.Release()
	var root *Names
	for i := range changes {
		c := &changes[i]
		until := release(c.until)
		if !at.Before(until) {
			continue
		}
		if root == nil {
			root = &Names{}
		}
		owner := root.at(c.owner)
		for name := range strings.FieldsSeq(c.names) {
			if n := owner.member(name); n.Reading == AsNow {
				n.Reading, n.Until = c.reading, until
			}
		}
	}
	return root
}

// Member returns a member by its name, which is compared as .NET compares
// configuration keys; nil where it is read as now in every respect.
func (n *Names) Member(name string) *Names {
	if n == nil {
		return nil
	}
	return n.members[strings.ToLower(name)]
}

// Reads says whether the release reads the member at all.
func (n *Names) Reads() bool { return n == nil || n.Reading != Unread }

// Len returns how many members are not read as now, in every respect.
func (n *Names) Len() int {
	if n == nil {
		return 0
	}
	return len(n.members)
}

// at returns the names at a path such as "Routes[].QoSOptions".
func (n *Names) at(path string) *Names {
	if path == "" {
		return n
	}
	for step := range strings.SplitSeq(path, ".") {
		name, isList := strings.CutSuffix(step, "[]")
		n = n.member(name)
		if !isList {
			continue
		}
		if n.Items == nil {
			n.Items = &Names{}
		}
		n = n.Items
	}
	return n
}

func (n *Names) member(name string) *Names {
	name = strings.ToLower(name)
	if n.members == nil {
		n.members = map[string]*Names{}
	}
	if n.members[name] == nil {
		n.members[name] = &Names{}
	}
	return n.members[name]
}

// Knows says whether the profile's release has an option that another release
// removed, by the first release without it.
func (p Profile) Knows(first, gone string) bool {
	at := p.Release()
	return !at.Before(release(first)) && at.Before(release(gone))
}

// change is a difference between the models of an older release and of 25.0.
type change struct {
	until   string
	reading Reading
	owner   string
	names   string
}

// changes are all of them since 16.0.0, from the models of the releases
// (properties.json), what is not read at all first. What came together with
// its owner is not repeated.
var changes = [...]change{
	{"20.0.0", Unread, "Routes[].SecurityOptions", "ExcludeAllowedFromBlocked"},
	{"23.0.0", Unread, "GlobalConfiguration.HttpHandlerOptions", "PooledConnectionLifetimeSeconds"},
	{"23.0.0", Unread, "Routes[].AuthenticationOptions", "AuthenticationProviderKeys"},
	{"23.0.0", Unread, "Routes[].FileCacheOptions", "Header"},
	{"23.0.0", Unread, "Routes[].HttpHandlerOptions", "PooledConnectionLifetimeSeconds"},
	{"23.3.0", Unread, "Aggregates[]", "UpstreamHeaderTemplates"},
	{"23.3.0", Unread, "DynamicRoutes[]", "DownstreamHttpVersionPolicy Metadata"},
	{"23.3.0", Unread, "GlobalConfiguration", "CacheOptions DownstreamHttpVersionPolicy MetadataOptions"},
	{"23.3.0", Unread, "Routes[]", "DownstreamHttpVersionPolicy Metadata UpstreamHeaderTemplates"},
	{"23.3.0", Unread, "Routes[].FileCacheOptions", "EnableContentHashing"},
	{"23.4.1", Unread, "GlobalConfiguration", "SecurityOptions"},
	{"24.0.0", Unread, "Aggregates[]", "UpstreamHttpMethod"},
	{"24.1.0", Unread, "DynamicRoutes[]", "AuthenticationOptions CacheOptions DownstreamScheme HttpHandlerOptions Key LoadBalancerOptions QoSOptions RateLimitOptions RateLimiting ServiceNamespace Timeout"},
	{"24.1.0", Unread, "DynamicRoutes[].RateLimitRule", "ClientIdHeader DisableRateLimitHeaders EnableHeaders HttpStatusCode KeyPrefix QuotaExceededMessage QuotaMessage RateLimitCounterPrefix StatusCode Wait"},
	{"24.1.0", Unread, "GlobalConfiguration", "AuthenticationOptions DownstreamHeaderTransform Metadata Timeout UpstreamHeaderTransform"},
	{"24.1.0", Unread, "GlobalConfiguration.CacheOptions", "RouteKeys"},
	{"24.1.0", Unread, "GlobalConfiguration.HttpHandlerOptions", "RouteKeys"},
	{"24.1.0", Unread, "GlobalConfiguration.LoadBalancerOptions", "RouteKeys"},
	{"24.1.0", Unread, "GlobalConfiguration.QoSOptions", "BreakDuration FailureRatio MinimumThroughput RouteKeys SamplingDuration Timeout"},
	{"24.1.0", Unread, "GlobalConfiguration.RateLimitOptions", "ClientWhitelist EnableHeaders EnableRateLimiting KeyPrefix Limit Period PeriodTimespan QuotaMessage RouteKeys StatusCode Wait"},
	{"24.1.0", Unread, "Routes[]", "CacheOptions RateLimiting"},
	{"24.1.0", Unread, "Routes[].AuthenticationOptions", "AllowAnonymous"},
	{"24.1.0", Unread, "Routes[].QoSOptions", "BreakDuration FailureRatio MinimumThroughput SamplingDuration Timeout"},
	{"24.1.0", Unread, "Routes[].RateLimitOptions", "ClientIdHeader DisableRateLimitHeaders EnableHeaders HttpStatusCode KeyPrefix QuotaExceededMessage QuotaMessage RateLimitCounterPrefix StatusCode Wait"},
	{"23.3.0", NotNullable, "Routes[].FileCacheOptions", "TtlSeconds"},
	{"24.1.0", NotNullable, "DynamicRoutes[].RateLimitRule", "EnableRateLimiting Limit PeriodTimespan"},
	{"24.1.0", NotNullable, "GlobalConfiguration.HttpHandlerOptions", "AllowAutoRedirect MaxConnectionsPerServer UseCookieContainer UseProxy UseTracing"},
	{"24.1.0", NotNullable, "GlobalConfiguration.LoadBalancerOptions", "Expiry"},
	{"24.1.0", NotNullable, "GlobalConfiguration.QoSOptions", "DurationOfBreak ExceptionsAllowedBeforeBreaking TimeoutValue"},
	{"24.1.0", NotNullable, "GlobalConfiguration.RateLimitOptions", "DisableRateLimitHeaders HttpStatusCode"},
	{"24.1.0", NotNullable, "Routes[]", "Timeout"},
	{"24.1.0", NotNullable, "Routes[].HttpHandlerOptions", "AllowAutoRedirect MaxConnectionsPerServer UseCookieContainer UseProxy UseTracing"},
	{"24.1.0", NotNullable, "Routes[].LoadBalancerOptions", "Expiry"},
	{"24.1.0", NotNullable, "Routes[].QoSOptions", "DurationOfBreak ExceptionsAllowedBeforeBreaking TimeoutValue"},
	{"24.1.0", NotNullable, "Routes[].RateLimitOptions", "EnableRateLimiting Limit PeriodTimespan"},
	{"24.1.0", Repeating, "Aggregates[]", "RouteKeys UpstreamHttpMethod"},
	{"24.1.0", Repeating, "Routes[]", "UpstreamHttpMethod"},
}
