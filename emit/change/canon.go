package change

import (
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

// canon takes out of routes what tells nothing to a caller. Keys by which routes
// share something hold hosts and templates; who shares with whom is what
// counts, so the ID of the first one stands for the key, and nothing for a key
// that one route has alone.
type canon struct {
	circuits, balancers, limits, budgets, regions sharing
	// noClaims stands for none, so that each member of Claims is compared by
	// itself.
	noClaims *plan.Claims
}

// sharing are the routes by a key that they share.
type sharing map[string]*sharers

type sharers struct {
	first string
	more  bool
}

func (s sharing) add(key, id string) {
	switch found := s[key]; {
	case key == "":
	case found == nil:
		s[key] = &sharers{first: id}
	default:
		found.more = true
	}
}

func (s sharing) name(key string) string {
	if found := s[key]; found != nil && found.more {
		return found.first
	}
	return ""
}

func newCanon(p *plan.Plan) *canon {
	c := &canon{sharing{}, sharing{}, sharing{}, sharing{}, sharing{}, &plan.Claims{}}
	for i := range p.Routes {
		r := &p.Routes[i]
		c.circuits.add(r.Circuit, r.ID)
		c.balancers.add(r.LoadBalancer.Share, r.ID)
		if r.RateLimit != nil {
			c.limits.add(limitKey(r.RateLimit), r.ID)
		}
		if r.Cache != nil {
			c.regions.add(r.Cache.Region, r.ID)
		}
		if r.Retry != nil && r.Retry.Budget != nil {
			c.budgets.add(r.Retry.Budget.Share, r.ID)
		}
	}
	return c
}

func limitKey(l *plan.RateLimit) string { return l.KeyPrefix + "|" + l.Share }

// route returns a route without what tells nothing. The original stays.
func (c *canon) route(r *plan.Route) *plan.Route {
	out := *r
	out.Name, out.At, out.Origins = "", "", nil
	out.Failures.Timeouts = "" // a program says that, see programOf
	out.Circuit = c.circuits.name(r.Circuit)
	out.LoadBalancer.Share = c.balancers.name(r.LoadBalancer.Share)
	if r.Claims == nil {
		out.Claims = c.noClaims
	}
	if r.RateLimit != nil {
		limit := *r.RateLimit
		limit.Share = c.limits.name(limitKey(&limit))
		out.RateLimit = &limit
	}
	if r.Cache != nil && isKey(r.Cache.Region) {
		cache := *r.Cache
		cache.Region = c.regions.name(cache.Region)
		out.Cache = &cache
	}
	if r.Retry != nil && r.Retry.Budget != nil {
		retry, budget := *r.Retry, *r.Retry.Budget
		budget.Share = c.budgets.name(budget.Share)
		retry.Budget = &budget
		out.Retry = &retry
	}
	return &out
}

// isKey says whether a cache region is a load-balancing key, which stands in
// where nobody names a region.
func isKey(region string) bool { return strings.Contains(region, "|") }
