package emit

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
)

// accessView is who may call the routes of one result.
type accessView struct {
	*Result
	effect  *Effective
	reached *Reached
}

// callers is who may call one route.
type callers struct {
	route *normalize.Route
	// id is the stable ID of plans; "" for a route that no plan has.
	id             string
	authentication *plan.Authentication
	claims         []plan.ClaimRequirement
	addresses      *plan.ClientIPs
	// anonymous says that AllowAnonymous opens a route that has schemes.
	anonymous config.Origin
	// shadowedBy is the ID of the first route that takes all its requests.
	shadowedBy string
	// notes are what else has to be known.
	notes []string
}

func newAccessView(r *Result) *accessView {
	v := &accessView{Result: r, effect: Effect(r)}
	v.reached = Reach(v.effect.Plan)
	return v
}

// callers lists who may call the chosen routes, in order.
func (v *accessView) callers(view View) []callers {
	at := map[*normalize.Route]int{}
	for i, route := range slices.Concat(v.effect.Routes, v.effect.Aggregates) {
		at[route] = i
	}
	var all []callers
	for _, route := range Select(v.Result, view.Route) {
		c := callers{route: route}
		if i, ok := at[route]; ok {
			v.fill(&c, i)
		}
		c.notes = v.notes(&c)
		all = append(all, c)
	}
	return all
}

func (v *accessView) fill(c *callers, i int) {
	if shadow, dark := v.reached.Shadows[i]; dark {
		c.shadowedBy = v.idOf(shadow.By[0])
	}
	c.id = v.idOf(i)
	if c.route.Kind == normalize.Aggregate {
		return
	}
	p := &v.effect.Plan.Routes[i]
	c.authentication, c.addresses = p.Authentication, p.ClientIPs
	if p.Claims != nil {
		c.claims = p.Claims.Required
	}
	if p.Authentication == nil {
		c.anonymous = v.anonymous(c.route)
	}
}

// idOf returns the ID of a route, or of an aggregate behind them.
func (v *accessView) idOf(i int) string {
	if n := len(v.effect.Plan.Routes); i >= n {
		return v.effect.Plan.Aggregates[i-n].ID
	}
	return v.effect.Plan.Routes[i].ID
}

// anonymous returns where AllowAnonymous is true for a route; unset where it is
// not.
func (v *accessView) anonymous(route *normalize.Route) config.Origin {
	own, global := v.sections(route)
	if a := own.AllowAnonymous.Or(global.AllowAnonymous); a.V {
		return a.Origin
	}
	return config.Origin{}
}

// sections returns the AuthenticationOptions of a route and those of the global
// section that reach it; empty ones where there are none.
func (v *accessView) sections(route *normalize.Route) (own, global config.AuthenticationOptions) {
	if base := route.Base(); base != nil && base.AuthenticationOptions != nil {
		own = *base.AuthenticationOptions
	}
	l := v.effect.made
	if o := l.global.AuthenticationOptions; o != nil && (route.Kind == normalize.Unlisted || l.groups.has(&l.groups.authentication, route)) {
		global = o.AuthenticationOptions
	}
	return own, global
}

// open says whether everybody may call a route.
func (c *callers) open() bool {
	return c.route.Kind != normalize.Aggregate && c.authentication == nil && len(c.claims) == 0 && c.addresses == nil
}

// methods are those of a route; none are all.
func (c *callers) methods() []string {
	switch c.route.Kind {
	case normalize.Static:
		return methodsOf(c.route.Static.UpstreamHttpMethod)
	case normalize.Aggregate:
		return methodsOf(c.route.Aggregate.UpstreamHttpMethod)
	}
	return nil
}

func (c *callers) takes(method string) bool {
	methods := c.methods()
	return len(methods) == 0 || slices.Contains(methods, method)
}

// speaksWebSocket says whether a route is meant for WebSocket, or nothing is
// said about methods. An upgrade is a GET.
func (c *callers) speaksWebSocket() bool {
	if c.route.Kind != normalize.Static || !c.takes("GET") {
		return false
	}
	scheme := strings.ToLower(c.route.Static.DownstreamScheme.V)
	return len(c.methods()) == 0 || scheme == "ws" || scheme == "wss"
}
