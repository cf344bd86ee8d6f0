package change

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/syntax"
)

// written names the members of a route, and of the global section where it has
// them too, that can decide a part of the plan.
var written = map[string][]string{
	"match.methods":       {"UpstreamHttpMethod"},
	"match.path":          {"UpstreamPathTemplate"},
	"match.host":          {"UpstreamHost"},
	"match.headers":       {"UpstreamHeaderTemplates"},
	"match.priority":      {"Priority", "UpstreamPathTemplate"},
	"match.caseSensitive": {"RouteIsCaseSensitive"},
	"key":                 {"Key"},
	"backend": {"DownstreamScheme", "DownstreamHostAndPorts", "ServiceName", "ServiceNamespace", "DownstreamPathTemplate",
		"DownstreamHttpMethod", "DownstreamHttpVersion", "DownstreamHttpVersionPolicy", "DangerousAcceptAnyServerCertificateValidator", "HttpHandlerOptions"},
	"loadBalancer":    {"LoadBalancerOptions"},
	"requestHeaders":  {"UpstreamHeaderTransform"},
	"responseHeaders": {"DownstreamHeaderTransform"},
	"requestIdHeader": {"RequestIdKey"},
	"clientIps":       {"SecurityOptions"},
	"rateLimit":       {"RateLimitOptions", "RateLimitRule"},
	"authentication":  {"AuthenticationOptions"},
	"claims.required": {"RouteClaimsRequirement"},
	"claims":          {"RouteClaimsRequirement", "AddClaimsToRequest", "AddHeadersToRequest", "AddQueriesToRequest", "ChangeDownstreamPathTemplate"},
	"cache":           {"FileCacheOptions", "CacheOptions"},
	"handlers":        {"DelegatingHandlers"},
	"breaker":         {"QoSOptions", "ResilienceOptions"},
	"failure":         {"QoSOptions", "Timeout"},
	"attemptTimeout":  {"QoSOptions"},
	"outerTimeout":    {"Timeout", "QoSOptions", "ResilienceOptions"},
	"failures":        {"ResilienceOptions", "QoSOptions"},
	"metadata":        {"Metadata"},
	"circuit":         {"LoadBalancerOptions", "QoSOptions", "UpstreamHttpMethod", "DownstreamHostAndPorts"},
	"members":         {"RouteKeys"},
	"aggregator":      {"Aggregator"},
}

// options names the members of QoSOptions that decide a value.
var options = map[string][]string{
	"breaker":                   {"MinimumThroughput", "ExceptionsAllowedBeforeBreaking", "FailureRatio"},
	"breaker.minimumThroughput": {"MinimumThroughput", "ExceptionsAllowedBeforeBreaking"},
	"breaker.failureRatio":      {"FailureRatio"},
	"breaker.samplingDuration":  {"SamplingDuration", "FailureRatio"},
	"breaker.breakDuration":     {"BreakDuration", "DurationOfBreak"},
	"attemptTimeout":            {"Timeout", "TimeoutValue"},
}

// resilience is where every other strategy is written.
var resilience = []string{"ResilienceOptions"}

// namesFor returns the members that decide a field, by its longest known prefix.
func namesFor(field string) []string {
	for name := field; name != ""; {
		if names, ok := written[name]; ok {
			return names
		}
		at := strings.LastIndexByte(name, '.')
		if at < 0 {
			break
		}
		name = name[:at]
	}
	return resilience
}

// cause returns the line that makes fields of a pair differ: the one that
// decides the new value, else the first difference in the members that can
// decide it, else the line that decided the old value and is gone, else the
// route.
func (c *comparison) cause(old, new *entry, fields []Field) *Place {
	for i := range fields {
		place, unchanged := c.decided(old, new, fields[i].Name)
		if place != nil && (!unchanged || c.sameText) {
			return place
		}
		if found := c.optionDifference(old, new, fields[i].Name); found != nil {
			return found
		}
		if found := c.optionWritten(new, fields[i].Name); found != nil && c.sameText {
			return found
		}
		if found := c.difference(old, new, namesFor(fields[i].Name)); found != nil {
			return found
		}
		if place != nil {
			return place
		}
	}
	for i := range fields {
		if place := textPlace(oldSide, originOf(old, fields[i].Name)); place != nil {
			if c.sameText {
				place.Side = newSide
			}
			return place
		}
	}
	return textPlace(newSide, new.at())
}

// decided returns the text that decides a strategy's value in the new side.
// unchanged says that the same text decides it in the old side.
func (c *comparison) decided(old, new *entry, field string) (place *Place, unchanged bool) {
	at := originOf(new, field)
	place = textPlace(newSide, at)
	if place == nil {
		return nil, false
	}
	before := textPlace(oldSide, originOf(old, field))
	return place, before != nil && c.new.lineAt(place) == c.old.lineAt(before)
}

// originOf returns where a value of a route is decided, as plans write it; of a
// whole strategy, its first value that is written.
func originOf(e *entry, field string) string {
	first := ""
	for _, o := range e.origins() {
		if o.Field == field {
			return o.At
		}
		if strings.HasPrefix(o.Field, field+".") && textPlace("", o.At) != nil && first == "" {
			first = o.At
		}
	}
	return first
}

// lineAt returns the text of a line; "" where it is not at hand.
func (s *Side) lineAt(p *Place) string {
	if s.result == nil {
		return ""
	}
	for i := range s.result.Loaded.Texts {
		file := s.result.Loaded.Texts[i].File
		if spanName(file.Name) != p.File {
			continue
		}
		return strings.TrimSpace(string(file.Line(p.Line)))
	}
	return ""
}

