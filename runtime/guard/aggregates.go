package guard

import (
	"github.com/margay-dev/margay/runtime/guard/aggregate"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// Aggregates returns what answers an aggregate, and what keeps it from being
// answered. It is meant for proxy.Options.Aggregates. The error is always nil.
func (s *Set) Aggregates(p *plan.Plan, a *plan.Aggregate) (proxy.Guard, []proxy.Unenforced, error) {
	m := &multiplex{set: s, provider: p.Profile.Provider, members: make([]member, len(a.Members))}
	var missing []proxy.Unenforced
	if a.Aggregator != "" {
		missing = append(missing, proxy.Unenforced{Setting: "aggregator",
			Reason: "Aggregator is code of the gateway's application: " + quote(a.Aggregator)})
	}
	for i, one := range a.Members {
		m.members[i].Member = one
		if one.JSONPath == "" {
			continue
		}
		m.staged = true
		path, err := aggregate.NewPath(one.JSONPath)
		if err != nil {
			missing = append(missing, proxy.Unenforced{Setting: "aggregate", Unreadable: true, Reason: err.Error()})
		}
		m.members[i].path = path
	}
	if len(missing) > 0 && a.Aggregator == "" {
		return nil, missing, nil
	}
	return m, missing, nil
}

// member is one route of an aggregate.
type member struct {
	plan.Member
	path *aggregate.Path // nil: it is called once
}
