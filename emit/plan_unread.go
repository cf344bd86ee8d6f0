package emit

import (
	"strconv"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/syntax"
)

// barrier is a setting about who may call, and where it is written. What is
// written there has to be an object or a list; else .NET passes over it, and
// the route is open.
type barrier struct {
	setting string
	// at are the names from the route or the global section on.
	at []string
	// texts says that it holds texts by name, of which .NET drops all others.
	texts bool
}

func barriers() []barrier {
	return []barrier{
		{setting: "authentication", at: []string{"AuthenticationOptions"}},
		{setting: "authentication", at: []string{"AuthenticationOptions", "AuthenticationProviderKeys"}},
		{setting: "authentication", at: []string{"AuthenticationOptions", "AllowedScopes"}},
		{setting: "claims", at: []string{"RouteClaimsRequirement"}, texts: true},
		{setting: "client-ips", at: []string{"SecurityOptions"}},
		{setting: "client-ips", at: []string{"SecurityOptions", "IPAllowedList"}},
		{setting: "client-ips", at: []string{"SecurityOptions", "IPBlockedList"}},
		{setting: "rate-limit", at: []string{"RateLimitOptions"}},
	}
}

// unread returns the settings of a route about who may call that cannot be
// read, its own and the global ones.
func (l *lowering) unread(route *normalize.Route) []plan.Unread {
	if l.everybodys == nil {
		l.everybodys = l.unreadOf(l.global.Node, []plan.Unread{})
	}
	out := append([]plan.Unread(nil), l.everybodys...)
	if route.Kind == normalize.Unlisted {
		return out
	}
	return l.unreadOf(route.Section().Node, out)
}

// unreadOf adds the settings of a route or of the global section.
func (l *lowering) unreadOf(section syntax.ID, list []plan.Unread) []plan.Unread {
	if section == 0 {
		return list
	}
	tree := l.Loaded.Tree
	if l.barriers == nil {
		l.barriers = barriers()
	}
	all := l.barriers
	for child := range tree.Children(section) {
		name := tree.Key(child)
		if len(name) < len("SecurityOptions") || len(name) > len("RouteClaimsRequirement") {
			continue
		}
		for i := range all {
			if ordinal.Equal(name, all[i].at[0]) {
				list = l.appendUnread(list, load.Find(tree, child, strings.Join(all[i].at[1:], ":")), &all[i])
			}
		}
	}
	return list
}

func (l *lowering) appendUnread(list []plan.Unread, node syntax.ID, b *barrier) []plan.Unread {
	if node == 0 {
		return list
	}
	bad := l.unreadable(node, b)
	if bad == 0 {
		return list
	}
	u := plan.Unread{Setting: b.setting, Name: b.at[len(b.at)-1]}
	if s := l.Loaded.Tree.Span(bad); !l.placeless && !s.IsZero() {
		p := s.Position()
		u.At = slashed(s.File.Name) + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
	}
	return append(list, u)
}

// unreadable returns the node that cannot be read: the setting itself or one of
// its texts; 0 if all can.
func (l *lowering) unreadable(node syntax.ID, b *barrier) syntax.ID {
	tree := l.Loaded.Tree
	if kind := tree.Node(node).Kind; kind != syntax.Object && kind != syntax.Array {
		if kind == syntax.Null || strings.TrimSpace(tree.Text(node)) == "" {
			return 0 // nothing is asked for
		}
		return node
	}
	if !b.texts {
		return 0
	}
	for child := range tree.Children(node) {
		if kind := tree.Node(child).Kind; kind == syntax.Object || kind == syntax.Array {
			return child
		}
	}
	return 0
}
