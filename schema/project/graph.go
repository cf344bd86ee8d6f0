package project

import (
	"errors"
	"io/fs"

	"github.com/margay-dev/margay/schema/project/msbuild"
)

// graph is a project with the projects that it refers to.
type graph struct {
	files  fs.FS
	read   map[string]*msbuild.Project
	broken map[string]string
}

// maxProjects bounds how many projects one gateway consists of.
const maxProjects = 32

// load reads a project file once; nil if it cannot be read.
func (g *graph) load(name string) *msbuild.Project {
	if p, seen := g.read[name]; seen {
		return p
	}
	p, err := msbuild.Read(g.files, name)
	if err != nil {
		if g.broken == nil {
			g.broken = map[string]string{}
		}
		g.broken[name] = err.Error()
		if errors.Is(err, fs.ErrNotExist) {
			g.broken[name] = "does not exist"
		}
	}
	g.read[name] = p
	return p
}

// levels returns the projects by their distance: the root, those that it refers
// to, those that they refer to, and so on. complete is false where one is not
// known or not there.
func (g *graph) levels(root *msbuild.Project) (levels [][]*msbuild.Project, complete bool) {
	seen := map[string]bool{root.File: true}
	complete = true
	level := []*msbuild.Project{root}
	for total := 1; len(level) > 0; {
		levels = append(levels, level)
		var next []*msbuild.Project
		for _, p := range level {
			for _, ref := range p.Projects {
				if seen[ref.Name] {
					continue
				}
				seen[ref.Name] = true
				var below *msbuild.Project
				if ref.Known && total < maxProjects {
					below = g.load(ref.Name)
				}
				if below == nil || ref.Maybe != "" {
					complete = false
				}
				if below != nil {
					next = append(next, below)
					total++
				}
			}
		}
		level = next
	}
	return levels, complete
}
