package schema

import (
	"fmt"
	"strings"
	"unicode"
)

// ordinaryWord says whether the name of an option is also a word that people use
// for something else; such names are taken for misplaced only close to their
// home.
func ordinaryWord(name string) bool {
	switch strings.ToLower(name) {
	case "description", "namespace", "parameter", "parametersmap", "virtualdirectory", "statuscode", "expression":
		return true
	}
	return len(name) <= 8 && !isCompound(name)
}

// isCompound says whether a name is written as several words: BaseUrl is nobody's
// word for something else.
func isCompound(name string) bool {
	return len(name) > 1 && strings.ContainsFunc(name[1:], unicode.IsUpper) && strings.ContainsFunc(name, unicode.IsLower)
}

// home returns where a name that an object does not have belongs, in words.
func (set *shapeSet) home(at *place) (string, bool) {
	owner := at.parent.shape
	if s := set.classes["Global"+owner.class]; s.has(at.name) {
		return fmt.Sprintf("in %q of \"GlobalConfiguration\"", at.parent.name), true
	}
	if owner.class == "DynamicRoute" && set.classes["Route"].has(at.name) {
		return "on a static route", true
	}
	for p := at.parent; p != nil; p = p.parent {
		if p != at.parent && p.shape.has(at.name) && p.parent != nil {
			return whereOf(p), true
		}
		if home, ok := set.below(p.shape, at.name); ok && p.parent != nil {
			return home, true
		}
	}
	if ordinaryWord(at.name) {
		return "", false
	}
	return set.anywhere(owner, at.name)
}

// below looks for a name one level below an object, in the elements of its
// lists too.
func (set *shapeSet) below(s *shape, name string) (string, bool) {
	for i, member := range s.members {
		if member.class == "RateLimiting" || member.inside {
			continue
		}
		switch {
		case member.items.has(name):
			return fmt.Sprintf("in an entry of %q", s.names[i]), true
		case member.has(name):
			return fmt.Sprintf("in %q", s.names[i]), true
		}
	}
	return "", false
}

// anywhere looks for a name in the large objects and in their sections.
func (set *shapeSet) anywhere(owner *shape, name string) (string, bool) {
	homes := []struct{ class, where string }{
		{"GlobalConfiguration", "in \"GlobalConfiguration\""}, {"Route", "on a route"},
		{"DynamicRoute", "on a dynamic route"}, {"AggregateRoute", "on an aggregate"},
	}
	for _, home := range homes {
		if home.class != owner.class && set.classes[home.class].has(name) {
			return home.where, true
		}
	}
	if set.root.has(name) && owner != set.root && !strings.HasPrefix(name, "$") {
		return "at the top of the file", true
	}
	for _, home := range homes[:2] {
		if where, ok := set.below(set.classes[home.class], name); ok {
			return where, true
		}
	}
	return "", false
}

// has says whether a shape, which may be nil, has a member.
func (s *shape) has(name string) bool {
	if s == nil {
		return false
	}
	member, _ := s.find(name)
	return member != nil
}

// whereOf returns the words for being in an object.
func whereOf(p *place) string {
	switch p.shape.class {
	case "Route":
		return "on a route"
	case "DynamicRoute":
		return "on a dynamic route"
	case "AggregateRoute":
		return "on an aggregate"
	}
	switch {
	case p.parent == nil:
		return "at the top of the file"
	case p.name != "":
		return fmt.Sprintf("in %q", p.name)
	}
	return fmt.Sprintf("in an entry of %q", p.parent.name)
}
