package emit

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// properties are those of the models of all releases, as they were recorded, by
// their path in lower case: "routes[].qosoptions.timeout".
type properties map[string]lifetime

// lifetime is the releases that have a property; last is zero where the newest
// one has it.
type lifetime struct{ first, last profile.Release }

func (l lifetime) has(r profile.Release) bool {
	return !r.Before(l.first) && (l.last == profile.Release{} || !l.last.Before(r))
}

func readNames(t *testing.T) properties {
	t.Helper()
	file, err := os.Open(filepath.Join(oracletest.Dir(t), "properties.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var recorded struct {
		Properties map[string]struct{ First, Last string } `json:"properties"`
	}
	if err := json.NewDecoder(unpacked).Decode(&recorded); err != nil {
		t.Fatal(err)
	}
	all := properties{}
	for path, property := range recorded.Properties {
		var l lifetime
		l.first, _ = profile.ParseRelease(property.First)
		l.last, _ = profile.ParseRelease(property.Last)
		all[strings.ToLower(strings.TrimSuffix(path, "[]"))] = l
	}
	return all
}

// anywhere says whether a release has a property of a name, in lower case.
func (p properties) anywhere(name string, at profile.Release) bool {
	return p.some(name, func(l lifetime) bool { return l.has(at) })
}

// ever says whether any release had one.
func (p properties) ever(name string) bool {
	return p.some(name, func(lifetime) bool { return true })
}

func (p properties) some(name string, fits func(lifetime) bool) bool {
	for path, l := range p {
		if path[strings.LastIndexByte(path, '.')+1:] == name && fits(l) {
			return true
		}
	}
	return false
}

// cameLater returns what speaks against a property that a release has not yet.
func (p properties) cameLater(path string, at, since profile.Release) string {
	l, known := p[strings.ToLower(path)]
	switch {
	case !known:
		return "no release has a property " + path
	case l.has(at):
		return "the release has the property " + path
	}
	return objectIf(l.first != since, path+" came with "+l.first.String())
}

// keyPath returns the path of the member whose name is at a place:
// "Routes[].QoSOptions.Timeout".
func (r *Result) keyPath(at source.Span) string {
	tree := r.Loaded.Tree
	var find func(id syntax.ID, path string) string
	find = func(id syntax.ID, path string) string {
		for child := range tree.Children(id) {
			inside := path + "[]"
			if tree.Node(id).Kind != syntax.Array {
				if inside = strings.TrimPrefix(path+"."+tree.Key(child), "."); tree.KeySpan(child) == at {
					return inside
				}
			}
			if found := find(child, inside); found != "" {
				return found
			}
		}
		return ""
	}
	return find(r.Loaded.Bound, "")
}
