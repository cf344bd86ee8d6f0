package main

import (
	"errors"
	"fmt"
	stdruntime "runtime"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/rules"
)

// gateway is one compiled gateway with what was asked about it.
type gateway struct {
	*emit.Result
	*request
	// shown are the findings to report, and left says how many others there
	// are; choose sets both.
	shown []diag.Diagnostic
	left  []report.Left
}

// streamName words what a piped gateway came from.
func (g *gateway) streamName() string {
	if g.path == "-" {
		return "standard input"
	}
	return g.Input.Name
}

// compile compiles the gateways at the given paths, the working directory
// where there are none. Trouble with one never keeps the others from being
// compiled; it comes back joined.
func (p *program) compile(c *cli.Context, paths []string) ([]gateway, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	cache := &settingsCache{explicit: c.IsSet(flagConfig), path: c.String(flagConfig), known: map[string]*settings.Settings{}}
	projects := detections{}
	all := rules.All()
	var gateways []gateway
	var problems []error
	for _, path := range paths {
		found, err := p.compilePath(c, path, cache, projects, all)
		gateways = append(gateways, found...)
		problems = append(problems, err)
		if u, ok := errors.AsType[*usageError](err); ok && !u.here {
			break // it would be said again for every path
		}
	}
	return gateways, errors.Join(problems...)
}

func (p *program) compilePath(c *cli.Context, path string, cache *settingsCache, projects detections, all []*validate.Rule) ([]gateway, error) {
	req, inputs, problems := p.inputs(c, path, cache, projects, all)
	if req == nil {
		return nil, problems
	}
	req.options.Rules, req.options.Workers = all, stdruntime.GOMAXPROCS(0)
	var gateways []gateway
	for _, in := range inputs {
		r, err := emit.Compile(c.Context, in, req.options)
		if err != nil {
			problems = errors.Join(problems, err)
			continue
		}
		p.sources = append(p.sources, sources(r)...)
		gateways = append(gateways, gateway{Result: r, request: req, shown: r.Findings})
	}
	return gateways, problems
}

// inputs finds out what is asked of a path, and what lies there. The request is
// nil where that cannot be said; a problem with one input leaves the others.
func (p *program) inputs(c *cli.Context, path string, cache *settingsCache, projects detections, all []*validate.Rule) (*request, []load.Input, error) {
	if path == "" {
		return nil, nil, usage("the working directory is .", "a path is empty")
	}
	s, err := p.settings(path, c.String(flagStdinName), cache, all)
	if err != nil {
		return nil, nil, err
	}
	found, err := projects.at(c, path, s)
	if err != nil {
		return nil, nil, err
	}
	req, err := p.request(c, path, s, found)
	if err != nil {
		return nil, nil, err
	}
	inputs, problems := req.paths.Resolve([]string{path})
	if len(inputs) == 0 {
		problems = found.hints(problems)
	}
	for i := range inputs {
		req.assume(&inputs[i])
	}
	return req, inputs, errors.Join(problems...)
}

// sources are the files that a result was read from.
func sources(r *emit.Result) []string {
	var names []string
	for _, text := range r.Loaded.Texts {
		if r.Loaded.Kind(text.Index) == load.UserFile {
			names = append(names, text.File.Name)
		}
	}
	return names
}

// settingsCache keeps the settings that were read, by file: several paths often
// share one. nil stands for a file that could not be used.
type settingsCache struct {
	explicit bool
	path     string
	known    map[string]*settings.Settings
}

// settings returns what applies to a path. Findings about the file are printed
// on standard error: they are no findings about a gateway.
func (p *program) settings(path, stdinName string, cache *settingsCache, all []*validate.Rule) (*settings.Settings, error) {
	name := cache.path
	if !cache.explicit {
		if path == "-" {
			path = "./" + stdinName
		}
		name = settings.Find(path)
	}
	if name == "" {
		return &settings.Settings{}, nil
	}
	s, seen := cache.known[name]
	if seen && s == nil {
		return nil, fmt.Errorf("check %s: its settings cannot be used", path)
	}
	if seen {
		return s, nil
	}
	s, err := p.readSettings(name, all)
	cache.known[name] = s
	return s, err
}

func (p *program) readSettings(name string, all []*validate.Rule) (*settings.Settings, error) {
	file, err := settings.Open(name)
	if err != nil {
		return nil, err
	}
	s, found := settings.Read(file)
	found = append(found, ruleProblems(s, all)...)
	if len(found) == 0 {
		return s, nil
	}
	return nil, errors.Join(p.printProblems(found), fmt.Errorf("read %s: its settings cannot be used", file.Name))
}

// printProblems prints findings about margay's own files on standard error.
func (p *program) printProblems(found []diag.Diagnostic) error {
	return report.Text(report.Options{Color: colored(p.stderr), Width: screen(p.stderr)}).Print(p.stderr, found)
}

// ruleProblems reports severities of rules that do not exist, and of those whose
// findings nothing silences.
func ruleProblems(s *settings.Settings, all []*validate.Rule) []diag.Diagnostic {
	known := map[string]*validate.Rule{}
	var sorted []string
	for _, rule := range all {
		known[rule.Name] = rule
		sorted = append(sorted, rule.Name)
	}
	var list diag.List
	check := func(name, severity string, at source.Span) {
		d := diag.Diagnostic{Rule: settings.Rule, Severity: diag.Error, Span: at}
		switch rule := known[name]; {
		case rule == nil:
			d.Message = "there is no rule " + strconv.Quote(name)
			d.Help = "`margay explain` lists the rules"
			if near, ok := diag.Suggest(name, sorted); ok {
				d.Help = "did you mean " + strconv.Quote(near) + "?"
			}
		case rule.Unsilenceable && severity != rule.Severity.String():
			d.Message = fmt.Sprintf("findings of %q stay errors: what they are about does not work as it is written", name)
			d.Help = "remove the line"
		default:
			return
		}
		list.Add(d)
	}
	for name, severity := range s.Rules {
		check(name, severity, s.RuleSpan(name))
	}
	for i, override := range s.Overrides {
		for name, severity := range override.Rules {
			check(name, severity, s.OverrideSpan(i, name))
		}
	}
	return list.Sorted()
}

// results returns what was compiled, without the requests.
func results(gateways []gateway) []*emit.Result {
	all := make([]*emit.Result, len(gateways))
	for i, g := range gateways {
		all[i] = g.Result
	}
	return all
}
