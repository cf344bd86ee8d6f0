package normalize

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/profile"
)

// Gateway is a configuration resolved under a profile.
type Gateway struct {
	Profile profile.Profile
	Config  *config.Configuration
	// Routes are in the order of Ocelot's compiled configuration: static
	// routes, aggregates, listed dynamic routes, and last one record for all
	// services that are not listed, if they are routable at all.
	Routes []Route
	// Finder is what turns a request into a route.
	Finder Finder

	facts     *profile.Facts
	balancing balancing
}

// Finder is Ocelot's way of turning a request into a route.
type Finder uint8

// The finders. With StaticFinder, dynamic routes are dead; with Discovery, any
// service name in a request's first path segment is routable.
const (
	StaticFinder Finder = iota
	Discovery
)

// String returns "static" or "discovery".
func (f Finder) String() string { return [...]string{"static", "discovery"}[f] }

// Kind is what a route is.
type Kind uint8

// The kinds of routes.
const (
	Static Kind = iota
	Aggregate
	Dynamic
	// Unlisted is the record for every service that no dynamic route names.
	Unlisted
)

// String returns the kind as machine formats print it.
func (k Kind) String() string {
	return [...]string{"static", "aggregate", "dynamic", "unlisted"}[k]
}

// Route is a route and what it gets. Name, Key and LoadBalancerKey are
// methods: they are texts that few readers ask for.
type Route struct {
	Kind Kind
	// Live is false for a listed dynamic route that the static finder makes
	// unreachable.
	Live bool
	// OuterDoubled says that OuterTimeout is twice the attempt timeout,
	// because the written one was not longer than it. Ocelot logs
	// OuterWarning then.
	OuterDoubled bool
	// Divergences are the points on which the documentation and Ocelot 25.0
	// give this route something else, whichever of both was asked for.
	Divergences profile.Divergences
	// Index is the element's place in its list as written, dropped elements
	// counted; -1 for Unlisted.
	Index int
	// SharedWith is the position in Routes of the first route with the same
	// load-balancing key, whose pipeline and options this one gets: Polly
	// only; -1: a pipeline of its own.
	SharedWith int

	// One of the next three is set, by Kind; none for Unlisted.
	Static    *config.Route
	Dynamic   *config.DynamicRoute
	Aggregate *AggregateRoute

	// QoS is shared by routes with the same options; never nil. That of an
	// aggregate is inactive: members use their own.
	*QoS
	// RouteTimeout is in seconds; unset for an unlisted service where the
	// global section has no usable one, and for aggregates.
	RouteTimeout Decision[int32]
	// OuterTimeout bounds the whole request, in milliseconds: the route's
	// timeout, or ResilienceOptions.TotalTimeout where that is set. A profile
	// that follows a program may give 0 (503 at once, unless the backend wins
	// the race) or less (500 on every request). Unset for aggregates.
	OuterTimeout config.Value[int64]
	// Resilience is the merged ResilienceOptions with defaults filled in;
	// nil where nothing is set. Strategies that are off are nil.
	Resilience *config.Resilience

	gateway *Gateway
	// under are the divergences that the route was resolved with.
	under profile.Divergences
	found *found
}

// AggregateRoute is an aggregate with its members found.
type AggregateRoute struct {
	*config.AggregateRoute
	// Members are positions in Gateway.Routes.
	Members []int
}

// Base returns what static and dynamic routes have in common, as written; nil
// for the other kinds.
func (r *Route) Base() *config.RouteBase {
	switch r.Kind {
	case Static:
		return &r.Static.RouteBase
	case Dynamic:
		return &r.Dynamic.RouteBase
	}
	return nil
}

// Section returns the route's place in the configuration; that of
// GlobalConfiguration for Unlisted.
func (r *Route) Section() config.Section {
	switch r.Kind {
	case Aggregate:
		return r.Aggregate.Section
	case Unlisted:
		return r.gateway.Config.Global.Section
	}
	return r.Base().Section
}

// by returns the rules that the route was resolved by.
func (r *Route) by() rules { return rules{r.under, r.gateway.Profile.Provider, r.gateway.facts} }
