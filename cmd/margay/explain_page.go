package main

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/validate/rules"
)

// alone complains about what a page does not look at: it says the same for every
// gateway and every status.
func alone(c *cli.Context, topic string) error {
	extra := c.Args().Tail()
	for _, name := range c.LocalFlagNames() {
		extra = append(extra, "--"+name)
	}
	return withoutEffect("give a ROUTE instead to see what a gateway makes of it, or leave that out",
		"the page on "+topic+" is the same for every gateway", extra)
}

// page returns what prints the page on a topic; nil where it has none.
func (p *program) page(topic string) func() error {
	plain := emit.View{Width: width(p.stdout), Color: colored(p.stdout)}
	if rule := rules.ByName(ruleOf(topic)); rule != nil {
		return func() error { return emit.ExplainRule(p.stdout, rule, plain) }
	}
	if d, ok := profile.ParseDivergence(topic); ok {
		return func() error { return emit.ExplainDivergence(p.stdout, d, plain) }
	}
	if s, ok := surprise.ByID(topic); ok {
		return func() error { return emit.ExplainSurprise(p.stdout, s, plain) }
	}
	if d, ok := differenceByID(topic); ok {
		return func() error { return explainDifference(p.stdout, d, plain.Width) }
	}
	switch topic {
	case differencesTopic:
		return func() error { return explainDifferences(p.stdout, plain.Width) }
	case settings.Rule:
		return p.explainSettings
	case versionsTopic:
		return func() error { return emit.Versions(p.stdout, plain) }
	}
	return nil
}

// ruleOf returns the name of the rule that says what a topic is about: a claim
// that is not enforced is a name with a colon.
func ruleOf(topic string) string {
	if topic == "claim-not-enforced" {
		return "colon-in-key"
	}
	return topic
}

// versionsTopic is the page about what each release does.
const versionsTopic = "versions"

func (p *program) explainSettings() error {
	var b strings.Builder
	emit.Paragraph(&b, "", "settings are read from "+settings.Name+", which is looked for from the PATH upwards. "+
		"A file with a mistake is not used at all, so that no answer rests on half of it. "+
		"`margay schema --of settings` describes every setting.", width(p.stdout))
	_, err := io.WriteString(p.stdout, b.String())
	return err
}
