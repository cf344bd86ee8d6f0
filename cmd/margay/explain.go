package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func (p *program) explain() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "explain a rule, a divergence, a surprise of an upgrade, what one route gets and why, or a line of a log",
		ArgsUsage: "RULE|DIVERGENCE|SURPRISE|ROUTE|LINE [PATH…]",
		Flags: gatewayFlags(
			&cli.IntFlag{Name: "status", Usage: "which of the route's mechanisms answers with `STATUS`"},
			&cli.StringFlag{Name: flagRoute, Usage: "the `ROUTE` that a line of a log, or the body of an answer, is about"},
		),
		Action: p.runExplain,
	}
}

func (p *program) runExplain(c *cli.Context) error {
	topic := c.Args().First()
	if topic == "" {
		if err := unheeded(c, "the list of topics is always the same", c.LocalFlagNames()...); err != nil {
			return err
		}
		_, err := io.WriteString(p.stdout, topicList(width(p.stdout)))
		return err
	}
	if page := p.page(topic); page != nil {
		if err := alone(c, topic); err != nil {
			return err
		}
		return page()
	}
	return p.explainRoute(c, topic)
}

func (p *program) explainRoute(c *cli.Context, topic string) error {
	if status := c.Int("status"); c.IsSet("status") && (status < 100 || status > 599) {
		return usage("write --status 503, for instance", "--status is %d; expected a status of HTTP, 100 to 599", status)
	}
	gateways, problems := p.compile(c, c.Args().Tail())
	explained := 0
	for _, g := range gateways {
		routes := emit.Select(g.Result, topic)
		if len(routes) > 1 {
			return errors.Join(problems, ambiguous(topic, routes))
		}
		if len(routes) > 0 && c.IsSet(flagRoute) {
			return errors.Join(problems, usage("leave it out", "--%s is about lines of logs, and %s is a route itself", flagRoute, topic))
		}
		for _, route := range routes {
			if explained++; explained > 1 {
				fmt.Fprintln(p.stdout)
			}
			if err := p.explainOne(c, g, route); err != nil {
				return err
			}
		}
		if len(routes) > 0 {
			continue
		}
		for _, lost := range emit.Lost(g.Result, topic) {
			explained++
			if err := emit.ExplainLost(p.stdout, g.Result, lost, view(p.stdout, g, "")); err != nil {
				return err
			}
		}
	}
	if line, known := emit.ReadLog(topic); explained == 0 && known {
		if len(gateways) == 0 && c.NArg() < 2 {
			return p.explainLineAlone(line, problems)
		}
		return errors.Join(problems, p.explainLine(c, line, gateways))
	}
	if _, near := diag.Suggest(topic, topics()); explained == 0 && len(gateways) == 0 && c.NArg() < 2 && near {
		return unknownTopic(topic, nil)
	}
	if explained == 0 && len(gateways) > 0 {
		problems = errors.Join(problems, unknownTopic(topic, gateways))
	}
	return errors.Join(problems, starts(gateways))
}

func (p *program) explainOne(c *cli.Context, g gateway, route *normalize.Route) error {
	shown := view(p.stdout, g, "")
	if c.IsSet("status") {
		return emit.ExplainStatus(p.stdout, g.Result, route, c.Int("status"), shown)
	}
	return emit.Explain(p.stdout, g.Result, route, shown)
}

func ambiguous(topic string, routes []*normalize.Route) error {
	const most = 5
	var names []string
	for _, route := range routes[:min(most, len(routes))] {
		names = append(names, fmt.Sprintf("#%d %s", route.Index, validate.Identity(route)))
	}
	if len(routes) > most {
		names = append(names, "…")
	}
	return usage("name one of them, #"+fmt.Sprint(routes[0].Index)+" for instance", "%q names %d routes: %s", topic, len(routes), strings.Join(names, ", "))
}

func unknownTopic(topic string, gateways []gateway) error {
	names := topics()
	for _, g := range gateways {
		for i := range g.Gateway.Routes {
			names = append(names, validate.Identity(&g.Gateway.Routes[i]))
		}
	}
	help := "`margay explain` lists the rules, `margay resolve` the routes"
	if near, ok := diag.Suggest(topic, names); ok {
		help = fmt.Sprintf("did you mean %q?", near)
	}
	return usage(help, "%q is neither a rule, a divergence or a surprise, nor a route of these files, nor a known line of a log", topic)
}
