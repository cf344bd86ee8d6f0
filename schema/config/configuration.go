package config

import (
	"github.com/margay-dev/margay/schema/known"
	"github.com/margay-dev/margay/schema/syntax"
)

// Section is what every object of the configuration has: its place, and its
// node, from which rules reach names, comments and members that did not bind.
// A Section that code or a default made has Node 0.
type Section struct {
	Node   syntax.ID
	Origin Origin
}

// Configuration is FileConfiguration, the root of a gateway's configuration.
type Configuration struct {
	Section
	// Tree holds every text the configuration was read from.
	Tree *syntax.Tree
	// Known are the members that the release which reads the configuration
	// does not know, or reads as another type; nil for the newest one.
	Known known.Members

	Routes        []Route
	DynamicRoutes []DynamicRoute
	Aggregates    []AggregateRoute
	// Global is never nil.
	Global *GlobalConfiguration

	// Dropped lists the elements that the program drops silently because
	// something inside them does not convert, in the order of binding.
	Dropped []Dropped
	// Failure is the conversion error that stops the start; nil if none.
	Failure *BindError
	// Rejected lists the values of ResilienceOptions that do not convert.
	// They count as not set and drop nothing, because Ocelot ignores the
	// section.
	Rejected []BindError
}

// Files returns the texts that origins point into.
func (c *Configuration) Files() Files { return Files(c.Tree.Files) }

// Dropped is an element of a collection that binding lost without a message
// (claim-1.6 cases): a route, a host, a dictionary entry.
type Dropped struct {
	// Path is the element as .NET names it: "Routes:2".
	Path string
	// Element is the whole element that is lost.
	Element Section
	// Reason is the first error inside the element, in binding order.
	Reason BindError
}
