package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate/rules"
)

// completeValue prints what may stand where a shell asks for completions: the
// values of the option before, or what there are pages about. It reports false
// where it knows nothing, and the library offers commands and options then.
func (p *program) completeValue(args []string) bool {
	if len(args) < 2 || args[len(args)-1] != completing {
		return false
	}
	command, last := args[0], args[len(args)-2]
	words := topics()
	switch option, isOption := strings.CutPrefix(last, "--"); {
	case isOption && len(args) > 2:
		words = valuesOf(command, option)
	case command != "explain" || len(args) > 2:
		return false
	}
	for _, word := range words {
		fmt.Fprintln(p.stdout, word)
	}
	return len(words) > 0
}

// valuesOf returns the values that an option of a command may have; nil where
// they are not a few words.
func valuesOf(command, option string) []string {
	switch option {
	case flagFormat:
		return formatsOf(command)
	case flagOcelot, flagTo:
		return profile.Versions()
	case flagProvider, flagToProvider:
		return []string{"builtin", "polly", "none"}
	case flagFailOn, flagSeverity:
		return severityNames()
	case flagLoad:
		return []string{"merge", "layer", "swagger"}
	case flagDiscovery:
		return []string{"true", "false"}
	case flagOnly:
		return ruleNames()
	case flagShow:
		return shows()
	case flagOf:
		return schemas()
	}
	return nil
}

func formatsOf(command string) []string {
	switch command {
	case "lint":
		return report.Formats()
	case "resolve":
		return resolveFormats()
	case "diff":
		return diffFormats()
	case "upgrade":
		return upgradeFormats()
	case "match":
		return matchFormats()
	}
	return nil
}

func ruleNames() []string {
	var names []string
	for _, rule := range rules.All() {
		names = append(names, rule.Name)
	}
	return names
}

// topics are what there are pages about.
func topics() []string {
	names := slices.Concat(ruleNames(), profile.AllDivergences.Names(), []string{versionsTopic, differencesTopic})
	for _, d := range guard.Differences() {
		names = append(names, d.ID)
	}
	for _, s := range surprise.Surprises() {
		names = append(names, s.ID)
	}
	return names
}

// commandNames are the names of all commands.
func commandNames(app *cli.App) []string {
	var names []string
	for _, command := range app.Commands {
		names = append(names, command.Name)
	}
	return names
}
