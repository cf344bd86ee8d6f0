package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// unheeded refuses options that would be passed over in silence: people would
// take what they read for an answer to what they asked. why says what the
// command does that has no use for them.
func unheeded(c *cli.Context, why string, options ...string) error {
	var given []string
	for _, name := range options {
		if c.IsSet(name) {
			given = append(given, "--"+name)
		}
	}
	help := "leave it out"
	if len(given) > 1 {
		help = "leave them out"
	}
	return withoutEffect(help, why, given)
}

// withoutEffect complains about what was given and is not looked at; nil where
// that is nothing.
func withoutEffect(help, why string, given []string) error {
	switch len(given) {
	case 0:
		return nil
	case 1:
		return usage(help, "%s: %s has no effect on it", why, given[0])
	}
	last := len(given) - 1
	return usage(help, "%s: %s and %s have no effect on it", why, strings.Join(given[:last], ", "), given[last])
}

// namesNoInput refuses a name for standard input that is not read.
func namesNoInput(c *cli.Context) error {
	if !c.IsSet(flagStdinName) || slices.Contains(c.Args().Slice(), "-") {
		return nil
	}
	return usage("write - as the PATH", "--%s names what comes from standard input, and no PATH is -", flagStdinName)
}

// isolated refuses what stands beside --version.
func isolated(args []string) error {
	if len(args) < 2 || strings.TrimLeft(args[0], "-") != "version" || !strings.HasPrefix(args[0], "-") {
		return nil
	}
	return usage("leave that out", "--version stands alone, but %q is given", args[1])
}
