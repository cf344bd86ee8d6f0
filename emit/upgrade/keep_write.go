package upgrade

import (
	"fmt"
	"slices"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/syntax"
)

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
