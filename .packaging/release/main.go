// Command release builds what a release of margay consists of, without
// publishing anything: an archive per platform, NuGet packages that make
// `dotnet tool install` install the binary, checksums, a bill of materials,
// and the manifests for Homebrew and winget.
//
// The same commit gives the same bytes: every time in an archive is that of the
// commit.
//
// It is a program of the project and not a release tool from elsewhere because
// none lays out a native .NET tool, and because its output can so be tested
// like any other.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	root := flags.String("root", "..", "the project")
	output := flags.String("output", "../dist/release", "the folder to write to; what it holds is removed")
	version := flags.String("version", "", "the version, such as 1.2.3; default: of the tag, else 0.0.0-dev with the commit")
	only := flags.String("only", "", "build this platform alone, such as linux/amd64")
	if err := flags.Parse(args); err != nil {
		return errors.New("see the options above")
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	r, err := newRelease(ctx, *root, *output, *version)
	if err != nil {
		return err
	}
	return r.make(ctx, chosen)
}
