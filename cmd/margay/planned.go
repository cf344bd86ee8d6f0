package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/profile"
)

// planned is a gateway as the runtime sees it: compiled just now, or read from
// a plan.
type planned struct {
	plan *plan.Plan
	// gateway is nil where a plan was read.
	gateway *gateway
	// name is how the user calls it.
	name string
	// routes and aggregates are the sources of those of the plan; nil where a
	// plan was read.
	routes, aggregates []*normalize.Route
	// around is nil but for what is served, and so is what keep sets.
	around *surroundings
	mask   func(string) string
	files  []string
}

// planned returns the one gateway at the given paths, the working directory
// where there are none. What keeps it from having a plan is said on standard
// error; the error is then errFound. A configuration is asked about with check
// first, unless that is nil.
func (p *program) planned(c *cli.Context, paths []string, check func(*program, *gateway) error) (*planned, error) {
	if len(paths) == 1 && isPlan(paths[0]) {
		return readPlan(paths[0])
	}
	gateways, problems := p.compile(c, paths)
	switch {
	case problems != nil:
		return nil, problems
	case len(gateways) != 1:
		return nil, usage("name one file or folder", "one gateway is needed, and these are %d", len(gateways))
	}
	if check != nil {
		if err := check(p, &gateways[0]); err != nil {
			return nil, err
		}
	}
	return p.lower(&gateways[0])
}

// lower makes the plan of a gateway.
func (p *program) lower(g *gateway) (*planned, error) {
	lowered, found := emit.Plan(g.Result)
	if err := p.printFindings(*g, found.Sorted()); err != nil {
		return nil, err
	}
	if lowered == nil {
		return nil, errFound
	}
	it := &planned{plan: lowered, gateway: g, name: g.Input.Name}
	it.routes, it.aggregates = emit.PlanSources(g.Result)
	return it, nil
}

// keep keeps what serving needs of a gateway, and lets go of the rest: texts,
// trees and resolved routes take several times the memory of their plan.
func (d *planned) keep() {
	d.plan.Detach()
	d.mask = func(text string) string { return text }
	if d.gateway == nil {
		return
	}
	d.mask = d.gateway.Masker()
	for _, text := range d.gateway.Loaded.Texts {
		d.files = append(d.files, text.File.Name)
	}
	d.gateway, d.routes, d.aggregates = nil, nil, nil
}

// isPlan says whether a file holds a plan.
func isPlan(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	return startsPlan(file)
}

// startsPlan says whether a text is a plan: an object that begins with one of
// the members with which plans do and configurations do not.
func startsPlan(text io.Reader) bool {
	dec := json.NewDecoder(text)
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return false
	}
	switch first, err := dec.Token(); first {
	case "version", "profile", "digest", "baseUrl":
		return err == nil
	}
	return false
}

func readPlan(name string) (*planned, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, cause(err))
	}
	read, err := plan.Decode(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return &planned{plan: read, name: name}, nil
}

// cause returns an error of the file system without the path.
func cause(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}

// headline is the first line of a report.
func (d *planned) headline() string {
	if d.gateway != nil {
		return emit.Headline(d.gateway.Result, d.gateway.origin)
	}
	provider, _ := profile.ParseProvider(string(d.plan.Profile.Provider))
	return d.name + " · a plan, " + profile.Profile{Version: d.plan.Profile.Ocelot, Provider: provider}.String()
}

// sentences say in plain words what the route with an index in the plan gets.
func (d *planned) sentences(index int) []string {
	if d.gateway == nil {
		return emit.PlanSentences(&d.plan.Routes[index])
	}
	return emit.Sentences(d.gateway.Result, d.routes[index])
}

// routeNumber returns the place of a route in the configuration; -1 where it
// has none or a plan was read.
func (d *planned) routeNumber(index int) int { return numberOf(d.routes, index) }

func (d *planned) aggregateNumber(index int) int { return numberOf(d.aggregates, index) }

func numberOf(routes []*normalize.Route, index int) int {
	if index >= len(routes) || routes[index].Kind == normalize.Unlisted {
		return -1
	}
	return routes[index].Index
}

// refused words what is wrong with the routes of a plan, one by one, each with
// the place where the route is written.
func (d *planned) refused(invalid *plan.InvalidError) error {
	var all []error
	for _, problem := range invalid.Problems {
		all = append(all, fmt.Errorf("%s%s", d.placeOf(problem.Path), problem.Reason))
	}
	return errors.Join(all...)
}

// placeOf words a path such as "routes[3].match.path".
func (d *planned) placeOf(path string) string {
	var list string
	var index int
	head, _, _ := strings.Cut(path, "]")
	if _, err := fmt.Sscanf(strings.Replace(head, "[", " ", 1), "%s %d", &list, &index); err != nil || index < 0 {
		return path + ": "
	}
	switch {
	case list == "routes" && index < len(d.plan.Routes):
		return place(d.plan.Routes[index].At, d.plan.Routes[index].ID)
	case list == "aggregates" && index < len(d.plan.Aggregates):
		return place(d.plan.Aggregates[index].At, d.plan.Aggregates[index].ID)
	}
	return path + ": "
}

func place(at, id string) string {
	if at == "" {
		return id + ": "
	}
	return at + ": " + id + ": "
}
