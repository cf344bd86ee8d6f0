package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate/rules"
)

// report prints the findings in all forms that are asked for.
func (p *program) report(c *cli.Context, gateways []gateway) error {
	err := p.write(c, report.Formats(), func(w io.Writer, format string) error {
		if format == report.Formats()[0] {
			return errors.Join(printTexts(w, gateways, c.Bool(flagVerbose)), printWayOut(w, gateways, c.IsSet(flagSince)))
		}
		return printAll(w, format, gateways)
	})
	return errors.Join(err, p.annotate(c, gateways), p.sayLeft(c, gateways))
}

// sayLeft says on standard error what is left out, where standard output has no
// words for it.
func (p *program) sayLeft(c *cli.Context, gateways []gateway) error {
	if slices.Contains([]string{"text", "markdown", "statistics"}, formatOf(c, report.Formats())) {
		return nil
	}
	for _, left := range leftOf(gateways) {
		for _, line := range left.Sentences() {
			if err := p.say("%s", line); err != nil {
				return err
			}
		}
	}
	return nil
}

// leftOf sums up what is left out of several gateways.
func leftOf(gateways []gateway) []report.Left {
	var all []report.Left
	for _, g := range gateways {
		for _, l := range g.left {
			at := slices.IndexFunc(all, func(have report.Left) bool { return have.Reason == l.Reason && have.Source == l.Source })
			if at < 0 {
				all = append(all, l)
				continue
			}
			all[at].Findings += l.Findings
			all[at].Stops += l.Stops
			all[at].Gone += l.Gone
		}
	}
	return all
}

// verdict is errFound if a gateway has findings that fail.
func verdict(gateways []gateway) error {
	for _, g := range gateways {
		if diag.Count(g.shown, g.failOn) > 0 {
			return errFound
		}
	}
	return nil
}

// printTexts prints a report for each gateway.
func printTexts(w io.Writer, gateways []gateway, verbose bool) error {
	for i, g := range gateways {
		if i > 0 {
			fmt.Fprintln(w)
		}
		opts := reportOptions(gateways[i : i+1])
		opts.Header, opts.Verbose = emit.Headline(g.Result, g.origin), verbose
		opts.Color, opts.Width = colored(w), screen(w)
		if err := report.Text(opts).Print(w, g.shown); err != nil {
			return err
		}
	}
	return nil
}

// printWayOut says how to live with an old gateway, where a first run finds more
// than anybody mends in a day.
func printWayOut(w io.Writer, gateways []gateway, partial bool) error {
	const many = 50
	n := 0
	for _, g := range gateways {
		if n += diag.Count(g.shown, g.least); g.baseline != "" {
			return nil
		}
	}
	if n < many || partial {
		return nil
	}
	_, err := fmt.Fprintf(w, "to be told of new ones only: margay lint --%s FILE --%s\n", flagBaseline, flagUpdate)
	return err
}

// printAll prints the findings of all gateways as one.
func printAll(w io.Writer, format string, gateways []gateway) error {
	var list diag.List
	for _, g := range gateways {
		list.Add(g.shown...)
	}
	opts := reportOptions(gateways)
	printer, ok := report.New(format, opts)
	if !ok {
		return fmt.Errorf("print findings: no format %q", format)
	}
	return printer.Print(w, list.Sorted())
}

// annotate adds annotations where GitHub runs the command. They go to standard
// error, so that standard output stays what was asked for.
func (p *program) annotate(c *cli.Context, gateways []gateway) error {
	if os.Getenv("GITHUB_ACTIONS") != "true" || formatOf(c, report.Formats()) == "github" {
		return nil
	}
	return printAll(p.stderr, "github", gateways)
}

// reportOptions are those of a report on several gateways. The mildest of
// their severities is shown.
func reportOptions(gateways []gateway) report.Options {
	release, _ := build()
	opts := report.Options{Least: diag.Error, Version: release, Base: base(), Rules: catalogue(), Left: leftOf(gateways)}
	for _, g := range gateways {
		opts.Least = min(opts.Least, g.least)
		opts.Files += g.files()
		opts.Routes += g.routes()
		for _, s := range g.Secrets {
			opts.Secrets, opts.Hidden = append(opts.Secrets, s.Span), append(opts.Hidden, s.Texts()...)
		}
	}
	return opts
}

// catalogue describes the rules for formats that list them.
func catalogue() []report.Rule {
	var all []report.Rule
	for _, r := range rules.All() {
		all = append(all, report.Rule{Name: r.Name, Summary: r.Summary, Doc: r.Doc, Severity: r.Severity, Category: r.Category.String(), CWE: r.CWE})
	}
	return all
}

// files counts the files that were read.
func (g *gateway) files() int {
	n := 0
	for _, text := range g.Loaded.Texts {
		if g.Loaded.Kind(text.Index) == load.UserFile {
			n++
		}
	}
	return n
}

// routes counts the routes that are written in files.
func (g *gateway) routes() int {
	n := 0
	for i := range g.Gateway.Routes {
		if kind := g.Gateway.Routes[i].Kind; kind == normalize.Static || kind == normalize.Dynamic {
			n++
		}
	}
	return n
}

// printFindings prints findings that belong to no report on standard error.
func (p *program) printFindings(g gateway, found []diag.Diagnostic) error {
	if len(found) == 0 {
		return nil
	}
	opts := reportOptions([]gateway{g})
	opts.Header = emit.Headline(g.Result, g.origin)
	opts.Color, opts.Width = colored(p.stderr), screen(p.stderr)
	opts.Files, opts.Routes = 0, 0
	return report.Text(opts).Print(p.stderr, found)
}
