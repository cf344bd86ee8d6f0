package rules

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/validate"
)

// leaders are the first routes of those that share what they get: a value that
// stands in the global section is one mistake, however many routes it reaches.
type leaders struct {
	qos        map[*normalize.QoS]*normalize.Route
	resilience map[*config.Resilience]*normalize.Route
}

type leadersKey struct{}

func leadersOf(p *validate.Pass) leaders {
	return validate.Share(p.Input, leadersKey{}, func() leaders {
		l := leaders{qos: map[*normalize.QoS]*normalize.Route{}, resilience: map[*config.Resilience]*normalize.Route{}}
		for i := range p.Gateway.Routes {
			r := &p.Gateway.Routes[i]
			if r.Kind == normalize.Aggregate {
				continue
			}
			if r.Own == nil && l.qos[r.QoS] == nil {
				l.qos[r.QoS] = r
			}
			if r.Resilience != nil && l.resilience[r.Resilience] == nil {
				l.resilience[r.Resilience] = r
			}
		}
		return l
	})
}

// leads says whether a route has QoSOptions of its own, or is the first of
// those with the same ones. Ask it last: the answer looks at all routes once.
func leads(p *validate.Pass, r *normalize.Route) bool {
	return r.Own != nil || leadersOf(p).qos[r.QoS] == r
}

// leadsResilience says whether a route is the first with its ResilienceOptions.
func leadsResilience(p *validate.Pass, r *normalize.Route) bool {
	return leadersOf(p).resilience[r.Resilience] == r
}
