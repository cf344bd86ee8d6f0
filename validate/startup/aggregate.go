package startup

import (
	"strings"

	"github.com/margay-dev/margay/schema/config"
)

// aggregates is V19 to V22.
func (v *validator) aggregates() {
	if len(v.cfg.Aggregates) == 0 {
		return
	}
	if v.facts.Start.AggregateKeys && v.keylessAggregate() {
		return
	}
	byUpstream := map[upstream][]*config.AggregateRoute{}
	for i := range v.cfg.Aggregates {
		a := &v.cfg.Aggregates[i]
		key := aggregateUpstream(a)
		byUpstream[key] = append(byUpstream[key], a)
	}
	v.routesLikeAggregates(byUpstream)
	for i := range v.cfg.Aggregates {
		v.duplicateAggregate(&v.cfg.Aggregates[i], byUpstream)
	}
	members := v.membersByKey()
	for i := range v.cfg.Aggregates {
		v.missingMembers(&v.cfg.Aggregates[i], members)
	}
	for i := range v.cfg.Aggregates {
		v.membersWithRequestID(&v.cfg.Aggregates[i], members)
	}
}

// keylessAggregate throws over an aggregate whose RouteKeys were left null, as
// older programs do (ver-corpus cases in versions.jsonl).
func (v *validator) keylessAggregate() bool {
	for i := range v.cfg.Aggregates {
		a := &v.cfg.Aggregates[i]
		if a.RouteKeys == nil || a.RouteKeys.Origin.Kind == config.Default {
			v.throw(Exception{Type: nullReference, Thrower: "FileConfigurationFluentValidator.AllRoutesForAggregateExist",
				Reason: "an aggregate has no RouteKeys", Remedy: "write the Keys of its routes: \"RouteKeys\": [ … ]", At: a.Origin})
			return true
		}
	}
	return false
}

func aggregateUpstream(a *config.AggregateRoute) upstream {
	return upstream{
		template: a.UpstreamPathTemplate.V, hasTemplate: a.UpstreamPathTemplate.IsSet(),
		host: a.UpstreamHost.V, hasHost: a.UpstreamHost.IsSet(),
	}
}

// routesLikeAggregates is V19. Only a GET that is written out collides.
func (v *validator) routesLikeAggregates(byUpstream map[upstream][]*config.AggregateRoute) {
	for i := range v.cfg.Routes {
		r := &v.cfg.Routes[i]
		key := upstreamOf(r)
		key.headers = ""
		same := byUpstream[key]
		if len(same) == 0 {
			continue
		}
		for _, m := range r.UpstreamHttpMethod.All() {
			if !m.IsSet() {
				v.throw(Exception{Type: nullReference, Thrower: "FileConfigurationFluentValidator.<>c",
					Reason: "a method that is null cannot be compared with that of an aggregate", Remedy: methodRemedy, At: place(m.Origin, r.Origin)})
				return
			}
			if strings.EqualFold(m.V, "get") {
				v.fail("V19", aggregateRule, "route "+r.UpstreamPathTemplate.V+" has duplicate aggregate",
					place(r.UpstreamPathTemplate.Origin, r.Origin), same[0].UpstreamPathTemplate.Origin)
				break
			}
		}
	}
}

const aggregateRule = "aggregate-invalid"

// duplicateAggregate is V20; methods and header templates do not count.
func (v *validator) duplicateAggregate(a *config.AggregateRoute, byUpstream map[upstream][]*config.AggregateRoute) {
	same := byUpstream[aggregateUpstream(a)]
	if len(same) < 2 {
		return
	}
	var others []config.Origin
	for _, o := range same {
		if o != a {
			others = append(others, place(o.UpstreamPathTemplate.Origin, o.Origin))
		}
	}
	v.fail("V20", aggregateRule, "aggregate "+a.UpstreamPathTemplate.V+" has duplicate aggregate", place(a.UpstreamPathTemplate.Origin, a.Origin), others...)
}

// routeKey is a route's Key; a missing one is told apart from an empty one.
type routeKey struct {
	text string
	set  bool
}

func (v *validator) membersByKey() map[routeKey][]*config.Route {
	members := make(map[routeKey][]*config.Route, len(v.cfg.Routes))
	for i := range v.cfg.Routes {
		r := &v.cfg.Routes[i]
		key := routeKey{r.Key.V, r.Key.IsSet()}
		members[key] = append(members[key], r)
	}
	return members
}

// missingMembers is V21. It compares two counts, so two routes with one key
// make up for a key that no route has (val.agg.dupkey-two).
func (v *validator) missingMembers(a *config.AggregateRoute, members map[routeKey][]*config.Route) {
	found, lost := 0, a.Origin
	for _, k := range a.RouteKeys.All() {
		n := len(members[routeKey{k.V, k.IsSet()}])
		if found += n; n != 1 && lost == a.Origin {
			lost = place(k.Origin, a.Origin)
		}
	}
	if found != a.RouteKeys.Len() {
		v.fail("V21", aggregateRule, "Routes for aggregateRoute "+a.UpstreamPathTemplate.V+
			" either do not exist or do not have correct ServiceName property", lost)
	}
}

// membersWithRequestID is V22.
func (v *validator) membersWithRequestID(a *config.AggregateRoute, members map[routeKey][]*config.Route) {
	for _, k := range a.RouteKeys.All() {
		for _, r := range members[routeKey{k.V, k.IsSet()}] {
			if r.RequestIdKey.V != "" {
				v.fail("V22", aggregateRule, "aggregateRoute "+a.UpstreamPathTemplate.V+
					" contains Route with specific RequestIdKey, this is not possible with Aggregates",
					place(a.UpstreamPathTemplate.Origin, a.Origin), r.RequestIdKey.Origin)
				return
			}
		}
	}
}
