package normalize

import (
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/profile"
)

// Name returns what Ocelot's log lines and answers call the route
// (DownstreamRoute.Name, since 24.1): the upstream template, after namespace and service
// where there is a ServiceName. Dynamic routes have "?" for a template until a
// request comes; Unlisted is "*" unless it comes from Lookup.
func (r *Route) Name() string {
	switch {
	case r.found != nil:
		return serviceName(r.found.namespace, r.found.service, r.found.path)
	case r.Kind == Static:
		s := r.Static
		return serviceName(s.ServiceNamespace.V, s.ServiceName.V, s.UpstreamPathTemplate.V)
	case r.Kind == Dynamic:
		return serviceName(r.Dynamic.ServiceNamespace.V, r.Dynamic.ServiceName.V, "?")
	case r.Kind == Aggregate:
		return r.Aggregate.UpstreamPathTemplate.V
	}
	return "*"
}

// serviceName drops namespace and service only where the service is empty; a
// blank one counts.
func serviceName(namespace, service, path string) string {
	if service == "" {
		return path
	}
	return namespace + ":" + service + ":" + path
}

// Key returns DownstreamRoute.Key. Only static routes have one: that of a
// dynamic route decides which groups it belongs to and is then forgotten.
func (r *Route) Key() config.Value[string] {
	if r.Kind == Static {
		return r.Static.Key
	}
	return config.Value[string]{}
}

// LoadBalancerKey returns the text that load balancers, and with Polly the
// pipelines, are kept by. Before 24.1 that of a service is made of the path that
// a request names, so it is "" without one, except for sticky sessions; see
// CircuitKey for the pipelines there. For Unlisted it is the one key that all services
// share; "" where each has its own, "namespace.service". Aggregates have none.
func (r *Route) LoadBalancerKey() string {
	switch {
	case r.Kind == Aggregate:
		return ""
	case r.Kind == Unlisted && r.found == nil && r.gateway.facts.Key == profile.KeyOf24_1:
		return string(r.gateway.balancing.shared(nil))
	}
	return string(r.appendLoadBalancerKey(nil))
}

const (
	sticky        = "CookieStickySessions"
	stickyDefault = ".AspNetCore.Session" // the cookie where no Key is set
)

// balancing are the global LoadBalancerOptions.
type balancing struct {
	global *config.LoadBalancerOptions // nil if none
	group  group
}

func newBalancing(o *config.GlobalLoadBalancerOptions) balancing {
	if o == nil {
		return balancing{}
	}
	return balancing{&o.LoadBalancerOptions, newGroup(o.RouteKeys)}
}

// options merges Type and Key of a route: each is taken from the global section
// where it is blank, before a sticky session gets its default cookie.
func (b *balancing) options(base *config.RouteBase) (kind, key string) {
	if own := base.LoadBalancerOptions; own != nil {
		kind, key = own.Type.V, own.Key.V
	}
	if b.global != nil && b.group.has(base.Key) {
		kind, key = unlessBlank(kind, b.global.Type.V), unlessBlank(key, b.global.Key.V)
	}
	return kind, key
}

// shared appends the key that all unlisted services have in common, if any.
// RouteKeys of the section are not looked at.
func (b *balancing) shared(to []byte) []byte {
	if b.global == nil {
		return to
	}
	kind, key := b.global.Type.V, b.global.Key.V
	switch {
	case isSticky(kind):
		return appendSticky(to, key)
	case !isBlank(key):
		return append(to, key...)
	}
	return to
}

// appendLoadBalancerKey appends what Ocelot's RouteKeyCreator makes.
func (r *Route) appendLoadBalancerKey(to []byte) []byte {
	if r.gateway.facts.Key != profile.KeyOf24_1 {
		return r.appendOlderKey(to)
	}
	b := &r.gateway.balancing
	if r.Kind == Unlisted {
		if key := b.shared(to); len(key) > len(to) || r.found == nil {
			return key
		}
		return appendService(to, r.found.namespace, r.found.service)
	}
	base := r.Base()
	kind, key := b.options(base)
	switch {
	case isSticky(kind):
		return appendSticky(to, key)
	case r.Kind == Static:
		return appendStatic(to, r.Static, unlessBlank(kind, "NoLoadBalancer"), key)
	case !isBlank(key):
		return append(to, key...)
	}
	return appendService(to, base.ServiceNamespace.V, base.ServiceName.V)
}

// appendStatic joins the parts by bars. Headers, the Key, the downstream
// template, the scheme, case and Priority are not among them, so routes that
// differ in those alone share one key.
func appendStatic(to []byte, s *config.Route, kind, key string) []byte {
	if s.UpstreamHttpMethod.Len() > 0 {
		to = append(appendMethods(to, s.UpstreamHttpMethod.Items), '|')
	}
	to = append(to, s.UpstreamPathTemplate.V...)
	to = appendPart(to, s.UpstreamHost.V, "no-host")
	to = appendHosts(append(to, '|'), s.DownstreamHostAndPorts, "no-host-and-port")
	to = appendPart(to, s.ServiceNamespace.V, "no-svc-ns")
	to = appendPart(to, s.ServiceName.V, "no-svc-name")
	to = appendPart(to, kind, "")
	return appendPart(to, key, "no-lb-key")
}

// appendMethods joins the methods in the order written. They are bound as a
// set, in older releases as a list: a repeated one counts again there.
func appendMethods(to []byte, methods []config.Value[string]) []byte {
	for i, m := range methods {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, m.V...)
	}
	return to
}

func appendHosts(to []byte, hosts []config.HostAndPort, none string) []byte {
	if len(hosts) == 0 {
		return append(to, none...)
	}
	for i := range hosts {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(append(to, hosts[i].Host.V...), ':')
		to = strconv.AppendInt(to, int64(hosts[i].Port.V), 10)
	}
	return to
}

func appendPart(to []byte, part, missing string) []byte {
	return append(append(to, '|'), unlessBlank(part, missing)...)
}

func appendService(to []byte, namespace, service string) []byte {
	return append(append(append(to, namespace...), '.'), service...)
}

func appendSticky(to []byte, cookie string) []byte {
	return append(append(to, sticky+":"...), unlessBlank(cookie, stickyDefault)...)
}

func isSticky(kind string) bool { return ordinal.Equal(kind, sticky) }

func unlessBlank(s, other string) string {
	if isBlank(s) {
		return other
	}
	return s
}

// isBlank is string.IsNullOrWhiteSpace, whose white space is Unicode's.
func isBlank(s string) bool { return strings.TrimSpace(s) == "" }
