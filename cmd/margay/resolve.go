package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
)

// resolveFormats are the forms of what routes get, that for people first.
func shows() []string { return []string{"qos", "auth"} }

func resolveFormats() []string { return []string{"table", "json", "yaml", "markdown"} }

func (p *program) resolve() *cli.Command {
	return &cli.Command{
		Name:      "resolve",
		Usage:     "show what every route really gets, and from where",
		ArgsUsage: "[PATH…]",
		Flags: gatewayFlags(append(outputFlags(resolveFormats()...),
			&cli.StringFlag{Name: flagShow, Usage: "`WHAT` is shown: qos, or auth for who may call what", Value: "qos"},
			&cli.StringFlag{Name: flagRoute, Usage: "only `ROUTE`: #2, a template, a Key, or part of one"},
		)...),
		Action: p.runResolve,
	}
}

func (p *program) runResolve(c *cli.Context) error {
	show, err := oneOf(c, flagShow, shows()...)
	if err != nil {
		return err
	}
	gateways, problems := p.compile(c, c.Args().Slice())
	if len(gateways) == 0 {
		return problems
	}
	err = p.write(c, resolveFormats(), func(w io.Writer, format string) error {
		return printResolved(w, resolvedAs(show, format), format, gateways, c.String(flagRoute))
	})
	return errors.Join(problems, err, noRoute(gateways, c.String(flagRoute)), starts(gateways))
}

// resolvedAs returns what writes results in a format.
func resolvedAs(show, format string) func(io.Writer, []*emit.Result, emit.View) error {
	if show == "auth" {
		return map[string]func(io.Writer, []*emit.Result, emit.View) error{
			"json": emit.AccessJSON, "yaml": emit.AccessYAML, "markdown": emit.AccessMarkdown, "table": emit.AccessTable,
		}[format]
	}
	return map[string]func(io.Writer, []*emit.Result, emit.View) error{
		"json": emit.JSON, "yaml": emit.YAML, "markdown": emit.Markdown, "table": emit.Table,
	}[format]
}

// printResolved prints the gateways in one format: for people each with its own
// first line, for programs together.
func printResolved(w io.Writer, print func(io.Writer, []*emit.Result, emit.View) error, format string, gateways []gateway, route string) error {
	if format == "json" || format == "yaml" {
		return print(w, results(gateways), view(w, gateways[0], route))
	}
	for i, g := range gateways {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := print(w, []*emit.Result{g.Result}, view(w, g, route)); err != nil {
			return err
		}
	}
	return nil
}

// view is how a gateway is shown on a stream.
func view(w io.Writer, g gateway, route string) emit.View {
	return emit.View{Width: width(w), Color: colored(w), Route: route, Origin: g.origin}
}

// noRoute is a usage error if a text names no route of any gateway.
func noRoute(gateways []gateway, text string) error {
	for _, g := range gateways {
		if text == "" || len(emit.Select(g.Result, text)) > 0 || len(emit.Lost(g.Result, text)) > 0 {
			return nil
		}
	}
	return usage("`margay resolve` lists the routes", "no route is named %q", text)
}

// starts is errFound if Ocelot would not start with one of the gateways.
func starts(gateways []gateway) error {
	for _, g := range gateways {
		if !g.Starts() {
			return errFound
		}
	}
	return nil
}
