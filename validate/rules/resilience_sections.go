package rules

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/validate"
)

// eachResilience calls f for every route with ResilienceOptions in force. Routes
// that get the same ones from the global section are looked at once.
func eachResilience(p *validate.Pass, f func(*normalize.Route, *config.Resilience)) {
	if p.Gateway == nil {
		return
	}
	seen := map[*config.Resilience]bool{}
	for r := range p.Routes {
		if r.Resilience != nil && !seen[r.Resilience] {
			seen[r.Resilience] = true
			f(r, r.Resilience)
		}
	}
}
