package emit

import (
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
)

const (
	noBalancer     = "NoLoadBalancer"
	stickySessions = "CookieStickySessions"
	// stickyCookie and stickyExpiry are those of ASP.NET Core's sessions,
	// Ocelot's defaults for sticky ones.
	stickyCookie = ".AspNetCore.Session"
	stickyExpiry = plan.Millis(1_200_000)
)

// balancer merges LoadBalancerOptions: Type and Key come from the global
// section where they are blank, before a sticky session gets its default
// cookie. Share is the route's key; see shareBalancers.
func (l *lowering) balancer(route *normalize.Route) plan.LoadBalancer {
	var own, global config.LoadBalancerOptions
	if base := route.Base(); base != nil && base.LoadBalancerOptions != nil {
		own = *base.LoadBalancerOptions
	}
	if o := l.global.LoadBalancerOptions; o != nil && (route.Kind == normalize.Unlisted || l.groups.has(&l.groups.balancer, route)) {
		global = o.LoadBalancerOptions
	}
	b := plan.LoadBalancer{Type: unlessBlank(own.Type.V, global.Type.V), Share: route.LoadBalancerKey()}
	switch {
	case b.Type == "" || b.Type == noBalancer:
		return plan.LoadBalancer{}
	case strings.EqualFold(b.Type, stickySessions):
		b.Key = unlessBlank(unlessBlank(own.Key.V, global.Key.V), stickyCookie)
		b.Expiry = stickyExpiry
	}
	if expiry := own.Expiry.Or(global.Expiry); expiry.IsSet() {
		b.Expiry = plan.Millis(max(expiry.V, 0))
	}
	return b
}

// shareBalancers keeps Share only on routes that share one: Ocelot keeps
// balancers by key, and a key that one route has says nothing.
func (l *lowering) shareBalancers() {
	users := map[string]int{}
	for i := range l.plan.Routes {
		users[l.plan.Routes[i].LoadBalancer.Share]++
	}
	for i := range l.plan.Routes {
		if b := &l.plan.Routes[i].LoadBalancer; users[b.Share] < 2 {
			b.Share = ""
		}
	}
}

func unlessBlank(text, other string) string {
	if strings.TrimSpace(text) == "" {
		return other
	}
	return text
}
