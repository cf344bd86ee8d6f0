package main

import (
	"fmt"
	"io"
	stdruntime "runtime"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/prose"
)

func (p *program) versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version and how it was built",
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usage("`margay --help` lists the commands", "version takes no argument, but %q is given", c.Args().First())
			}
			return p.printVersion()
		},
	}
}

func (p *program) printVersion() error {
	release, revision := build()
	fmt.Fprintf(p.stdout, "margay %s%s\n", release, revision)
	fmt.Fprintf(p.stdout, "built with %s for %s/%s\n", stdruntime.Version(), stdruntime.GOOS, stdruntime.GOARCH)
	var b strings.Builder
	prose.Paragraph(&b, "", "", "answers by the documentation of Ocelot 25.0, or as "+strings.Join(profile.Versions(), ", ")+" runs it", width(p.stdout))
	_, err := io.WriteString(p.stdout, b.String())
	return err
}

// build returns what was built: the release that the linker was told, or that
// of the module, and the revision.
func build() (release, revision string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version, ""
	}
	release = version
	if release == "" {
		release = info.Main.Version
	}
	var commit, dirty string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				dirty = ", with changes"
			}
		}
	}
	if commit != "" {
		revision = " (" + commit[:min(12, len(commit))] + dirty + ")"
	}
	return release, revision
}
