package rules

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/validate"
)

// eachResilience calls f for every route with ResilienceOptions in force. Routes
// that get the same ones from the global section are looked at once.
func eachResilience(p *validate.Pass, f func(*normalize.Route, *config.Resilience)) {
	for r := range p.Routes {
		if r.Resilience != nil && leadsResilience(p, r) {
			f(r, r.Resilience)
		}
	}
}
