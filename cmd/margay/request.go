package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/project"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/validate"
)

// request is what the command line and the settings say about one path.
type request struct {
	path    string
	paths   load.Paths
	options emit.Options
	// origin says who chose the profile.
	origin string
	// loaded says which lines of the project chose how a folder is loaded; ""
	// if it was not the project.
	loaded string
	// failOn and least are the mildest severities that fail and are shown.
	failOn, least diag.Severity
	// baseline is the file of the baseline; "" for none.
	baseline string
}

// severityNames are the words for severities, worst first.
func severityNames() []string {
	return []string{diag.Error.String(), diag.Warning.String(), diag.Info.String()}
}

// request puts the options over the settings, and those over what the project
// says.
func (p *program) request(c *cli.Context, path string, s *settings.Settings, found *detection) (*request, error) {
	b := requestBuilder{c: c, s: s, found: found, out: &request{path: path}}
	b.profile()
	b.loading(p)
	b.checking()
	b.severities()
	b.out.baseline = baselinePath(c, s)
	if b.err == nil {
		b.err = found.question(path, b.said)
	}
	return b.out, b.err
}

// requestBuilder builds one request and keeps the first error.
type requestBuilder struct {
	c     *cli.Context
	s     *settings.Settings
	found *detection
	out   *request
	err   error
}

// said says whether an option or the settings decide something, so that the
// project is not asked.
func (b *requestBuilder) said(o project.Option) bool {
	if b.c.IsSet(string(o)) {
		return true
	}
	switch o {
	case project.Ocelot:
		return b.s.Ocelot != ""
	case project.Provider:
		return b.s.Provider != ""
	case project.Load:
		return b.s.Load != ""
	case project.Section:
		return b.s.Section != ""
	case project.Schemes:
		return b.s.Schemes != nil
	case project.Discovery:
		return b.s.Discovery != nil
	}
	return false
}

// pick returns an option's value, or that of the settings.
func (b *requestBuilder) pick(flag, setting string) string {
	if b.c.IsSet(flag) {
		return b.c.String(flag)
	}
	return setting
}

// word is pick for an option with few values.
func (b *requestBuilder) word(flag, setting string, words ...string) string {
	value, err := oneOf(b.c, flag, words...)
	b.err = cmp.Or(b.err, err)
	if b.c.IsSet(flag) {
		return value
	}
	return setting
}

func (b *requestBuilder) loading(p *program) {
	limit, err := size(b.c, flagMaxSize)
	b.err = cmp.Or(b.err, err)
	b.out.paths = load.Paths{
		Choice: load.Choice{
			Way:         b.pick(flagLoad, b.s.Load),
			Environment: b.pick(flagEnv, b.s.Env),
			Section:     b.pick(flagSection, b.s.Section),
		},
		MaxSize:   cmp.Or(limit, b.s.MaxFileSize),
		Stdin:     p.stdin,
		StdinName: b.c.String(flagStdinName),
		Streams:   p.streams,
	}
	if fact := b.found.Load; fact.Known && !b.said(project.Load) {
		b.out.paths.Choice.Way, b.out.loaded = fact.Value, b.found.places(fact.At)
	}
	if fact := b.found.Section; fact.Known && !b.said(project.Section) {
		b.out.paths.Choice.Section = fact.Value
	}
}

// assume says of a folder that the project chose how it is loaded.
func (r *request) assume(in *load.Input) {
	if r.loaded != "" && in.File == nil {
		in.Plan.Assumption = fmt.Sprintf("%s loaded as %s does (--load %s)", in.Name, r.loaded, r.paths.Choice.Way)
	}
}

func (b *requestBuilder) checking() {
	o := &b.out.options
	o.AllowNames = append(o.AllowNames, b.s.AllowNames...)
	for _, names := range b.c.StringSlice(flagAllowNames) {
		o.AllowNames = append(o.AllowNames, strings.Split(names, ",")...)
	}
	o.Margay = b.s.Runtime == "margay"
	o.Severities = parseSeverities(b.s.Rules)
	options, err := ruleOptions(b.c, b.s)
	b.err = cmp.Or(b.err, err)
	for rule, choice := range options {
		o.Severities[rule] = choice.severity
	}
	for i := range b.s.Overrides {
		override := &b.s.Overrides[i]
		o.Overrides = append(o.Overrides, validate.Override{
			Covers:     override.Covers,
			Severities: parseSeverities(leftOver(b.c, override.Rules, options)),
		})
	}
}

// parseSeverities reads words for severities, which are valid; "off" is 0.
func parseSeverities(words map[string]string) map[string]diag.Severity {
	all := make(map[string]diag.Severity, len(words))
	for rule, word := range words {
		all[rule], _ = diag.ParseSeverity(word)
	}
	return all
}

func (b *requestBuilder) severities() {
	names := severityNames()
	b.out.failOn, _ = diag.ParseSeverity(cmp.Or(b.word(flagFailOn, b.s.FailOn, names...), "error"))
	b.out.least, _ = diag.ParseSeverity(cmp.Or(b.word(flagSeverity, b.s.Severity, names...), "warning"))
}
