package schema

import (
	"strings"

	"github.com/margay-dev/margay/schema/syntax"
)

// ignored says what it means that a scalar is passed over.
func (c *checker) ignored(at *place) string {
	switch {
	case c.inOwn(at):
		return "margay takes it as not set"
	case at.parent != nil && at.parent.shape.isList():
		return "Ocelot passes over this element"
	case at.name == "RouteKeys" && strings.HasPrefix(at.parent.shape.class, "Global"):
		return "Ocelot ignores it, so that the section applies to all routes"
	case at.name == "UpstreamHttpMethod" && at.parent.shape.class == "Route":
		return "Ocelot ignores it, so that the route takes all methods"
	case at.name == "RouteClaimsRequirement":
		return "Ocelot ignores it, so that no claim is required"
	}
	return "Ocelot ignores it"
}

// effect says what a value that does not convert brings about.
func (c *checker) effect(at *place) string {
	if c.inOwn(at) {
		return "margay takes it as not set"
	}
	return c.loss(at)
}

// loss says what is lost when a value does not convert: the innermost element
// of a list or entry of a dictionary around it, and without one the start.
func (c *checker) loss(at *place) string {
	if at.shape.format == "char" && c.kind(at) == syntax.Null {
		return "Ocelot does not start"
	}
	for p := at; p.parent != nil; p = p.parent {
		switch {
		case p.parent.shape.isDict() && p.parent.name == "RouteClaimsRequirement":
			return "Ocelot drops this entry without a message, and the claim is not enforced"
		case p.parent.shape.isDict():
			return "Ocelot drops this entry without a message"
		case !p.parent.shape.isList():
			continue
		case p == at:
			return "Ocelot drops this element without a message"
		}
		switch p.shape.class {
		case "Route", "DynamicRoute", "AggregateRoute":
			return strings.TrimSpace("Ocelot drops the whole "+routeWord(p.shape.class)+" "+c.identity(p)) + " without a message"
		case "HostAndPort":
			return "Ocelot drops this host without a message"
		}
		return "Ocelot drops this entry without a message"
	}
	return "Ocelot does not start"
}

func routeWord(class string) string {
	switch class {
	case "DynamicRoute":
		return "dynamic route"
	case "AggregateRoute":
		return "aggregate"
	}
	return "route"
}

// inOwn says whether a place lies in a section that only margay reads.
func (c *checker) inOwn(at *place) bool {
	for p := at; p != nil; p = p.parent {
		if p.shape.own() {
			return true
		}
	}
	return false
}
