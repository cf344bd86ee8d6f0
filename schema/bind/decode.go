package bind

import (
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/syntax"
)

// Options say what of a tree is bound. The zero value is the whole of it.
type Options struct {
	// Section is the configuration key of the section that the program
	// binds, such as "Ocelot" or "Gateway:Ocelot"; empty: the root.
	Section string
}

// rootFields are the members of FileConfiguration.
var rootFields = []field[config.Configuration]{
	{"Routes", elements(func(o *config.Configuration) *[]config.Route { return &o.Routes }, routeElement)},
	{"DynamicRoutes", elements(func(o *config.Configuration) *[]config.DynamicRoute { return &o.DynamicRoutes }, dynamicRouteElement)},
	{"Aggregates", elements(func(o *config.Configuration) *[]config.AggregateRoute { return &o.Aggregates }, aggregateElement)},
	{"GlobalConfiguration", object(func(o *config.Configuration) **config.GlobalConfiguration { return &o.Global }, globalTable, nil)},
}

var rootTable = newTable(func(o *config.Configuration) *config.Section { return &o.Section },
	config.Configuration{Global: &globalTable.zero}, rootFields)

// Configuration binds a tree from its root, which is ID 0 for a configuration
// without any key. It always returns a configuration: after the error that
// stops the program's start it holds what was bound before it, and everything
// under the members that come later, so that the rest can be examined.
func Configuration(tree *syntax.Tree, root syntax.ID, opts Options) *config.Configuration {
	cfg := rootTable.zero
	cfg.Tree = tree
	b := &binder{tree: tree}
	if opts.Section != "" {
		root = b.descend(root, opts.Section)
	}
	if root != 0 && b.hasChildren(root) {
		cfg.Failure = rootTable.bind(b, &cfg, root)
	}
	cfg.Dropped, cfg.Rejected = b.dropped, b.rejected
	return &cfg
}

// descend follows the names of a configuration key; it returns 0 where one is
// missing. The path of every message begins with the key.
func (b *binder) descend(id syntax.ID, section string) syntax.ID {
	for name := range strings.SplitSeq(section, ":") {
		b.push(named(name))
		if id != 0 {
			id = b.child(id, name)
		}
	}
	return id
}

func (b *binder) child(id syntax.ID, name string) syntax.ID {
	for c := range b.tree.Children(id) {
		if ordinal.Equal(b.tree.Key(c), name) {
			return c
		}
	}
	return 0
}
