package upgrade

import (
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// edit decides what to write.
func (k *keeping) edit() {
	k.keepProxy()
	k.keepLimits()
	if !k.a.Facts().Inherits && k.b.Facts().Inherits {
		k.leaveGroup()
	} else {
		k.editShared()
	}
	for i := range k.from.Gateway.Routes {
		route := &k.from.Gateway.Routes[i]
		switch {
		case route.Kind != normalize.Static && route.Kind != normalize.Dynamic, !k.changes(i) && !k.needsProvider(i), k.today[i].fails, k.done[i]:
		default:
			k.write(k.sectionOf(i), k.want(&k.today[i]), k.a.Facts().Inherits)
		}
	}
}

// needsProvider says whether a route, which gets nothing of its QoS for want of a
// provider, keeps the new release from starting.
func (k *keeping) needsProvider(i int) bool {
	j := k.newAt[i]
	return k.b.Provider == profile.None && j >= 0 && k.to.Gateway.Routes[j].Active
}

// leaveGroup is for the step to 24.1, from which on the global section is for all
// routes: before, it was for services alone, with static routes it did nothing,
// and whatever came with 24.1 was not read.
func (k *keeping) leaveGroup() {
	global := k.to.Config.Global
	k.removeUnread()
	if !k.services() {
		k.clear(global.Node, "QoSOptions")
		return
	}
	for i := range k.from.Gateway.Routes {
		switch k.from.Gateway.Routes[i].Kind {
		case normalize.Dynamic:
			k.done[i] = true // its own options are unread, and gone
		case normalize.Unlisted:
			if k.changes(i) && !k.today[i].fails {
				k.write(global.Node, k.want(&k.today[i]), false)
			}
		}
	}
}

// clear takes a member out; where comments stand in a section, its members only.
func (k *keeping) clear(object syntax.ID, name string) {
	tree := k.to.Config.Tree
	section := tree.Find(object, name)
	if section == 0 || !k.editor.IsPlain(section) || !k.hasComment(tree.Span(section)) {
		k.editor.Remove(object, name)
		return
	}
	for child := range tree.Children(section) {
		k.clear(section, tree.Key(child))
	}
}

func (k *keeping) hasComment(in source.Span) bool {
	for i := range k.to.Loaded.Texts {
		t := &k.to.Loaded.Texts[i]
		if t.File == in.File && slices.ContainsFunc(t.Comments, func(c syntax.Comment) bool { return in.Start <= int(c.Start) && int(c.End) <= in.End }) {
			return true
		}
	}
	return false
}

// editShared writes the global section where routes get all of their options from
// it: they change together.
func (k *keeping) editShared() {
	written := false
	for i := range k.from.Gateway.Routes {
		route := &k.from.Gateway.Routes[i]
		if route.Kind == normalize.Aggregate || route.Global == nil || !k.changes(i) || k.today[i].fails || hasOwn(route) {
			continue
		}
		w := k.want(&k.today[i])
		if w.seconds != nil && route.Kind != normalize.Unlisted {
			continue // the global Timeout is for other routes too
		}
		if !written {
			k.write(k.to.Config.Global.Node, w, false)
		}
		written, k.done[i] = true, true
	}
}

// hasOwn says whether a route sets an option itself.
func hasOwn(r *normalize.Route) bool {
	for o := normalize.BreakDuration; o <= normalize.RouteTimeout; o++ {
		if slices.ContainsFunc(r.Candidates(o), func(c normalize.Candidate) bool {
			return c.Place == normalize.RouteNew || c.Place == normalize.RouteDeprecated
		}) {
			return true
		}
	}
	return false
}

// keepProxy writes the default of UseProxy down where it changes: into the global
// section, or into each route where that is not for all.
func (k *keeping) keepProxy() {
	if !k.a.Facts().UsesProxy || k.b.Facts().UsesProxy {
		return
	}
	const name, text = "HttpHandlerOptions", `{ "UseProxy": true }`
	tree, global := k.to.Config.Tree, k.to.Config.Global.Node
	set := func(section syntax.ID) {
		switch handler := tree.Find(section, name); {
		case handler == 0:
			k.editor.Set(section, name, text)
		case !k.has(handler, "UseProxy"):
			k.editor.Set(handler, "UseProxy", "true")
		}
	}
	handler := tree.Find(global, name)
	switch {
	case !k.b.Facts().Inherits && !k.services(), k.has(handler, "RouteKeys"), global != 0 && !k.editor.IsPlain(global):
	case global != 0:
		set(global)
		return
	case k.editor.IsPlain(k.to.Loaded.Bound):
		k.editor.Set(k.to.Loaded.Bound, "GlobalConfiguration", `{ "`+name+`": `+text+` }`)
		return
	}
	for i := range k.from.Gateway.Routes {
		if k.from.Gateway.Routes[i].Kind == normalize.Static {
			set(k.sectionOf(i))
		}
	}
}

// sectionOf returns the element of one of today's routes in the tree of the new
// result, where it may have been dropped.
func (k *keeping) sectionOf(i int) syntax.ID {
	if j := k.newAt[i]; j >= 0 {
		return k.to.Gateway.Routes[j].Base().Node
	}
	route := &k.from.Gateway.Routes[i]
	list := map[normalize.Kind]string{normalize.Static: "Routes", normalize.Dynamic: "DynamicRoutes"}[route.Kind]
	for n := range k.to.Config.Dropped {
		d := &k.to.Config.Dropped[n]
		if strings.HasSuffix(d.Path, list+":"+strconv.Itoa(route.Index)) {
			return d.Element.Node
		}
	}
	return 0
}

func (k *keeping) has(object syntax.ID, name string) bool {
	return object != 0 && k.to.Config.Tree.Find(object, name) != 0
}

// untold are members that nothing but code of the application reads.
var untold = []string{"Metadata", "MetadataOptions"}

// removeUnread takes out what the old release does not read and the new one does.
func (k *keeping) removeUnread() {
	tree := k.to.Config.Tree
	var walk func(object syntax.ID)
	walk = func(object syntax.ID) {
		for child := range tree.Children(object) {
			switch n := tree.Node(child); {
			case n.KeyEnd != 0 && k.unreadNodes[child] && !slices.Contains(untold, tree.Key(child)):
				k.clear(object, tree.Key(child))
			case n.Kind == syntax.Object || n.Kind == syntax.Array:
				walk(child)
			}
		}
	}
	if k.to.Loaded.Bound != 0 {
		walk(k.to.Loaded.Bound)
	}
}