// difference returns the first difference between members of two routes, or of
// the global sections.
func (c *comparison) difference(old, new *entry, names []string) *Place {
	if c.old.result == nil || c.new.result == nil {
		return nil
	}
	if c.sameText {
		return c.firstWritten(new, names)
	}
	for _, of := range []struct{ old, new syntax.ID }{
		{sectionOf(old), sectionOf(new)},
		{c.old.result.Config.Global.Node, c.new.result.Config.Global.Node},
	} {
		for _, name := range names {
			if place := c.memberDifference(of.old, of.new, name); place != nil {
				return place
			}
		}
	}
	return c.memberDifference(sectionOf(old), sectionOf(new), "Key")
}

// optionDifference returns the first difference in what decides a QoS option: the
// route's own section, the global one, and which routes that one is for.
func (c *comparison) optionDifference(old, new *entry, field string) *Place {
	names, ok := options[field]
	if !ok || c.old.result == nil || c.new.result == nil {
		return nil
	}
	if c.sameText {
		return nil
	}
	a, b := c.old.result.Config, c.new.result.Config
	own := [2]syntax.ID{memberOf(a.Tree, sectionOf(old), "QoSOptions"), memberOf(b.Tree, sectionOf(new), "QoSOptions")}
	global := [2]syntax.ID{memberOf(a.Tree, a.Global.Node, "QoSOptions"), memberOf(b.Tree, b.Global.Node, "QoSOptions")}
	for _, of := range [][2]syntax.ID{own, global} {
		for _, name := range names {
			if place := c.memberDifference(of[0], of[1], name); place != nil {
				return place
			}
		}
	}
	if place := c.memberDifference(global[0], global[1], "RouteKeys"); place != nil {
		return place
	}
	return c.memberDifference(sectionOf(old), sectionOf(new), "Key")
}

// firstWritten returns the first of some members that stands in a route or in the
// global section, where both sides are one text that two programs read.
func (c *comparison) firstWritten(e *entry, names []string) *Place {
	tree := c.new.result.Config.Tree
	for _, of := range []syntax.ID{sectionOf(e), c.new.result.Config.Global.Node} {
		for _, name := range names {
			if id := memberOf(tree, of, name); id != 0 {
				return c.nodePlace(newSide, id)
			}
		}
	}
	return nil
}

// optionWritten returns the first option of QoSOptions that can decide a value, of
// the route before those of the global section.
func (c *comparison) optionWritten(e *entry, field string) *Place {
	names := options[field]
	switch {
	case !c.sameText:
		return nil
	case strings.HasPrefix(field, "breaker"), field == "failures.timeouts":
		names = slices.Concat(names, options["breaker"])
	case field == "outerTimeout":
		names = options["attemptTimeout"]
	}
	tree := c.new.result.Config.Tree
	if field == "outerTimeout" {
		if id := memberOf(tree, sectionOf(e), "Timeout"); id != 0 {
			return c.nodePlace(newSide, id)
		}
	}
	for _, of := range []syntax.ID{sectionOf(e), c.new.result.Config.Global.Node} {
		section := memberOf(tree, of, "QoSOptions")
		for _, name := range names {
			if id := memberOf(tree, section, name); id != 0 {
				return c.nodePlace(newSide, id)
			}
		}
	}
	return nil
}

func sectionOf(e *entry) syntax.ID {
	if e.source == nil || e.source.Kind == normalize.Unlisted {
		return 0
	}
	return e.source.Section().Node
}

func (c *comparison) memberDifference(old, new syntax.ID, name string) *Place {
	before, after := memberOf(c.old.result.Config.Tree, old, name), memberOf(c.new.result.Config.Tree, new, name)
	switch {
	case before == 0 && after == 0:
		return nil
	case before == 0:
		return c.nodePlace(newSide, after)
	case after == 0:
		return c.nodePlace(oldSide, before)
	}
	return c.within(before, after)
}

func memberOf(t *syntax.Tree, of syntax.ID, name string) syntax.ID {
	if of == 0 {
		return 0
	}
	return t.Find(of, name)
}

// within returns the innermost first difference of two nodes; nil where they say
// the same.
func (c *comparison) within(old, new syntax.ID) *Place {
	a, b := c.old.result.Config.Tree, c.new.result.Config.Tree
	if sameNode(a, old, b, new) {
		return nil
	}
	if a.Node(old).Kind != b.Node(new).Kind {
		return c.nodePlace(newSide, new)
	}
	switch b.Node(new).Kind {
	case syntax.Object:
		for child := range b.Children(new) {
			if before := a.Find(old, b.Key(child)); before == 0 {
				return c.nodePlace(newSide, child)
			} else if place := c.within(before, child); place != nil {
				return place
			}
		}
		for child := range a.Children(old) {
			if b.Find(new, a.Key(child)) == 0 {
				return c.nodePlace(oldSide, child)
			}
		}
	case syntax.Array:
		before := a.Node(old).First
		for child := range b.Children(new) {
			if before == 0 {
				return c.nodePlace(newSide, child)
			}
			if place := c.within(before, child); place != nil {
				return place
			}
			before = a.Node(before).Next
		}
	}
	return c.nodePlace(newSide, new)
}

func (c *comparison) nodePlace(side string, id syntax.ID) *Place {
	s := c.new
	if side == oldSide {
		s = c.old
	}
	t := s.result.Config.Tree
	if n := t.Node(id); !s.isUserFile(n.File) {
		return nil
	}
	if key := t.KeySpan(id); !key.IsZero() {
		return spanPlace(side, key)
	}
	return spanPlace(side, t.Span(id))
}
