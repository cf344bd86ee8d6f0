package emit

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/schema/syntax"
)

// notes say what a list of schemes and claims does not tell. They describe
// Ocelot; what margay does otherwise stands on the page of differences.
func (v *accessView) notes(c *callers) []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if !c.route.Live {
		add("no request reaches it: static routes switch dynamic ones off")
	}
	if c.shadowedBy != "" {
		add("no request reaches it: %s takes them first%s", c.shadowedBy, v.heirWords(c.shadowedBy))
	}
	if c.anonymous.IsSet() {
		add("AllowAnonymous (line %s) lets everybody in", strings.TrimPrefix(v.line(c.anonymous), ":"))
	}
	if lost := v.unenforced(c.route); lost > 0 {
		add("%s of RouteClaimsRequirement %s not enforced: Ocelot drops entries with a colon in the name", prose.Plural(int64(lost), "claim"), isAre(lost))
	}
	if c.authentication == nil && len(c.claims) > 0 {
		add("claims without authentication: every request is answered 403")
	}
	if c.authentication != nil && c.takes("OPTIONS") {
		add("OPTIONS requests need no authentication")
	}
	if (c.authentication != nil || len(c.claims) > 0) && c.speaksWebSocket() {
		add("Ocelot lets upgrades to WebSocket skip authentication and claims; only the address lists hold for them (`margay explain upgrade-unprotected`)")
	}
	if v.missed(c.route) {
		add("the global AuthenticationOptions are for the routes that their RouteKeys name, and this is none of them")
	}
	return notes
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// heirWords says who may call the route that takes the requests of another.
func (v *accessView) heirWords(id string) string {
	for i := range v.effect.Plan.Routes {
		p := &v.effect.Plan.Routes[i]
		switch {
		case p.ID != id:
		case p.Authentication == nil:
			return ", with no authentication"
		default:
			return ", with authentication by " + strings.Join(p.Authentication.Schemes, ", ")
		}
	}
	return ""
}

// unenforced counts the claims that are written and get lost.
func (v *accessView) unenforced(route *normalize.Route) int {
	if route.Kind != normalize.Static {
		return 0
	}
	tree := v.Config.Tree
	id := tree.Find(route.Section().Node, "RouteClaimsRequirement")
	if id == 0 {
		return 0
	}
	lost := 0
	for child := range tree.Children(id) {
		if kind := tree.Node(child).Kind; kind == syntax.Object || kind == syntax.Array {
			lost++
		}
	}
	return lost
}

// missed says whether the global section has schemes and is not for a route that
// has none of its own.
func (v *accessView) missed(route *normalize.Route) bool {
	global := v.Config.Global.AuthenticationOptions
	if global == nil || route.Base() == nil || route.Base().AuthenticationOptions != nil || global.RouteKeys.Len() == 0 {
		return false
	}
	has := global.AuthenticationProviderKeys.Len() > 0 || strings.TrimSpace(global.AuthenticationProviderKey.V) != ""
	l := v.effect.made
	return has && !l.groups.has(&l.groups.authentication, route)
}

// accessLosses names the elements that Ocelot drops, and who takes their
// requests.
func (v *accessView) accessLosses() []string {
	var texts []string
	for i := range v.Config.Dropped {
		d := &v.Config.Dropped[i]
		texts = append(texts, v.loss(d)+v.inherits(d))
	}
	return texts
}

// inherits says who takes the requests of a dropped route.
func (v *accessView) inherits(d *config.Dropped) string {
	path := strings.TrimPrefix(strings.TrimPrefix(d.Path, v.Loaded.Section), ":")
	index, isRoute := strings.CutPrefix(path, "Routes:")
	e := WrittenEntry(v.Config.Tree, d.Element)
	if !isRoute || strings.Contains(index, ":") || e.Template == "" {
		return ""
	}
	at, _ := v.reached.Taker(e)
	if at < 0 {
		return "; its requests are answered 404"
	}
	id := v.idOf(v.reached.At[at])
	return "; its requests reach " + id + v.heirWords(id)
}
