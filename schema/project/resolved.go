package project

import (
	"encoding/xml"
	"io/fs"
	"path"
	"strings"

	"github.com/margay-dev/margay/schema/project/msbuild"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// lockEntry is what packages.lock.json says of a package for one framework.
type lockEntry struct {
	resolved  string
	requested string // the lowest version that was asked for; "" for what others brought
	at        Place
}

// lockEntries returns what a lock file says of a package.
func lockEntries(files fs.FS, name, id string) []lockEntry {
	tree, root := object(files, name)
	var all []lockEntry
	for framework := range below(tree, root, "dependencies") {
		for pkg := range tree.Children(framework) {
			if !sameName(tree.Key(pkg), id) {
				continue
			}
			resolved := tree.Find(pkg, "resolved")
			version := normal(tree.Text(resolved))
			if version == "" {
				continue
			}
			requested := tree.Text(tree.Find(pkg, "requested"))
			all = append(all, lockEntry{resolved: version, requested: require(requested).lowest, at: place(tree, resolved, name)})
		}
	}
	return all
}

// libraries returns the packages of a *.deps.json.
func libraries(files fs.FS, name string) []Package {
	tree, root := object(files, name)
	var all []Package
	for lib := range below(tree, root, "libraries") {
		id, version, _ := strings.Cut(tree.Key(lib), "/")
		if ofOcelot(id) {
			all = append(all, Package{Name: id, Version: normal(version), At: Place{File: name, Line: tree.KeySpan(lib).Position().Line}})
		}
	}
	return all
}

// object reads a JSON file; an empty tree if it cannot be read.
func object(files fs.FS, name string) (*syntax.Tree, syntax.ID) {
	tree := &syntax.Tree{}
	text, err := readFile(files, name)
	if err != nil {
		return tree, 0
	}
	doc := syntax.Parse(tree, source.NewFile(name, text))
	if len(doc.Defects) > 0 {
		return &syntax.Tree{}, 0
	}
	return tree, doc.Root
}

// below yields the members of a member.
func below(tree *syntax.Tree, root syntax.ID, name string) func(yield func(syntax.ID) bool) {
	if root == 0 || tree.Node(root).Kind != syntax.Object {
		return func(func(syntax.ID) bool) {}
	}
	at := tree.Find(root, name)
	if at == 0 {
		return func(func(syntax.ID) bool) {}
	}
	return tree.Children(at)
}

func place(tree *syntax.Tree, id syntax.ID, name string) Place {
	return Place{File: name, Line: tree.Span(id).Position().Line}
}

// builds returns the *.deps.json that builds of a project left in bin.
func builds(files fs.FS, project string) []string {
	file := strings.TrimSuffix(path.Base(project), path.Ext(project)) + ".deps.json"
	var found []string
	var look func(dir string, depth int)
	look = func(dir string, depth int) {
		if depth > 4 || len(found) > 16 {
			return
		}
		for _, e := range entries(files, dir) {
			switch name := path.Join(dir, e.Name()); {
			case e.IsDir():
				look(name, depth+1)
			case e.Name() == file:
				found = append(found, name)
			}
		}
	}
	look(path.Join(path.Dir(project), "bin"), 0)
	return found
}

// published looks for an application without its project: *.deps.json beside
// the configuration.
func published(files fs.FS, dir string) *Project {
	var found []*Project
	for _, name := range folder(files, dir) {
		if !strings.HasSuffix(name, ".deps.json") || len(found) > maxGuesswork {
			continue
		}
		name = path.Join(dir, name)
		out := &Project{File: name, Packages: libraries(files, name)}
		for _, pkg := range out.Packages {
			if sameName(pkg.Name, "Ocelot") && pkg.Version != "" {
				out.Ocelot = Fact[string]{Value: pkg.Version, Known: true, At: []Place{pkg.At}}
			}
		}
		if !out.Ocelot.Known {
			continue
		}
		for _, o := range []Option{Provider, Schemes, Discovery} {
			out.doubt(o, false, []Place{{File: name, Line: 1}}, "the sources are not here")
		}
		found = append(found, out)
	}
	switch len(found) {
	case 0:
		return &Project{}
	case 1:
		return found[0]
	}
	return agree(found)
}

// old returns the packages of packages.config, which projects for .NET
// Framework have.
func (v *versions) old() []Package {
	name := path.Join(path.Dir(v.root.File), "packages.config")
	text, err := readFile(v.files, name)
	if err != nil {
		return nil
	}
	var list struct {
		Packages []struct {
			ID      string `xml:"id,attr"`
			Version string `xml:"version,attr"`
		} `xml:"package"`
	}
	if xml.Unmarshal(text, &list) != nil {
		return nil
	}
	var all []Package
	for _, pkg := range list.Packages {
		if ofOcelot(pkg.ID) {
			before, _, _ := strings.Cut(string(text), `"`+pkg.ID+`"`)
			all = append(all, Package{Name: pkg.ID, Version: normal(pkg.Version), At: msbuild.Place{File: name, Line: strings.Count(before, "\n") + 1}})
		}
	}
	return all
}
