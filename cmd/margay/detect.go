package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/project"
	"github.com/margay-dev/margay/schema/settings"
)

// detection is the project of a path.
type detection struct {
	*project.Project
	// root is the folder that the names in the project start from.
	root string
}

// nothingDetected is the detection where there is no project, or none is
// wanted.
func nothingDetected() *detection { return &detection{Project: &project.Project{}} }

// detections keeps what was found by folder and environment: several paths
// often share both.
type detections map[string]*detection

// at returns the project of a path. Standard input has none.
func (d detections) at(c *cli.Context, path string, s *settings.Settings) (*detection, error) {
	if path == "-" || !wanted(c, s) {
		return nothingDetected(), nil
	}
	root, dir, err := project.Root(path)
	if err != nil {
		return nil, fmt.Errorf("look for the project of %s: %w", path, err)
	}
	environment := s.Env
	if c.IsSet(flagEnv) {
		environment = c.String(flagEnv)
	}
	key := filepath.Join(root, dir) + "\x00" + environment
	if d[key] == nil {
		d[key] = &detection{root: root, Project: project.Detect(os.DirFS(root), project.Query{Dir: dir, Environment: environment})}
	}
	return d[key], nil
}

// wanted says whether projects are looked at: unless an option or the settings
// say no.
func wanted(c *cli.Context, s *settings.Settings) bool {
	if s.Detect == nil || c.IsSet(flagDetect) {
		return c.Bool(flagDetect)
	}
	return *s.Detect
}

// places shows where facts stand, each once.
func (d *detection) places(at []project.Place) string {
	var texts []string
	for _, p := range at {
		text := fmt.Sprintf("%s:%d", relative(filepath.Join(d.root, filepath.FromSlash(p.File))), p.Line)
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}

// relative shows a path as seen from the working directory, if it is not far
// from there.
func relative(name string) string {
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	rel, err := filepath.Rel(here, name)
	if err != nil || strings.HasPrefix(rel, filepath.Join("..", "..", "..")) {
		return name
	}
	return rel
}

// question asks for what the project leaves open and nobody has said; nil if
// there is nothing to ask.
func (d *detection) question(path string, said func(project.Option) bool) error {
	for _, q := range d.Questions() {
		if said(q.Option) {
			continue
		}
		what := map[project.Option]string{project.Ocelot: "which Ocelot runs", project.Provider: "which QoS provider runs"}[q.Option]
		return &usageError{
			message: fmt.Sprintf("%s %s? %s (%s)", what, path, q.Text, d.places(q.At)),
			help: fmt.Sprintf("say --%s %s, or %q in %s; --%s=false looks at no project",
				q.Option, map[project.Option]string{project.Ocelot: "VERSION", project.Provider: "QOS"}[q.Option], q.Option, settings.Name, flagDetect),
			here: true,
		}
	}
	return nil
}

// unsure names the options that the project leaves open and nobody has said.
func (d *detection) unsure(said func(project.Option) bool) []string {
	var names []string
	for _, doubt := range d.Doubts {
		if name := string(doubt.Option); !said(doubt.Option) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// hints adds to problems with a path what the project says about loading.
func (d *detection) hints(problems []error) []error {
	for _, doubt := range d.Doubts {
		if doubt.Option != project.Load || len(problems) != 1 {
			continue
		}
		if u, ok := errors.AsType[*usageError](problems[0]); ok && u.help != "" {
			return problems
		}
		return []error{&usageError{message: problems[0].Error(), help: doubt.Text, here: true}}
	}
	return problems
}
