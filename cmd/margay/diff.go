package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	stdruntime "runtime"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/validate/rules"
)

const flagExitCode = "exit-code"

func diffFormats() []string { return []string{"text", "json", "markdown"} }

func (p *program) diff() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "say what a change does to every route, and to who may call it",
		ArgsUsage: "OLD NEW",
		Description: "OLD and NEW are each a file, a folder, a plan, - for standard input, or a file or folder of a git revision, " +
			"written REV:PATH with the PATH from the top of the repository, such as HEAD~1:gateway/ocelot.json.",
		Flags: gatewayFlags(append(outputFlags(diffFormats()...),
			&cli.BoolFlag{Name: flagVerbose, Aliases: []string{"v"}, Usage: "name every route of which the same is said"},
			&cli.BoolFlag{Name: flagExitCode, Usage: "make the exit status 1 when something changes"},
		)...),
		Action: p.runDiff,
	}
}

func (p *program) runDiff(c *cli.Context) error {
	if c.NArg() != 2 {
		return usage("write margay diff OLD NEW, such as margay diff HEAD~1:ocelot.json ocelot.json", "diff takes two arguments, got %d", c.NArg())
	}
	if c.Args().Get(0) == "-" && c.Args().Get(1) == "-" {
		return usage("", "standard input can be one side only")
	}
	old, new, err := p.sides(c)
	if err != nil {
		return err
	}
	report := change.Compare(old.side, new.side)
	err = p.write(c, diffFormats(), func(w io.Writer, format string) error {
		switch format {
		case "json":
			return change.JSON(w, report)
		case "markdown":
			return change.Markdown(w, report)
		}
		return change.Text(w, report, change.View{Width: width(w), Color: colored(w), Origin: new.origin, Verbose: c.Bool(flagVerbose)})
	})
	if err == nil && c.Bool(flagExitCode) && report.Changed {
		err = errFound
	}
	return err
}

// compared is one side of a comparison.
type compared struct {
	side *change.Side
	// origin says who chose the profile; "" for a plan, which has its own.
	origin string
}

// sides reads both arguments, then compiles them side by side. What is wrong with
// one is said as well as what is wrong with the other.
func (p *program) sides(c *cli.Context) (old, new compared, err error) {
	cache := &settingsCache{explicit: c.IsSet(flagConfig), path: c.String(flagConfig), known: map[string]*settings.Settings{}}
	var found [2]compared
	var work [2]func() error
	var problems [2]error
	for i := range found {
		work[i], problems[i] = p.side(c, c.Args().Get(i), cache, &found[i])
		if _, ok := errors.AsType[*usageError](problems[i]); ok {
			return old, new, problems[i]
		}
	}
	var group sync.WaitGroup
	for i, f := range work {
		if f != nil {
			group.Go(func() { problems[i] = errors.Join(problems[i], f()) })
		}
	}
	group.Wait()
	return found[0], found[1], errors.Join(problems[:]...)
}

// side finds out what an argument is. The work that is left may be done at the
// same time as that of the other side.
func (p *program) side(c *cli.Context, arg string, cache *settingsCache, out *compared) (func() error, error) {
	if arg == "" {
		return nil, usage("the working directory is .", "a path is empty")
	}
	rev, isRevision, err := parseRevision(arg)
	if err != nil {
		return nil, err
	}
	onDisk := arg
	if isRevision {
		if err := rev.find(c.Context); err != nil {
			return nil, err
		}
		onDisk = rev.onDisk()
	}
	s, err := p.settings(onDisk, c.String(flagStdinName), cache, rules.All())
	if err != nil {
		return nil, err
	}
	// A revision is held against the project as it stands now: both sides are
	// to be answered by one program.
	project, err := detections{}.at(c, onDisk, s)
	if err != nil {
		return nil, err
	}
	req, err := p.request(c, onDisk, s, project)
	if err != nil {
		return nil, err
	}
	in, err := p.oneInput(c, arg, rev, isRevision, req)
	if err != nil {
		return nil, err
	}
	if in.File != nil && startsPlan(bytes.NewReader(in.File.Raw())) {
		return func() error { return out.readPlan(in) }, nil
	}
	out.origin = req.origin
	return func() error { return out.compile(c, in, req) }, nil
}

func (p *program) oneInput(c *cli.Context, arg string, rev *revision, isRevision bool, req *request) (load.Input, error) {
	if isRevision {
		return rev.input(c.Context, req.paths)
	}
	inputs, problems := req.paths.Resolve([]string{arg})
	switch {
	case len(problems) > 0:
		return load.Input{}, withHelp(errors.Join(problems...))
	case len(inputs) != 1:
		return load.Input{}, usage("name one file or folder", "a side is one gateway, and %s names %d", arg, len(inputs))
	}
	req.assume(&inputs[0])
	return inputs[0], nil
}

// withHelp says how revisions are written, for a path that leads nowhere.
func withHelp(err error) error {
	return usage("a git revision is written REV:PATH, such as HEAD~1:gateway/ocelot.json", "%s", err)
}

func (s *compared) readPlan(in load.Input) error {
	lowered, err := plan.Decode(bytes.NewReader(in.File.Raw()))
	if err != nil {
		return fmt.Errorf("read %s: %w", in.Name, err)
	}
	s.side = change.OfPlan(in.Name, lowered)
	return nil
}

// compile compiles a side. Rules take longer than all the rest and are of use
// only where Ocelot would not start: they have the words for it.
func (s *compared) compile(c *cli.Context, in load.Input, req *request) error {
	opts := req.options
	opts.Workers, opts.Unchecked = stdruntime.GOMAXPROCS(0), true
	r, err := emit.Compile(c.Context, in, opts)
	if err == nil && !r.Starts() {
		opts.Rules, opts.Unchecked = rules.All(), false
		r, err = emit.Compile(c.Context, in, opts)
	}
	if err != nil {
		return err
	}
	s.side = change.OfResult(r)
	return nil
}
