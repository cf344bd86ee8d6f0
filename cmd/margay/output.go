package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// outputFlags are --format and --output for the given formats, of which the
// first is the default.
func outputFlags(formats ...string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagFormat, Usage: "print `FORMAT`: " + alternatives(formats), Value: formats[0]},
		&cli.StringSliceFlag{Name: flagOutput, Usage: "write `FORMAT=FILE` as well; may be repeated"},
	}
}

// destination is a file to write a format to.
type destination struct{ format, file string }

// standardOutput is what people write for it where a file is asked for.
const standardOutput = "-"

// destinations reads --output.
func destinations(c *cli.Context, formats []string) ([]destination, error) {
	var all []destination
	for _, written := range c.StringSlice(flagOutput) {
		format, file, ok := strings.Cut(written, "=")
		if !ok || file == "" || !slices.Contains(formats, format) {
			return nil, usage("", "--output is %q; expected FORMAT=FILE with the format %s", written, alternatives(formats))
		}
		if file == standardOutput {
			return nil, usage(fmt.Sprintf("--format %s prints it; %s=./- is a file of that name", format, format), "--output %s names no file", written)
		}
		all = append(all, destination{format, file})
	}
	return all, nil
}

// azure is the format of Azure Pipelines.
const azure = "azure"

// formatOf returns the format for standard output: the one that is asked for, or
// that of Azure Pipelines where it runs the command.
func formatOf(c *cli.Context, formats []string) string {
	if !c.IsSet(flagFormat) && strings.EqualFold(os.Getenv("TF_BUILD"), "true") && slices.Contains(formats, azure) {
		return azure
	}
	return c.String(flagFormat)
}

// overwriting refuses files that would take the place of one another, or of
// what has been read.
func (p *program) overwriting(files []destination) error {
	for i, d := range files {
		if slices.ContainsFunc(files[:i], func(other destination) bool { return filepath.Clean(other.file) == filepath.Clean(d.file) }) {
			return usage("name another file for one of them", "two formats would be written to %s", d.file)
		}
		at, err := os.Stat(d.file)
		if err != nil {
			continue
		}
		for _, name := range p.sources {
			if read, err := os.Stat(name); err == nil && os.SameFile(at, read) {
				return usage("name another file", "--output %s=%s would overwrite what has been read", d.format, d.file)
			}
		}
	}
	return nil
}

// write prints one format to standard output and others to files.
func (p *program) write(c *cli.Context, formats []string, print func(w io.Writer, format string) error) error {
	if _, err := oneOf(c, flagFormat, formats...); err != nil {
		return err
	}
	format := formatOf(c, formats)
	files, err := destinations(c, formats)
	if err != nil {
		return err
	}
	if err := p.overwriting(files); err != nil {
		return err
	}
	problems := []error{print(p.stdout, format)}
	for _, d := range files {
		var text bytes.Buffer
		err := print(&text, d.format)
		if err == nil {
			err = writeFile(d.file, text.Bytes())
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

func writeFile(name string, text []byte) error {
	if err := os.WriteFile(name, text, 0o644); err != nil {
		if pe, ok := errors.AsType[*os.PathError](err); ok {
			err = pe.Err
		}
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// writeVia writes a file with a function that writes to a stream.
func writeVia(name string, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return writeFile(name, text.Bytes())
}
