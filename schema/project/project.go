// Package project finds out from the .NET project around a configuration what
// runs it: the Ocelot version, the QoS provider, how the files are loaded, which
// authentication schemes and discovery providers are registered.
//
// It takes a file system and a folder in it and returns facts, each with the
// lines that say so, and doubts: what the files leave open, and why. It runs
// nothing, follows no symbolic link to a folder, and reads a bounded number of
// files of bounded size. A fact that is not certain is a doubt, never a guess.
package project

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/margay-dev/margay/schema/project/msbuild"
)

// Place is a line of a file, by its name within the file system.
type Place = msbuild.Place

// Fact is something that the files say, with the places that say it. The zero
// Fact is not known.
type Fact[T any] struct {
	Value T
	Known bool
	At    []Place
}

// Option is what a fact or a doubt is about.
type Option string

// The options, by the names that they have on the command line.
const (
	Ocelot    Option = "ocelot"
	Provider  Option = "provider"
	Load      Option = "load"
	Section   Option = "section"
	Schemes   Option = "schemes"
	Discovery Option = "discovery"
)

// Doubt is something that the files do not decide.
type Doubt struct {
	Option Option
	// Text is a clause without a full stop.
	Text string
	At   []Place
	// Question means that any answer would be a guess between different ones:
	// it has to be asked for.
	Question bool
}

// Project is what was found. The zero Project is nothing.
type Project struct {
	// File is the project file, or *.deps.json of a published application; ""
	// if there is none that uses Ocelot.
	File string
	// Packages are the packages of Ocelot, its providers and
	// SwaggerForOcelot, in the order of the files.
	Packages []Package
	// Ocelot is the version of the package, such as "24.0.0".
	Ocelot Fact[string]
	// Provider is "polly", "builtin" or "none".
	Provider Fact[string]
	// Load is what Choice.Way of package load takes.
	Load Fact[string]
	// Section is the section that Ocelot binds.
	Section Fact[string]
	// Schemes are the authentication schemes that are registered; empty: none.
	Schemes Fact[[]string]
	// Discovery says whether a discovery provider is registered.
	Discovery Fact[bool]
	// Doubts are in the order of the options above.
	Doubts []Doubt
}

// Package is one package that the project uses.
type Package struct {
	Name, Version string
	At            Place
}

// Query is what is asked for.
type Query struct {
	// Dir is the folder of the configuration, in the file system.
	Dir string
	// Environment is the host's environment; "" is Production.
	Environment string
}

// Detect looks for the project of a folder: in the folder itself, upwards to
// the root of the file system and, if there is a solution on the way, among its
// projects.
func Detect(files fs.FS, q Query) *Project {
	if q.Environment == "" {
		q.Environment = "Production"
	}
	candidates := find(files, q.Dir)
	var found []*Project
	for _, name := range candidates {
		if p := detect(files, name, q); p != nil {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 0:
		return published(files, q.Dir)
	case 1:
		return found[0]
	}
	return agree(found)
}

// detect looks at one project; nil if it has nothing to do with Ocelot.
func detect(files fs.FS, name string, q Query) *Project {
	g := graph{files: files, read: map[string]*msbuild.Project{}}
	root := g.load(name)
	out := &Project{File: name}
	if root == nil {
		return g.unreadable(out)
	}
	v := versions{graph: &g, root: root, out: out}
	if !v.uses() {
		return nil
	}
	v.decide()
	newCode(&g, root, out, q).decide()
	return out
}

// unreadable is a project file that cannot be read and speaks of Ocelot all the
// same: nothing is known of it, and nothing may be guessed.
func (g *graph) unreadable(out *Project) *Project {
	text, err := readFile(g.files, out.File)
	if err != nil || !strings.Contains(string(text), "Ocelot") {
		return nil
	}
	out.doubt(Ocelot, true, []Place{{File: out.File, Line: 1}}, "%s %s", path.Base(out.File), g.broken[out.File])
	return out
}

func (p *Project) doubt(o Option, question bool, at []Place, format string, args ...any) {
	p.Doubts = append(p.Doubts, Doubt{Option: o, Text: fmt.Sprintf(format, args...), At: at, Question: question})
}

// Questions returns the doubts that have to be asked about.
func (p *Project) Questions() []Doubt {
	var all []Doubt
	for _, d := range p.Doubts {
		if d.Question {
			all = append(all, d)
		}
	}
	return all
}
