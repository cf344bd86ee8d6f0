package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/urfave/cli/v2"
)

// The exit statuses.
const (
	exitClean = 0
	// exitFound: findings at or above --fail-on, or a configuration with which
	// Ocelot would not start.
	exitFound = 1
	// exitTrouble: the job could not be done.
	exitTrouble = 2
)

// errFound ends a command that has said what is wrong with a configuration.
var errFound = errors.New("found")

// usageError is a command line that cannot be carried out.
type usageError struct {
	message, help string
	// here says that only one path is concerned: others are looked at.
	here bool
}

func (e *usageError) Error() string { return e.message }

func usage(help, format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...), help: help}
}

// program is one run of margay.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// sources are the files that have been read: no output may replace them.
	sources []string
	// streams are what came in streams, by path.
	streams map[string][]byte
}

// run carries out a command line and returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr, streams: map[string][]byte{}}
	help := &helpWriter{Writer: stdout}
	app := p.app()
	app.Writer = help
	if p.completeValue(args) {
		return exitClean
	}
	arranged, err := arrange(app, args)
	if err == nil {
		err = app.RunContext(ctx, append([]string{app.Name}, arranged...))
	}
	return p.status(errors.Join(err, help.err))
}

// helpWriter is a stream that keeps the first error of writing to it. The library
// writes help, and does not look whether that succeeds.
type helpWriter struct {
	io.Writer
	err error
}

func (w *helpWriter) Write(text []byte) (int, error) {
	n, err := w.Writer.Write(text)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// status reports an error and returns the exit status for it. Trouble counts
// for more than findings: a run that has not seen everything is not a verdict.
func (p *program) status(err error) int {
	status := exitClean
	for _, e := range flatten(err) {
		if errors.Is(e, errFound) {
			status = max(status, exitFound)
			continue
		}
		status = exitTrouble
		p.complain(e)
	}
	return status
}

func (p *program) complain(err error) {
	p.say("margay: %s", err.Error())
	if u, ok := errors.AsType[*usageError](err); ok && u.help != "" {
		p.say("  help: %s", u.help)
	}
}

// printable keeps control characters in file names away from the terminal, and
// orders to the agent of Azure Pipelines.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r == 0x7f {
			return '�'
		}
		return r
	}, text)
	return strings.NewReplacer("##vso[", "##vso(", "##[", "##(").Replace(text)
}

// flatten returns the errors that were joined, one by one.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, flatten(e)...)
		}
		return all
	}
	return []error{err}
}

// app describes the command line.
func (p *program) app() *cli.App {
	app := &cli.App{
		Name:                 "margay",
		Usage:                "compile, check and explain the Quality-of-Service part of Ocelot configuration",
		HideHelpCommand:      true,
		HideVersion:          true,
		EnableBashCompletion: true,
		// A comma may stand in the name of a file.
		DisableSliceFlagSeparator: true,
		Reader:                    p.stdin,
		ErrWriter:                 p.stderr,
		ExitErrHandler:            func(*cli.Context, error) {}, // run decides the status
		OnUsageError:              badFlag,
		Flags:                     []cli.Flag{&cli.BoolFlag{Name: "version", Usage: "print the version"}},
		Action: func(c *cli.Context) error {
			if c.Bool("version") {
				return p.printVersion()
			}
			fmt.Fprint(p.stderr, appHelp(c.App, width(p.stderr)))
			return usage("", "no command given")
		},
		Commands: []*cli.Command{
			p.lint(), p.resolve(), p.explain(), p.match(), p.serve(), p.demo(), p.diff(), p.upgrade(), p.normalize(), p.emit(), p.schema(), p.initCommand(), p.completion(), p.versionCommand(),
		},
	}
	for _, command := range app.Commands {
		command.HideHelpCommand = true
		command.OnUsageError = badFlag
		command.Before = namesNoInput
		command.CustomHelpTemplate = commandHelp(command, width(p.stdout))
	}
	app.CustomAppHelpTemplate = appHelp(app, width(p.stdout))
	return app
}
