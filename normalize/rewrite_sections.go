package normalize

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/syntax"
)

// renameSections replaces the deprecated names beside QoSOptions. It leaves
// alone whatever a rename could change, rather than to take values out.
func (r *rewriter) renameSections(g *Gateway) {
	global := g.Config.Global
	names := schemeNames{rewriter: r}
	if global.AuthenticationOptions != nil {
		names.global = &global.AuthenticationOptions.AuthenticationOptions
	}
	limits := limitNames{rewriter: r}
	if global.RateLimitOptions != nil {
		limits.global = &global.RateLimitOptions.RateLimitByHeaderRule
	}
	for i := range g.Routes {
		route := &g.Routes[i]
		base := route.Base()
		if base == nil {
			continue
		}
		if base.AuthenticationOptions != nil {
			names.routes = append(names.routes, base.AuthenticationOptions)
		}
		own := base.RateLimitOptions
		if route.Kind == Static {
			r.renameSection(base.Section, "FileCacheOptions", "CacheOptions", route.Static.FileCacheOptions != nil)
		} else if rule := route.Dynamic.RateLimitRule; r.texts.has(base.Section.Node, "RateLimitRule") {
			r.renameSection(base.Section, "RateLimitRule", "RateLimitOptions", rule != nil)
			own = cmp.Or(rule, own)
		}
		if own != nil {
			limits.routes = append(limits.routes, own)
		}
	}
	names.rename()
	limits.rename()
}

// renameSection gives a whole section of a route its new name. The deprecated
// one counts as a whole if it is read.
func (r *rewriter) renameSection(route config.Section, deprecated, current string, isRead bool) {
	member := r.texts.member(route.Node, deprecated)
	switch {
	case member == 0:
		return
	case !r.texts.plain(route.Node):
		r.keepMember(member, Scattered)
		return
	case !r.texts.has(route.Node, current):
	case isRead:
		r.texts.remove(route.Node, current)
	default:
		r.texts.remove(route.Node, deprecated)
		return
	}
	r.texts.rename(route.Node, deprecated, current)
	r.result.Renamed++
}

func (r *rewriter) keepMember(member syntax.ID, why KeptWhy) {
	if r.texts.tree.Node(member).Kind != syntax.Null {
		r.result.Kept = append(r.result.Kept, Kept{member, why})
	}
}

// schemeNames replaces AuthenticationProviderKey, which comes first in the list
// of schemes: it joins the other list of its own section and that of the global
// one, so it becomes a list only where there is no other.
type schemeNames struct {
	*rewriter
	global *config.AuthenticationOptions // nil if none
	routes []*config.AuthenticationOptions
}

const oldScheme, newSchemes = "AuthenticationProviderKey", "AuthenticationProviderKeys"

func (s *schemeNames) rename() {
	joins := false
	for _, o := range s.routes {
		joins = joins || namesScheme(s.global) && namesScheme(o)
	}
	if s.global != nil {
		s.one(s.global, joins)
	}
	for _, o := range s.routes {
		s.one(o, joins)
	}
}

func namesScheme(o *config.AuthenticationOptions) bool {
	return o != nil && (strings.TrimSpace(o.AuthenticationProviderKey.V) != "" || o.AuthenticationProviderKeys.Len() > 0)
}

func (s *schemeNames) one(o *config.AuthenticationOptions, joins bool) {
	member := s.texts.member(o.Node, oldScheme)
	switch {
	case member == 0 || !o.AuthenticationProviderKey.IsSet():
		return
	case !s.texts.plain(o.Node):
		s.keepMember(member, Scattered)
		return
	case strings.TrimSpace(o.AuthenticationProviderKey.V) == "":
		s.texts.remove(o.Node, oldScheme)
		return
	case joins || o.AuthenticationProviderKeys.Len() > 0:
		s.keepMember(member, Joined)
		return
	}
	if s.texts.has(o.Node, newSchemes) {
		s.texts.remove(o.Node, newSchemes)
	}
	s.texts.rename(o.Node, oldScheme, newSchemes)
	s.texts.write(o.Node, oldScheme, "["+jsonText(o.AuthenticationProviderKey.V)+"]")
	s.result.Renamed++
}

// jsonText writes a text as JSON, with its marks of HTML as they are.
func jsonText(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return `""` // no text fails to encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}
