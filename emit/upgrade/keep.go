package upgrade

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Kept are edits that keep today's behaviour under a new release.
type Kept struct {
	// Files are those that change, in the order in which they were loaded.
	Files []emit.Rewritten
	// Result is the edited gateway, compiled as the new release runs it.
	Result *emit.Result
	// Losses are what cannot be kept, and why.
	Losses []Loss
	// Changing is the number of routes of which something changes without the
	// edits; all but those of Losses are as today with them.
	Changing int
}

// Loss is something that cannot be kept.
type Loss struct {
	// Route is the ID of the route; "" for the gateway as a whole.
	Route string
	Cause Cause
	// Text says why.
	Text string
	// At is where the route is written, in the edited text.
	At *change.Place
}

// Keep returns the edits with which a gateway behaves under the new release as it
// does today, as far as a file can say it, and compiles the edited files to see
// what is left. Both results are of the same input, as for Compare. It returns
// emit.ErrNotJSON where a text is not JSON.
func Keep(ctx context.Context, from, to *emit.Result) (*Kept, error) {
	if !from.Readable() || !to.Readable() {
		return nil, fmt.Errorf("keep what %s does: %w", to.Input.Name, emit.ErrNotJSON)
	}
	k := &keeping{crossing: newCrossing(from, to), editor: normalize.NewEditor(to.Loaded.Tree),
		today: effectsOf(from), new: effectsOf(to), done: make([]bool, len(from.Gateway.Routes))}
	k.match()
	kept := &Kept{Changing: k.changing()}
	if kept.Changing > 0 || from.Starts() && !to.Starts() || k.others() {
		k.edit()
	}
	files, result, err := emit.Edited(ctx, to, k.editor.Edits())
	if err != nil {
		return nil, fmt.Errorf("keep what %s does: %w", to.Input.Name, err)
	}
	kept.Files, kept.Result = files, result
	kept.Losses = k.losses(result)
	return kept, nil
}

// keeping is the state of one Keep.
type keeping struct {
	*crossing
	editor *normalize.Editor
	// today and new are the effects by position in the gateways of both results;
	// newAt are the positions in the new one by those of today's, -1: not there.
	today, new []effect
	newAt      []int
	// done are today's routes of which nothing more has to be written.
	done []bool
}

// match finds the routes of today's gateway in the new one: by kind and place in
// the file, which both read.
func (k *keeping) match() { k.newAt = positions(k.from.Gateway, k.to.Gateway) }

func positions(from, to *normalize.Gateway) []int {
	type key struct {
		kind  normalize.Kind
		index int
	}
	at := make(map[key]int, len(to.Routes))
	for i := range to.Routes {
		at[key{to.Routes[i].Kind, to.Routes[i].Index}] = i
	}
	all := make([]int, len(from.Routes))
	for i := range from.Routes {
		j, ok := at[key{from.Routes[i].Kind, from.Routes[i].Index}]
		if !ok {
			j = -1
		}
		all[i] = j
	}
	return all
}

// changing counts the routes that differ.
func (k *keeping) changing() int {
	n := 0
	for i := range k.today {
		if k.changes(i) {
			n++
		}
	}
	return n
}

func (k *keeping) changes(i int) bool {
	j := k.newAt[i]
	return j < 0 || len(k.today[i].differences(&k.new[j])) > 0
}

// others says whether something else than QoS differs.
func (k *keeping) others() bool {
	r := change.Compare(change.OfResult(k.from), change.OfResult(k.to))
	return len(r.Settings)+len(r.Routes)+len(r.Requests) > 0
}

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

// names are the names of an option: the deprecated one, "" where there is none,
// and the current one.
var names = [normalize.Timeout + 1]struct{ deprecated, current string }{
	normalize.BreakDuration:     {"DurationOfBreak", "BreakDuration"},
	normalize.MinimumThroughput: {"ExceptionsAllowedBeforeBreaking", "MinimumThroughput"},
	normalize.FailureRatio:      {"", "FailureRatio"},
	normalize.SamplingDuration:  {"", "SamplingDuration"},
	normalize.Timeout:           {"TimeoutValue", "Timeout"},
}

