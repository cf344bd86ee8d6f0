package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/jsonc"
	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/project"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate/rules"
)

// setting is one setting with its value, by the name that it has in the file.
type setting struct {
	Name string `json:"name"`
	// Value is JSON; null where nothing is said and nothing is assumed.
	Value json.RawMessage `json:"value"`
	// From is "flag", "file", "project" or "default"; Place is the option, or
	// the line that says it.
	From  string `json:"from"`
	Place string `json:"place,omitempty"`
	// Files are the patterns of the files that an override is about.
	Files []string `json:"files,omitempty"`
}

// configuration is what applies to a path.
type configuration struct {
	Path string `json:"path"`
	// File is the settings file; "" if there is none.
	File     string    `json:"file,omitempty"`
	Settings []setting `json:"settings"`
}

// showConfig prints what applies to each path.
func (p *program) showConfig(c *cli.Context) error {
	format, err := oneOf(c, flagFormat, "text", "json")
	if err != nil {
		return err
	}
	paths := c.Args().Slice()
	if len(paths) == 0 {
		paths = []string{"."}
	}
	cache := &settingsCache{explicit: c.IsSet(flagConfig), path: c.String(flagConfig), known: map[string]*settings.Settings{}}
	var all []configuration
	var problems []error
	for _, path := range paths {
		found, err := p.configurationOf(c, path, cache)
		problems = append(problems, err)
		if found != nil {
			all = append(all, *found)
		}
	}
	if format == "json" {
		err = printConfigJSON(p.stdout, all)
	} else {
		err = printConfigText(p.stdout, all)
	}
	return errors.Join(append(problems, err)...)
}

func (p *program) configurationOf(c *cli.Context, path string, cache *settingsCache) (*configuration, error) {
	s, err := p.settings(path, c.String(flagStdinName), cache, rules.All())
	if err != nil {
		return nil, err
	}
	found, err := detections{}.at(c, path, s)
	if err != nil {
		return nil, err
	}
	_, err = p.request(c, path, s, found) // what is wrong with the options is said, too
	l := lister{c: c, s: s, found: found}
	l.list()
	return &configuration{Path: path, File: s.File(), Settings: l.all}, err
}

// lister makes the list of all settings.
type lister struct {
	c     *cli.Context
	s     *settings.Settings
	found *detection
	all   []setting
}

func (l *lister) list() {
	l.add("ocelot", flagOcelot, l.c.String(flagOcelot), fact(l, l.found.Ocelot), nil)
	l.add("provider", flagProvider, l.c.String(flagProvider), fact(l, l.found.Provider), l.usualProvider())
	l.add("env", flagEnv, l.c.String(flagEnv), nil, load.DefaultEnvironment)
	l.add("load", flagLoad, l.c.String(flagLoad), fact(l, l.found.Load), nil)
	l.add("section", flagSection, l.c.String(flagSection), fact(l, l.found.Section), "")
	l.add("schemes", flagSchemes, commaList(l.c.String(flagSchemes)), fact(l, l.found.Schemes), nil)
	l.add("discovery", flagDiscovery, l.c.String(flagDiscovery) == "true", fact(l, l.found.Discovery), true)
	l.add("detect", flagDetect, l.c.Bool(flagDetect), nil, true)
	l.add("runtime", "", nil, nil, "ocelot")
	l.add("failOn", flagFailOn, l.c.String(flagFailOn), nil, "error")
	l.add("severity", flagSeverity, l.c.String(flagSeverity), nil, "warning")
	l.add("baseline", flagBaseline, l.c.String(flagBaseline), nil, nil)
	limit, _ := size(l.c, flagMaxSize)
	l.add("maxFileSize", flagMaxSize, limit, nil, load.DefaultMaxSize)
	l.allowed()
	options, _ := ruleOptions(l.c, l.s) // what is wrong with them is said by request
	l.rules(options)
	l.overrides(options)
}

func (l *lister) rules(options map[string]chosen) {
	for _, r := range rules.All() {
		out := setting{Name: "rules." + r.Name, Value: asJSON(r.Severity.String()), From: "default"}
		if severity, ok := l.s.Rules[r.Name]; ok {
			out.Value, out.From, out.Place = asJSON(severity), "file", placeOf(l.s.RuleSpan(r.Name))
		}
		if choice, ok := options[r.Name]; ok {
			out.Value, out.From, out.Place = asJSON(choice.word()), "flag", choice.option
		}
		l.all = append(l.all, out)
	}
}

// overrides lists what is different in some files, in the order of the settings:
// the last one that is about a file wins. What options decide is left out.
func (l *lister) overrides(options map[string]chosen) {
	for i, override := range l.s.Overrides {
		left := leftOver(l.c, override.Rules, options)
		for _, rule := range slices.Sorted(maps.Keys(left)) {
			l.all = append(l.all, setting{
				Name: fmt.Sprintf("overrides[%d].rules.%s", i, rule), Value: asJSON(left[rule]),
				From: "file", Place: placeOf(l.s.OverrideSpan(i, rule)), Files: override.Files,
			})
		}
	}
}

// usualProvider is the provider that is taken where nobody says.
func (l *lister) usualProvider() any {
	b := requestBuilder{c: l.c, s: l.s, found: l.found}
	return b.version().Provider.String()
}

// add lists a setting: the option wins over the file, that over the project,
// that over what is usual.
func (l *lister) add(name, flag string, given any, found *setting, usual any) {
	out := setting{Name: name, Value: asJSON(usual), From: "default"}
	switch at := l.s.Span(name); {
	case flag != "" && l.c.IsSet(flag):
		out = setting{Name: name, Value: asJSON(given), From: "flag", Place: "--" + flag}
	case !at.IsZero():
		out = setting{Name: name, Value: compact(at), From: "file", Place: placeOf(at)}
	case found != nil:
		out.Value, out.From, out.Place = found.Value, found.From, found.Place
	}
	l.all = append(l.all, out)
}

// allowed lists the one setting that options add to.
func (l *lister) allowed() {
	at, all := l.s.Span("allowNames"), slices.Clone(l.s.AllowNames)
	out := setting{Name: "allowNames", From: "default"}
	if !at.IsZero() {
		out.From, out.Place = "file", placeOf(at)
	}
	if l.c.IsSet(flagAllowNames) {
		all = append(all, commaList(strings.Join(l.c.StringSlice(flagAllowNames), ","))...)
		out.From, out.Place = "flag", strings.TrimPrefix(out.Place+", --"+flagAllowNames, ", ")
	}
	out.Value = asJSON(append([]string{}, all...))
	l.all = append(l.all, out)
}

// fact is what the project says; nil if it says nothing.
func fact[T any](l *lister, f project.Fact[T]) *setting {
	if !f.Known {
		return nil
	}
	return &setting{Value: asJSON(f.Value), From: "project", Place: l.found.places(f.At)}
}

// commaList splits a list with commas.
func commaList(text string) []string {
	all := []string{}
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}

func placeOf(at source.Span) string {
	place := at.Position()
	return fmt.Sprintf("%s:%d:%d", at.File.Name, place.Line, place.Column)
}

// compact returns a value as it stands in a file, on one line.
func compact(at source.Span) json.RawMessage {
	var value any
	if err := json.Unmarshal(jsonc.ToJSON([]byte(at.Text())), &value); err != nil {
		return asJSON(at.Text())
	}
	return asJSON(value)
}

func asJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

func printConfigJSON(w io.Writer, all []configuration) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(struct {
		Version int             `json:"version"`
		Paths   []configuration `json:"paths"`
	}{1, all})
}
