package msbuild

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

type evaluation struct {
	files   reader
	project *Project
	props   map[string]property
	// at is the file that is read, maybe the condition around what is read.
	at      string
	maybe   string
	visited map[string]bool
	// items are evaluated when all properties have their last values, as
	// MSBuild does it.
	items []func()
}

// maxImports bounds how many files one project may consist of.
const maxImports = 64

// Read evaluates a project file with the files that MSBuild reads along:
// Directory.Build.props, Directory.Packages.props and Directory.Build.targets
// of the nearest folder above, and what they import. The error is that the
// project file itself cannot be read; it is for people.
func Read(files fs.FS, name string) (*Project, error) {
	e := &evaluation{
		files:   reader{files},
		project: &Project{File: name, Lock: lock(reader{files}, name)},
		props:   map[string]property{},
		visited: map[string]bool{},
	}
	e.set("MSBuildProjectDirectory", path.Dir(name))
	e.set("MSBuildProjectName", strings.TrimSuffix(path.Base(name), path.Ext(name)))
	text, err := e.files.read(name)
	if err != nil {
		return nil, err
	}
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	dir := path.Dir(name)
	for _, around := range aroundProject[:2] {
		e.around(dir, around)
	}
	e.run(name, root)
	e.around(dir, aroundProject[2])
	for _, items := range e.items {
		items()
	}
	e.finish(root)
	return e.project, nil
}

// around is a file that MSBuild reads along with every project of a folder.
type around struct {
	name string
	// off is the property that leaves it out, path the one that names another.
	off, path string
}

var aroundProject = [...]around{
	{"Directory.Build.props", "ImportDirectoryBuildProps", "DirectoryBuildPropsPath"},
	{"Directory.Packages.props", "ImportDirectoryPackagesProps", "DirectoryPackagesPropsPath"},
	{"Directory.Build.targets", "ImportDirectoryBuildTargets", "DirectoryBuildTargetsPath"},
}

// around reads the file of that name in the nearest folder above, or the one
// that a property names instead.
func (e *evaluation) around(dir string, f around) {
	by := Place{File: e.project.File, Line: 1}
	if v, set := e.props[strings.ToLower(f.off)]; set && v.known && strings.EqualFold(v.value, "false") {
		return
	}
	found := e.files.above(dir, f.name)
	if v, set := e.props[strings.ToLower(f.path)]; set {
		found = path.Clean(strings.ReplaceAll(v.value, `\`, "/"))
		if !v.known || !fs.ValidPath(found) {
			e.project.Missing = append(e.project.Missing, Reference{Name: v.value, At: by})
			return
		}
	}
	if found != "" {
		e.include(found, by)
	}
}

// include reads a further file.
func (e *evaluation) include(name string, by Place) {
	if e.visited[name] || len(e.visited) >= maxImports {
		return
	}
	e.visited[name] = true
	text, err := e.files.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		e.project.Missing = append(e.project.Missing, Reference{Name: name, At: by, Maybe: e.maybe})
		return
	}
	root, broken := (*element)(nil), err
	if err == nil {
		root, broken = parse(text)
	}
	if broken != nil {
		e.project.Broken = append(e.project.Broken, Reference{Name: fmt.Sprintf("%s %v", name, broken), At: Place{File: name, Line: 1}})
		return
	}
	e.run(name, root)
}

func (e *evaluation) run(name string, root *element) {
	outer := e.at
	defer func() { e.at = outer }()
	e.at = name
	e.group(root)
}

// group evaluates what stands in an element that holds groups.
func (e *evaluation) group(root *element) {
	for _, child := range root.below {
		e.set("MSBuildThisFileDirectory", path.Dir(e.at)+"/")
		if child.is("ItemGroup") {
			e.later(child)
			continue
		}
		e.under(child.attr("Condition"), func() { e.member(child) })
	}
}

// later keeps a group of items until the properties are known.
func (e *evaluation) later(group *element) {
	at, maybe := e.at, e.maybe
	e.items = append(e.items, func() {
		e.at, e.maybe = at, maybe
		e.set("MSBuildThisFileDirectory", path.Dir(at)+"/")
		e.under(group.attr("Condition"), func() {
			for _, item := range group.below {
				e.under(item.attr("Condition"), func() { e.item(item) })
			}
		})
	})
}

func (e *evaluation) member(child *element) {
	switch {
	case child.is("PropertyGroup"):
		for _, p := range child.below {
			e.under(p.attr("Condition"), func() { e.property(p) })
		}
	case child.is("Import") && child.attr("Sdk") == "":
		e.imported(child)
	case child.is("ImportGroup"), child.is("When"), child.is("Otherwise"):
		e.group(child)
	case child.is("Choose"):
		e.choose(child)
	}
}

// choose evaluates the branches of a Choose: the first whose condition holds.
func (e *evaluation) choose(choose *element) {
	for _, branch := range choose.below {
		v := e.judge(branch.attr("Condition"))
		e.under(branch.attr("Condition"), func() { e.group(branch) })
		if v == holds {
			return
		}
		if v == unknown {
			outer := e.maybe
			defer func() { e.maybe = outer }()
			e.maybe = "not " + branch.attr("Condition")
		}
	}
}

// under runs something if a condition may hold, and remembers one that is not
// decided.
func (e *evaluation) under(condition string, run func()) {
	v := e.judge(condition)
	if v == fails {
		return
	}
	outer := e.maybe
	if v == unknown {
		e.maybe = condition
	}
	run()
	e.maybe = outer
}

// lock is the file that NuGet takes where no property names another: the one
// with the project's name, if there is one.
func lock(files reader, project string) string {
	dir, name := path.Split(project)
	own := dir + "packages." + strings.ReplaceAll(strings.TrimSuffix(name, path.Ext(name)), " ", "_") + ".lock.json"
	if files.exists(own) {
		return own
	}
	return dir + "packages.lock.json"
}
