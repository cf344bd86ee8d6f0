package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
)

// The options by name, where they are declared and read in different places.
const (
	flagOcelot     = "ocelot"
	flagProvider   = "provider"
	flagEnv        = "env"
	flagLoad       = "load"
	flagSection    = "section"
	flagSchemes    = "schemes"
	flagDiscovery  = "discovery"
	flagDetect     = "detect"
	flagConfig     = "config"
	flagAllowNames = "allow-names"
	flagMaxSize    = "max-file-size"
	flagStdinName  = "stdin-filename"
	flagFailOn     = "fail-on"
	flagSeverity   = "severity"
	flagVerbose    = "verbose"
	flagFix        = "fix"
	flagDiff       = "diff"
	flagBaseline   = "baseline"
	flagUpdate     = "update-baseline"
	flagSince      = "changed-since"
	flagShowConfig = "show-config"
	flagFormat     = "format"
	flagOutput     = "output"
	flagRoute      = "route"
	flagHeader     = "header"
	flagListen     = "listen"
	flagShow       = "show"
	flagOf         = "of"
)

// gatewayFlags are the options of every command that reads gateways.
func gatewayFlags(own ...cli.Flag) []cli.Flag {
	return append(own,
		&cli.StringFlag{Name: flagOcelot, Usage: "answer as Ocelot `VERSION` runs it (recorded: " + strings.Join(profile.Versions(), ", ") + "), not by the documentation"},
		&cli.StringFlag{Name: flagProvider, Usage: "`QOS` that the application registers: builtin, polly, none"},
		&cli.StringFlag{Name: flagEnv, Usage: "`NAME` of the host's environment (default Production)"},
		&cli.StringFlag{Name: flagLoad, Usage: "`WAY` to load a folder: merge, layer, swagger, or a list such as appsettings.json,ocelot.{env}.json"},
		&cli.StringFlag{Name: flagSection, Usage: "`KEY` of the section that Ocelot binds"},
		&cli.StringFlag{Name: flagSchemes, Usage: "authentication schemes `A,B` that are registered"},
		&cli.StringFlag{Name: flagDiscovery, Usage: "whether discovery is registered: `true|false`"},
		&cli.BoolFlag{Name: flagDetect, Value: true, Usage: "take what is not said from the .NET project around the PATH; --detect=false looks at none"},
		&cli.StringSliceFlag{Name: flagAllowNames, Usage: "say nothing about `NAMES` that Ocelot does not know"},
		&cli.StringFlag{Name: flagMaxSize, Usage: "refuse files above `SIZE`, such as 64MiB (default 256MiB)"},
		&cli.StringFlag{Name: flagConfig, Usage: "settings `FILE`; empty: none (default: .margay.json, looked for from the PATH upwards)"},
		&cli.StringFlag{Name: flagStdinName, Usage: "`NAME` of what comes from standard input (-)"},
	)
}

// oneOf returns the value of an option that has to be one of some words; ""
// where it is not given.
func oneOf(c *cli.Context, name string, words ...string) (string, error) {
	value := c.String(name)
	if !c.IsSet(name) || slices.Contains(words, value) {
		return value, nil
	}
	help := ""
	if near, ok := diag.Suggest(value, words); ok {
		help = "did you mean " + near + "?"
	}
	return "", usage(help, "--%s is %q; expected %s", name, value, alternatives(words))
}

// texts are the values of an option that may be repeated. Unlike those of the
// library, a comma is one of their characters.
type texts []string

// Set adds a value.
func (t *texts) Set(value string) error {
	*t = append(*t, value)
	return nil
}

// String is what help shows as the default: nothing.
func (t *texts) String() string { return "" }

func textsFlag(name, usage string) cli.Flag {
	return &cli.GenericFlag{Name: name, Usage: usage, Value: &texts{}}
}

func textsOf(c *cli.Context, name string) []string { return *c.Generic(name).(*texts) }

func alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// size reads a number of bytes: "1000", "64MiB", "64M".
func size(c *cli.Context, name string) (int64, error) {
	written := c.String(name)
	if !c.IsSet(name) {
		return 0, nil
	}
	digits := strings.TrimRight(written, "KMGiBkmgb")
	n, err := strconv.ParseInt(digits, 10, 64)
	shift, ok := map[string]uint{"": 0, "b": 0, "k": 10, "kib": 10, "m": 20, "mib": 20, "g": 30, "gib": 30}[strings.ToLower(written[len(digits):])]
	if err != nil || !ok || n < 1 || n > 1<<32 {
		return 0, usage("write bytes, or a number with KiB, MiB or GiB", "--%s is %q; expected a size such as 64MiB", name, written)
	}
	return n << shift, nil
}
