package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/settings"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/rules"
)

const (
	flagOnly = "only"
	flagRule = "rule"
	// off is the severity of a rule that does not run.
	off = "off"
)

// ruleFlags choose rules for one run; what is true of a gateway stands in the
// settings.
func ruleFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: flagOnly, Usage: "look for `RULES` only, and for what is not read as it is written; with commas, or repeated"},
		textsFlag(flagRule, "give a rule another severity: `RULE=SEVERITY`, or RULE=off; may be repeated"),
	}
}

// chosen is the severity that an option gives a rule; 0 is off.
type chosen struct {
	severity diag.Severity
	option   string
}

func (c chosen) word() string {
	if c.severity == 0 {
		return off
	}
	return c.severity.String()
}

// ruleOptions returns what the options say about rules, which wins over the
// settings.
func ruleOptions(c *cli.Context, s *settings.Settings) (map[string]chosen, error) {
	all := map[string]chosen{}
	if !takesRules(c) {
		return all, nil
	}
	if err := onlyRules(c, s, all); err != nil {
		return nil, err
	}
	for _, text := range textsOf(c, flagRule) {
		name, severity, _ := strings.Cut(text, "=")
		rule, err := knownRule(name, flagRule)
		if err != nil {
			return nil, err
		}
		words := append(severityNames(), off)
		switch {
		case !slices.Contains(words, severity):
			return nil, usage("", "--%s is %q; expected RULE=SEVERITY with the severity %s", flagRule, text, alternatives(words))
		case rule.Unsilenceable && severity != rule.Severity.String():
			return nil, usage("", "--%s %s: findings of %q stay errors: what they are about does not work as it is written", flagRule, text, name)
		}
		parsed, _ := diag.ParseSeverity(severity)
		all[name] = chosen{parsed, "--" + flagRule}
	}
	return all, nil
}

// takesRules says whether a command has the options.
func takesRules(c *cli.Context) bool {
	return slices.ContainsFunc(c.Command.Flags, func(f cli.Flag) bool { return f.Names()[0] == flagRule })
}

func onlyRules(c *cli.Context, s *settings.Settings, all map[string]chosen) error {
	if !c.IsSet(flagOnly) {
		return nil
	}
	only := map[string]bool{}
	for _, name := range commaList(strings.Join(c.StringSlice(flagOnly), ",")) {
		if _, err := knownRule(name, flagOnly); err != nil {
			return err
		}
		only[name] = true
	}
	for _, rule := range rules.All() {
		switch {
		case only[rule.Name] && s.Rules[rule.Name] == off:
			all[rule.Name] = chosen{rule.Severity, "--" + flagOnly}
		case !only[rule.Name] && !rule.Unsilenceable:
			all[rule.Name] = chosen{0, "--" + flagOnly}
		}
	}
	return nil
}

// leftOver returns the rules of an override of the settings that no option has
// the last word about. A rule that is asked for by name runs in every file.
func leftOver(c *cli.Context, override map[string]string, options map[string]chosen) map[string]string {
	asked := map[string]bool{}
	if takesRules(c) {
		for _, name := range commaList(strings.Join(c.StringSlice(flagOnly), ",")) {
			asked[name] = true
		}
	}
	left := maps.Clone(override)
	maps.DeleteFunc(left, func(rule, word string) bool {
		_, chosen := options[rule]
		return chosen || asked[rule] && word == off
	})
	return left
}

func knownRule(name, flag string) (*validate.Rule, error) {
	if rule := rules.ByName(name); rule != nil {
		return rule, nil
	}
	help := "`margay explain` lists the rules"
	if near, ok := diag.Suggest(name, ruleNames()); ok {
		help = "did you mean " + near + "?"
	}
	return nil, usage(help, "--%s: there is no rule %q", flag, name)
}
