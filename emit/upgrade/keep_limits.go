package upgrade

import (
	"strconv"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/syntax"
)

// keepLimits writes down what a release assumes of rate limits and the other one
// does not: that a section is enough to switch one on, and which header tells
// clients apart.
func (k *keeping) keepLimits() {
	today, next := limitsOf(k.from), limitsOf(k.to)
	for i := range k.from.Gateway.Routes {
		j := k.newAt[i]
		if kind := k.from.Gateway.Routes[i].Kind; j < 0 || kind != normalize.Static && kind != normalize.Dynamic {
			continue
		}
		a, b := today[&k.from.Gateway.Routes[i]], next[&k.to.Gateway.Routes[j]]
		switch {
		case b == nil:
		case a == nil:
			k.setLimit(i, "EnableRateLimiting", "false")
		case a.ClientHeader != b.ClientHeader:
			k.setLimit(i, "ClientIdHeader", strconv.Quote(a.ClientHeader))
		}
	}
}

func limitsOf(r *emit.Result) map[*normalize.Route]*plan.RateLimit {
	effect := emit.Effect(r)
	limits := make(map[*normalize.Route]*plan.RateLimit, len(effect.Routes))
	for i, route := range effect.Routes {
		limits[route] = effect.Plan.Routes[i].RateLimit
	}
	return limits
}

// setLimit sets a member of the section of a route that limits rates.
func (k *keeping) setLimit(i int, name, value string) {
	tree, route := k.to.Config.Tree, k.sectionOf(i)
	for _, section := range []string{"RateLimitRule", "RateLimitOptions"} {
		if id := tree.Find(route, section); id != 0 && tree.Node(id).Kind == syntax.Object {
			k.editor.Set(id, name, value)
			return
		}
	}
	k.editor.Set(route, "RateLimitOptions", `{ "`+name+`": `+value+` }`)
}
