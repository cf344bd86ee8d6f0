package schema

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// subject names what a place is, whatever line it stands on: the route and the
// option below it.
func (c *checker) subject(at *place) diag.Subject {
	var steps []string
	route := ""
	for p := at; p.parent != nil; p = p.parent {
		if p.parent.shape.isList() && (p.shape.class == "Route" || p.shape.class == "DynamicRoute" || p.shape.class == "AggregateRoute") {
			if c.last.id != p.id {
				c.last.id, c.last.identity = p.id, c.identity(p)
			}
			route = c.last.identity
			break
		}
		if p.name != "" && p.shape.class != "GlobalConfiguration" {
			steps = append(steps, p.name)
		}
	}
	slices.Reverse(steps)
	return diag.Subject{Route: route, Option: strings.Join(steps, ".")}
}

// identity names a route that may not have been bound: its methods, template
// and host, or its service, or its Key.
func (c *checker) identity(at *place) string {
	if at.shape.class == "DynamicRoute" {
		service, namespace := c.textOf(at.id, "ServiceName"), c.textOf(at.id, "ServiceNamespace")
		if namespace != "" {
			return namespace + "." + service
		}
		return service
	}
	template := c.textOf(at.id, "UpstreamPathTemplate")
	if template == "" {
		return c.textOf(at.id, "Key")
	}
	name := template
	if methods := c.methods(at.id); len(methods) > 0 {
		name = strings.Join(methods, ",") + " " + template
	}
	if host := c.textOf(at.id, "UpstreamHost"); host != "" {
		name += " host=" + host
	}
	return name
}

func (c *checker) methods(id syntax.ID) []string {
	var methods []string
	if list := c.memberOf(id, "UpstreamHttpMethod"); list != 0 {
		for item := range c.tree.Children(list) {
			methods = append(methods, strings.ToUpper(c.tree.Text(item)))
		}
	}
	slices.Sort(methods)
	return slices.Compact(methods)
}

// memberOf returns the member of an object with a name; 0 if there is none.
func (c *checker) memberOf(id syntax.ID, name string) syntax.ID {
	for member := range c.tree.Children(id) {
		if strings.EqualFold(c.tree.Key(member), name) {
			return member
		}
	}
	return 0
}

func (c *checker) textOf(id syntax.ID, name string) string {
	if member := c.memberOf(id, name); member != 0 {
		return c.tree.Text(member)
	}
	return ""
}

// opening returns the bracket that opens an object or array, so that a finding
// about it does not underline everything in it.
func (c *checker) opening(id syntax.ID) source.Span {
	span := c.tree.Span(id)
	if span.File != nil && span.End > span.Start {
		span.End = span.Start + 1
	}
	return span
}
