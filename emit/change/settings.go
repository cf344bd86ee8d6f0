package change

import (
	"reflect"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/syntax"
)

// wideNames are the members of the global section that decide parts of a plan
// which belong to no route, and how those are called.
var wideNames = map[string]struct{ member, words string }{
	"baseUrl":         {"BaseUrl", "the base URL, which {BaseUrl} in header transforms stands for"},
	"discovery":       {"ServiceDiscoveryProvider", "service discovery"},
	"requestIdHeader": {"RequestIdKey", "the header of the request id where no route takes the request"},
}

// settings reports what differs in the whole gateway.
func (c *comparison) settings() {
	for _, f := range fieldsOf(shapeOf(reflect.TypeFor[plan.Plan](), ""), wide(c.old.plan), wide(c.new.plan)) {
		first, _, _ := strings.Cut(f.Name, ".")
		known := wideNames[first]
		text := plainly(orElse(known.words, first), first, []Field{f})
		c.setting(Change{Aspect: "gateway", Text: text, At: c.globalPlace(known.member), Fields: []Field{f}})
	}
	c.unplanned()
}

// wide returns a plan without what belongs to routes, and without what says
// where it comes from.
func wide(p *plan.Plan) *plan.Plan {
	out := *p
	out.Version, out.Profile, out.Digest, out.Routes, out.Aggregates = "", plan.Profile{}, "", nil, nil
	return &out
}

func (c *comparison) setting(change Change) {
	c.hide(&change)
	c.report.Settings = append(c.report.Settings, change)
}

// unplanned reports what Ocelot reads and no plan holds.
func (c *comparison) unplanned() {
	if c.old.result == nil || c.new.result == nil {
		return
	}
	for _, of := range []struct {
		path  []string
		words string
	}{
		{[]string{"ServiceDiscoveryProvider", "Token"}, "the token of service discovery differs"},
		{[]string{"ServiceDiscoveryProvider", "ConfigurationKey"}, "the key under which the provider keeps the configuration differs"},
		{[]string{"Metadata"}, "the Metadata of all routes differs, which code of the application may read"},
		{[]string{"MetadataOptions"}, "the way in which Metadata are read differs"},
	} {
		a, b := c.globalNode(c.old, of.path), c.globalNode(c.new, of.path)
		x, y := c.old.result.Config.Tree, c.new.result.Config.Tree
		if a == b && a == 0 || a != 0 && b != 0 && sameNode(x, a, y, b) {
			continue
		}
		change := Change{Aspect: "gateway", Text: of.words, Fields: []Field{}}
		switch {
		case b == 0:
			change.At = c.nodePlace(oldSide, a)
		case a == 0:
			change.At = c.nodePlace(newSide, b)
		default:
			change.At = c.within(a, b)
		}
		c.setting(change)
	}
}

func (c *comparison) globalNode(s *Side, path []string) syntax.ID {
	at := s.result.Config.Global.Node
	for _, name := range path {
		at = memberOf(s.result.Config.Tree, at, name)
	}
	return at
}

func (c *comparison) globalPlace(name string) *Place {
	if c.old.result == nil || c.new.result == nil || name == "" {
		return nil
	}
	return c.memberDifference(c.old.result.Config.Global.Node, c.new.result.Config.Global.Node, name)
}
