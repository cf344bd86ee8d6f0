package change

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/prose"
)

// drop is why Ocelot leaves a route out that is written.
type drop struct {
	text string
	at   *Place
}

// dropOf returns why a route of the old side is left out of the new one although
// it is written there; nil where it is not.
func (c *comparison) dropOf(e *entry) *drop {
	if c.new.result == nil || e.route == nil {
		return nil
	}
	for i := range c.new.result.Config.Dropped {
		d := &c.new.result.Config.Dropped[i]
		if !isRoute(d.Path) || !c.describes(d.Element, e) {
			continue
		}
		return &drop{
			text: "Ocelot drops it without a message: " + d.Reason.Why(prose.Printable(d.Reason.Value)),
			at:   spanPlace(newSide, c.new.result.Config.Files().Span(d.Reason.At.Origin)),
		}
	}
	return nil
}

// isRoute says whether a configuration key names a whole route.
func isRoute(path string) bool {
	parts := strings.Split(path, ":")
	return len(parts) >= 2 && slices.Contains([]string{"Routes", "DynamicRoutes"}, parts[len(parts)-2])
}

// describes says whether an element, as far as it can be read, matches what a
// route matches.
func (c *comparison) describes(element config.Section, e *entry) bool {
	tree := c.new.result.Config.Tree
	if e.match.Path == "" {
		text := func(name string) string { return tree.Text(tree.Find(element.Node, name)) }
		return text("ServiceName") == e.route.Backend.Service && text("ServiceNamespace") == e.route.Backend.Namespace
	}
	w := emit.WrittenEntry(tree, element)
	slices.Sort(w.Methods)
	return w.Template == e.match.Path && w.Host == e.match.Host && slices.Equal(slices.Compact(w.Methods), e.match.Methods)
}
