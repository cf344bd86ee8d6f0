package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/diag"
)

// badFlag words what the library says about flags.
func badFlag(c *cli.Context, err error, _ bool) error {
	help := "`margay " + c.Command.Name + " --help` lists the options"
	if c.Command.Name == c.App.Name {
		help = "`margay --help` lists the commands"
	}
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if message, ok := badValue(c.Command.Flags, err.Error()); ok {
		return usage(help, "%s", message)
	}
	if !ok {
		return usage(help, "%s", strings.NewReplacer(": -", ": --", "for -", "for --", "flag -", "--").Replace(err.Error()))
	}
	name = strings.TrimLeft(name, "-")
	if near, ok := diag.Suggest(name, flagNames(c.Command.Flags)); ok {
		help = "did you mean --" + near + "?"
	}
	if len(name) == 1 {
		return usage(help, "unknown option -%s", name)
	}
	return usage(help, "unknown option --%s", name)
}

// valueRefused is what the library says of a value that does not read.
var valueRefused = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-(\S+): `)

// badValue words that a value does not read, with what an option of its kind
// takes: "parse error" tells nobody that a time needs its unit.
func badValue(flags []cli.Flag, text string) (message string, ok bool) {
	found := valueRefused.FindStringSubmatch(text)
	if found == nil {
		return "", false
	}
	value, name := found[1], found[2]
	for _, f := range flags {
		if takes := expected(f); takes != "" && slices.Contains(f.Names(), name) {
			return "--" + name + " is " + strconv.Quote(value) + "; expected " + takes, true
		}
	}
	return "", false
}

// expected says what an option takes; "" where its own words are better.
func expected(f cli.Flag) string {
	switch f.(type) {
	case *cli.DurationFlag:
		return "a time with its unit, such as 5s or 200ms"
	case *cli.BoolFlag:
		return "true or false"
	case *cli.IntFlag:
		return "a whole number"
	case *cli.Uint64Flag:
		return "a whole number, 0 or more"
	}
	return ""
}

func flagNames(flags []cli.Flag) []string {
	var names []string
	for _, f := range flags {
		if name := f.Names()[0]; len(name) > 1 {
			names = append(names, name)
		}
	}
	return names
}
