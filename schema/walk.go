package schema

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/known"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

// walk holds nodes against shapes without saying what is wrong. It allocates
// nothing. Each goroutine has a walk of its own.
type walk struct {
	tree  *syntax.Tree
	known known.Members
	quiet *quiet
	// resilience are the sections met that only margay reads.
	resilience []syntax.ID
	// unknown says that an object had a name that its schema has not.
	unknown bool
}

// verdict is what the walk makes of a part of the configuration.
type verdict uint8

const (
	// good: there is nothing to be said.
	good verdict = iota
	// unknownNames: only names have to be reported.
	unknownNames
	// broken: the library has to judge it.
	broken
)

// judge walks over a part of the configuration. A part that is broken is
// examined as a whole, so its sections are not counted here.
func (w *walk) judge(s *shape, id syntax.ID) verdict {
	mark := len(w.resilience)
	w.unknown = false
	switch {
	case !w.silent(s, id):
		w.resilience = w.resilience[:mark]
		return broken
	case w.unknown:
		return unknownNames
	}
	return good
}

// silent says whether there is nothing to be said about a value, apart from
// names: the library accepts it, and it holds no null that matters. What could
// not be read has been said already.
func (w *walk) silent(s *shape, id syntax.ID) bool {
	n := w.tree.Node(id)
	if n.Flags&syntax.AlsoValue != 0 && !s.types.has(arrayType|objectType) && s.types != 0 {
		id = w.tree.ValueOf(id)
		n = w.tree.Node(id)
	}
	switch {
	case n.Kind == syntax.Bad || s.types == 0:
		return true
	case n.Kind == syntax.Object:
		return w.silentObject(s, id)
	case n.Kind == syntax.Array:
		return s.isList() && w.silentItems(s, id)
	case s.types.has(arrayType | objectType):
		return n.Kind == syntax.Null || n.Kind == syntax.String && w.tree.Text(id) == ""
	}
	return w.silentScalar(s, id, n.Kind)
}

func (w *walk) silentScalar(s *shape, id syntax.ID, kind syntax.Kind) bool {
	switch kind {
	case syntax.Null:
		return s.types.has(nullType) && !s.nullMatters()
	case syntax.True, syntax.False:
		return s.types.has(booleanType)
	case syntax.Number:
		if !s.types.has(numberType | integerType) {
			return false
		}
	case syntax.String:
		if !s.types.has(stringType) {
			return false
		}
	}
	return (s.check == nil || s.check(w.tree.Text(id))) && (s.enum == nil || slices.Contains(s.enum, w.tree.Text(id)))
}

func (w *walk) silentObject(s *shape, id syntax.ID) bool {
	switch {
	case s.isDict():
		return w.silentEntries(s, id)
	case s.isObject():
		return w.silentMembers(s, id)
	}
	return s.isList() && isList(w.tree, id) && w.silentItems(s, id)
}

func (w *walk) silentItems(s *shape, id syntax.ID) bool {
	for c := w.tree.Node(id).First; c != 0; c = w.tree.Node(c).Next {
		if !w.silent(s.items, c) || s.items.isText() && w.tree.Node(c).Kind == syntax.Null {
			return false
		}
	}
	return true
}

func (w *walk) silentEntries(s *shape, id syntax.ID) bool {
	for c := w.tree.Node(id).First; c != 0; c = w.tree.Node(c).Next {
		n := w.tree.Node(c)
		if n.Kind == syntax.Null || n.Flags&syntax.AlsoValue != 0 || !w.silent(s.entries, c) {
			return false
		}
	}
	return true
}

func (w *walk) silentMembers(s *shape, id syntax.ID) bool {
	found := 0
	for c := w.tree.Node(id).First; c != 0; c = w.tree.Node(c).Next {
		key := w.tree.Key(c)
		i := s.index.Find(key)
		if i < 0 {
			w.unknown = w.unknown || !s.open && !w.quiet.name(key) && w.tree.Node(c).Kind != syntax.Bad
			continue
		}
		if w.known.Is(c, profile.Unread) {
			continue
		}
		member := s.members[i]
		if member.own() && w.tree.Node(c).First != 0 {
			w.resilience = append(w.resilience, c)
		}
		if !w.silent(member, c) {
			return false
		}
		if len(s.required) > 0 && w.tree.Node(c).Kind != syntax.Null && slices.Contains(s.required, s.names[i]) {
			found++
		}
	}
	return found == len(s.required)
}

// own says whether the shape is that of a section which only margay reads.
func (s *shape) own() bool { return s.class == "Resilience" || s.class == "GlobalResilience" }

// isText says whether the shape takes any text.
func (s *shape) isText() bool { return s.types.has(stringType) && s.check == nil && s.enum == nil }

// nullMatters says whether null is read differently by versions of .NET: 8 and
// 9 fail to convert it where a value is required, 10 takes the zero of the
// type (recorded: load-dotnet-versions).
func (s *shape) nullMatters() bool { return s.format == "int32" || s.format == "boolean" }

// quiet decides about which names nothing is said.
type quiet struct {
	exact    map[string]bool
	prefixes []string
}

// newQuiet returns the names that are notes, extensions or allowed by the user.
func newQuiet(allowed []string) quiet {
	q := quiet{prefixes: []string{"_", "$", "//", "swagger"}}
	for _, name := range allowed {
		name = strings.ToLower(name)
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			q.prefixes = append(q.prefixes, prefix)
			continue
		}
		if q.exact == nil {
			q.exact = map[string]bool{}
		}
		q.exact[name] = true
	}
	return q
}

func (q *quiet) name(name string) bool {
	for _, prefix := range q.prefixes {
		if len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			return true
		}
	}
	return len(q.exact) > 0 && q.exact[strings.ToLower(name)]
}

// isList says whether a node is written as a list; see checker.isList.
func isList(tree *syntax.Tree, id syntax.ID) bool {
	switch tree.Node(id).Kind {
	case syntax.Array:
		return true
	case syntax.Object:
		for c := range tree.Children(id) {
			if !isPosition(tree.Key(c)) {
				return false
			}
		}
		return true
	}
	return false
}

func isPosition(name string) bool {
	return name != "" && strings.Trim(name, "0123456789") == ""
}
