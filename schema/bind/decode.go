package bind

import (
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/known"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

// Options say where in the configuration the bound node stands, and who reads
// it. The zero value is for the root and the newest release.
type Options struct {
	// Section is the configuration key of the section that the program
	// binds, such as "Ocelot" or "Gateway:Ocelot"; every path begins with it.
	Section string
	// Profile is whose release reads the configuration: what that does not
	// know is ignored there, whatever it holds.
	Profile profile.Profile
}

// rootFields are the members of FileConfiguration.
var rootFields = []field[config.Configuration]{
	{"Routes", elements(func(o *config.Configuration) *[]config.Route { return &o.Routes }, routeElement)},
	{"DynamicRoutes", elements(func(o *config.Configuration) *[]config.DynamicRoute { return &o.DynamicRoutes },
		dynamicRouteElement)},
	{"Aggregates", elements(func(o *config.Configuration) *[]config.AggregateRoute { return &o.Aggregates },
		aggregateElement)},
	{"GlobalConfiguration", object(func(o *config.Configuration) **config.GlobalConfiguration { return &o.Global },
		globalTable, nil)},
}

var rootTable = newTable(func(o *config.Configuration) *config.Section { return &o.Section },
	config.Configuration{Global: &globalTable.zero}, rootFields)

// limitsOff fills in what a new FileRateLimitRule of older releases holds:
// EnableRateLimiting false.
func limitsOff(cfg *config.Configuration) {
	off := func(o *config.RateLimitByHeaderRule) {
		if o != nil && !o.EnableRateLimiting.IsSet() {
			o.EnableRateLimiting = byDefault(false)
		}
	}
	for i := range cfg.Routes {
		off(cfg.Routes[i].RateLimitOptions)
	}
	for i := range cfg.DynamicRoutes {
		off(cfg.DynamicRoutes[i].RateLimitRule)
	}
}

// Configuration binds a node, ID 0 for a configuration without any key or a
// section that does not exist. It always returns a configuration: after the error that
// stops the program's start it holds what was bound before it, and everything
// under the members that come later, so that the rest can be examined.
func Configuration(tree *syntax.Tree, root syntax.ID, opts Options) *config.Configuration {
	cfg := rootTable.zero
	cfg.Tree = tree
	cfg.Known = known.Of(tree, root, opts.Profile)
	b := &binder{tree: tree, known: cfg.Known}
	if opts.Section != "" {
		for name := range strings.SplitSeq(opts.Section, ":") {
			b.push(named(name))
		}
	}
	if root != 0 && b.hasChildren(root) {
		cfg.Failure = rootTable.bind(b, &cfg, root)
	}
	if opts.Profile.Facts().LimitsAsked {
		limitsOff(&cfg)
	}
	cfg.Dropped, cfg.Rejected = b.dropped, b.rejected
	return &cfg
}
