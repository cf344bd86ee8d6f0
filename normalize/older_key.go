package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/template"
)

// appendOlderKey appends the key of releases before 24.1. Static routes have
// their own LoadBalancerOptions alone, services the global ones alone; a sticky
// session needs its exact name and a Key.
func (r *Route) appendOlderKey(to []byte) []byte {
	if r.Kind != Static {
		return r.appendOlderService(to)
	}
	var kind, key string
	if own := r.Static.LoadBalancerOptions; own != nil {
		kind, key = own.Type.V, own.Key.V
	}
	switch {
	case isOlderSticky(kind, key):
		return appendSticky(to, key)
	case r.gateway.facts.Key == profile.KeyOf22:
		return appendStaticOf22(to, r.Static)
	}
	return appendStatic(to, r.Static, unlessBlank(kind, "no-lb-type"), key)
}

func isOlderSticky(kind, key string) bool { return kind == sticky && key != "" }

func appendStaticOf22(to []byte, s *config.Route) []byte {
	to = append(append(to, s.UpstreamPathTemplate.V...), '|')
	to = append(appendMethods(to, s.UpstreamHttpMethod.All()), '|')
	return appendHosts(to, s.DownstreamHostAndPorts, "")
}

// appendOlderService appends the key of a service: the path that a request
// names, so there is none before a request.
func (r *Route) appendOlderService(to []byte) []byte {
	if b := &r.gateway.balancing; b.global != nil && isOlderSticky(b.global.Type.V, b.global.Key.V) {
		return appendSticky(to, b.global.Key.V)
	}
	if r.found == nil {
		return to
	}
	return append(append(append(to, r.found.path...), '|'), r.found.method...)
}

// CircuitKey returns the text that Polly's pipelines are kept by, for as long
// as the process lives: routes with equal ones share a circuit. "" where the
// route has a circuit of its own: with the built-in provider, for aggregates,
// and for Unlisted, unless it comes from Lookup.
func (r *Route) CircuitKey() string {
	if r.gateway.Profile.Provider != profile.Polly || r.Kind == Aggregate {
		return ""
	}
	return string(r.appendCircuitKey(nil))
}

func (r *Route) appendCircuitKey(to []byte) []byte {
	if r.gateway.facts.Circuit == profile.CircuitByBalancer {
		return r.appendLoadBalancerKey(to)
	}
	namespace, service := r.service()
	switch {
	case r.gateway.facts.Circuit == profile.CircuitByService && !isBlank(service):
		return append(to, service...)
	case r.Kind == Unlisted && r.found == nil:
		return to
	case service != "":
		to = append(append(append(append(to, namespace...), ':'), service...), ':')
	}
	if r.Kind != Static {
		return to
	}
	pattern, err := template.Pattern(r.Static.UpstreamPathTemplate.V,
		template.Options{Form: r.gateway.facts.Pattern, CaseSensitive: r.Static.RouteIsCaseSensitive.V})
	if err != nil { // the start ends there
		pattern = r.Static.UpstreamPathTemplate.V
	}
	return append(to, pattern...)
}

// service returns the service that the route asks discovery for.
func (r *Route) service() (namespace, name string) {
	if r.found != nil {
		return r.found.namespace, r.found.service
	}
	if base := r.Base(); base != nil {
		return base.ServiceNamespace.V, base.ServiceName.V
	}
	return "", ""
}

// HasPipeline says whether the provider builds anything at all for the route:
// a breaker or an attempt timeout, of its own or shared.
func (r *Route) HasPipeline() bool {
	if r.SharedWith >= 0 {
		r = &r.gateway.Routes[r.SharedWith]
	}
	return r.Breaker.Kind != NoBreaker || r.AttemptTimeout.IsSet()
}