// write puts options into a route or into the global section. beaten says that a
// global section may reach the route, which then has to say 0 for what it does
// not want.
func (k *keeping) write(section syntax.ID, w wanted, beaten bool) {
	tree := k.to.Config.Tree
	qos := tree.Find(section, "QoSOptions")
	if !k.editor.IsPlain(section) || qos != 0 && tree.Node(qos).Kind == syntax.Object && !k.editor.IsPlain(qos) {
		return
	}
	set := k.chosen(&w, beaten)
	k.writeSeconds(section, &w, beaten)
	if qos == 0 || tree.Node(qos).Kind != syntax.Object {
		if len(set) > 0 {
			k.editor.Set(section, "QoSOptions", "{ "+joined(set)+" }")
		}
		return
	}
	k.writeOptions(qos, set)
}

// writeOptions puts options into a section in place of those that are there. A
// member that has the other name of its option gets the new one and stays where
// it is.
func (k *keeping) writeOptions(qos syntax.ID, set []option) {
	for _, n := range names {
		wanted := slices.IndexFunc(set, func(o option) bool { return o.name == n.deprecated || o.name == n.current })
		stays := ""
		if wanted >= 0 {
			stays = k.place(qos, n.deprecated, n.current, set[wanted])
		}
		for _, name := range []string{n.deprecated, n.current} {
			if name != "" && name != stays {
				k.editor.Remove(qos, name)
			}
		}
	}
}

// place writes an option, and returns the name of the member that stays for it.
func (k *keeping) place(qos syntax.ID, deprecated, current string, o option) string {
	other := deprecated
	if o.name == deprecated {
		other = current
	}
	stays := o.name
	if !k.has(qos, o.name) && other != "" && k.has(qos, other) {
		stays = other
		k.editor.Rename(qos, other, o.name)
	}
	tree := k.to.Config.Tree
	if id := tree.Find(qos, stays); id == 0 || tree.Text(id) != o.value || k.unreadNodes[id] {
		k.editor.Set(qos, stays, o.value)
	}
	return stays
}

// option is a member to write.
type option struct{ name, value string }

func joined(set []option) string {
	text := ""
	for i, o := range set {
		if i > 0 {
			text += ", "
		}
		text += `"` + o.name + `": ` + o.value
	}
	return text
}

// chosen returns the members to write. A deprecated name of the global section
// beats a new name of the route, so the route then has its deprecated name too.
func (k *keeping) chosen(w *wanted, beaten bool) []option {
	var set []option
	global := k.to.Config.Global.QoSOptions
	for o, n := range names {
		name := n.current
		isGlobal := beaten && global != nil && (k.has(global.Node, n.current) || n.deprecated != "" && k.has(global.Node, n.deprecated))
		if !k.b.Facts().Inherits || isGlobal && n.deprecated != "" && k.has(global.Node, n.deprecated) {
			name = n.deprecated
		}
		switch value := w.options[o]; {
		case name == "":
		case value != nil:
			set = append(set, option{name, *value})
		case isGlobal:
			set = append(set, option{name, "0"})
		}
	}
	return set
}

// writeSeconds writes the Timeout of a route.
func (k *keeping) writeSeconds(section syntax.ID, w *wanted, beaten bool) {
	switch {
	case !k.b.Facts().RouteTimeouts:
	case w.seconds != nil:
		k.editor.Set(section, "Timeout", *w.seconds)
	case w.options[normalize.Timeout] != nil && k.a.Facts().RouteTimeouts:
		// the outer timeout stays what it is
	case beaten && k.to.Config.Global.Timeout.IsSet():
		k.editor.Set(section, "Timeout", fmt.Sprint(normalize.DefaultTimeout))
	default:
		k.editor.Remove(section, "Timeout")
	}
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
