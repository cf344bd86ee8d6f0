// Package known says which members of a configuration are read otherwise than
// by the newest release of Ocelot: not at all, or as another type.
//
// It takes the normalised tree and the profile whose release counts, and gives
// back the nodes. It reports nothing and changes nothing.
package known

import (
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

// Members are the nodes that a release reads otherwise, by ID. A nil Members
// is for a release that reads everything as now.
type Members map[syntax.ID]*profile.Names

// Of returns the members of a configuration that the profile's release reads
// otherwise. root is the node that Ocelot binds; 0 is an empty configuration.
func Of(tree *syntax.Tree, root syntax.ID, p profile.Profile) Members {
	names := p.Names()
	if names == nil || root == 0 {
		return nil
	}
	m := Members{}
	m.walk(tree, root, names)
	return m
}

// Is says whether a node is read in the given way.
func (m Members) Is(id syntax.ID, r profile.Reading) bool {
	if len(m) == 0 {
		return false
	}
	names := m[id]
	return names != nil && names.Reading == r
}

// walk follows the names into a node. What is not read holds nothing to look
// at.
func (m Members) walk(tree *syntax.Tree, id syntax.ID, names *profile.Names) {
	for child := tree.Node(id).First; child != 0; child = tree.Node(child).Next {
		if names.Items != nil {
			m.walk(tree, child, names.Items)
			continue
		}
		member := names.Member(tree.Key(child))
		if member == nil {
			continue
		}
		if member.Reading != profile.AsNow {
			m[child] = member
		}
		if member.Reading != profile.Unread {
			m.walk(tree, child, member)
		}
	}
}
