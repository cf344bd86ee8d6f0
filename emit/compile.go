// Package emit compiles gateways and puts what they resolve to into the forms
// that people and other programs read.
//
// It is the only package that knows the order of all stages: load, check,
// bind, resolve, start, rules. Compile takes one input and gives back the
// result of every stage; the other functions write that down as a table, as
// JSON, YAML or Markdown, as an explanation of one route, or as the plan that
// the runtime reads.
package emit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/startup"
)

// Options say how a gateway is compiled. The zero value compiles by the
// documentation and runs no rules.
type Options struct {
	// Profile is whose answer is given.
	Profile profile.Profile
	// Rules are those that run. Without them, Findings holds only what
	// reading the files brings up.
	Rules []*validate.Rule
	// Severities replaces the severity of rules by name; 0 switches a rule
	// off.
	Severities map[string]diag.Severity
	// Overrides win over Severities for findings in some files.
	Overrides []validate.Override
	// AllowNames are names that nothing is said about; see
	// schema.CheckOptions.
	AllowNames []string
	// Margay says that margay runs the configuration, not Ocelot.
	Margay bool
	// Unchecked leaves the check of names and shapes out, for those who look at
	// what is in force and at nothing else: only rules then have findings.
	Unchecked bool
	// Workers is how many rules run at the same time; 0 is one.
	Workers int
}

// SwitchesOff says whether a rule is off, be it in some files only.
func (o *Options) SwitchesOff(rule string) bool {
	off := func(severities map[string]diag.Severity) bool {
		severity, ok := severities[rule]
		return ok && severity == 0
	}
	return off(o.Severities) || slices.ContainsFunc(o.Overrides, func(override validate.Override) bool { return off(override.Severities) })
}

// Result is one compiled gateway.
type Result struct {
	// Input is what was compiled; its Name is how the user calls it and
	// Plan.Assumption says what was taken for granted.
	Input load.Input
	// Profile is whose answer Gateway is.
	Profile profile.Profile
	// Loaded is how the texts became one configuration; never nil.
	Loaded *load.Result
	// Config is the bound configuration; never nil. After an error it holds
	// what could be bound all the same.
	Config *config.Configuration
	// Gateway is what the configuration resolves to; never nil.
	Gateway *normalize.Gateway
	// Startup is what Ocelot's start makes of the configuration. It is empty
	// where a text is not JSON: nothing is known then.
	Startup startup.Report
	// Findings are sorted, each once.
	Findings []diag.Diagnostic
	// Secrets are the places whose text must not be shown.
	Secrets []schema.Secret

	// reported are the findings of the stages before the rules.
	reported *diag.List
	maskOnce sync.Once
	masker   *strings.Replacer
}

// Compile runs all stages over one input. The error is that a file cannot be
// read, or that ctx is done; whatever is wrong with a text is a finding.
func Compile(ctx context.Context, in load.Input, opts Options) (*Result, error) {
	loaded, err := in.Run()
	if err != nil {
		return nil, err
	}
	r := &Result{Input: in, Profile: opts.Profile, Loaded: loaded}
	for _, stage := range []func(Options){r.bind, r.examine, r.judge} {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("compile %s: %w", in.Name, err)
		}
		stage(opts)
	}
	return r, nil
}

// examine checks texts, names and shapes, resolves the routes, and tries the
// start, side by side: all three read the same tree and configuration, and
// none changes anything.
func (r *Result) examine(opts Options) {
	var group sync.WaitGroup
	group.Go(func() { r.check(opts) })
	group.Go(func() { r.start(opts) })
	r.resolve(opts)
	group.Wait()
}

func (r *Result) check(opts Options) {
	if opts.Unchecked {
		r.reported, r.Secrets = &diag.List{}, schema.Secrets(r.Loaded)
		return
	}
	r.reported, r.Secrets = schema.Check(r.Loaded, r.Config, schema.CheckOptions{AllowNames: opts.AllowNames, Margay: opts.Margay, Profile: opts.Profile})
}

func (r *Result) bind(opts Options) {
	r.Config = schema.Decode(r.Loaded.Tree, r.Loaded.Bound, schema.DecodeOptions{Section: r.Loaded.Section, Profile: opts.Profile})
}

func (r *Result) resolve(opts Options) { r.Gateway = normalize.Resolve(r.Config, opts.Profile) }

// start also runs behind an exception of loading or binding, which ends the
// program before: whoever mends the first error wants to know the next.
func (r *Result) start(opts Options) {
	if !r.garbled() {
		r.Startup = startup.Check(r.Config, opts.Profile)
	}
}

// Readable says whether every text is JSON. What stands in one that is not is
// partly guessed.
func (r *Result) Readable() bool { return !r.garbled() }

// garbled says whether a text is not JSON, so that what stands in it is partly
// guessed.
func (r *Result) garbled() bool {
	return slices.ContainsFunc(r.Loaded.Texts, func(t load.Text) bool { return len(t.Defects) > 0 })
}

// judge collects the findings of the stages and of the rules.
func (r *Result) judge(opts Options) {
	if opts.Margay && len(opts.Rules) > 0 && r.Starts() {
		r.reported.Append(planFindings(r))
	}
	in := &validate.Input{
		Loaded: r.Loaded, Config: r.Config, Gateway: r.Gateway,
		Startup: r.Startup, Profile: opts.Profile, Margay: opts.Margay,
	}
	found := validate.Run(in, opts.Rules, r.reported, validate.Options{Severities: r.severities(opts), Overrides: opts.Overrides, Workers: opts.Workers})
	r.Findings, r.reported = found.Sorted(), nil
}

// Starts says whether Ocelot starts with the configuration.
func (r *Result) Starts() bool {
	return r.Loaded.Failure == nil && r.Config.Failure == nil && r.Startup.OK()
}
