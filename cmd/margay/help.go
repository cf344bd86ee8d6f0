package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// Help fits 80 columns, which the library's own does not.
const (
	helpWidth  = 80
	helpIndent = 24
)

const statusHelp = "Exit status: 0 clean, 1 something was found, 2 the job could not be done.\n"

const pathHelp = `PATH is a file, a folder that is loaded as Ocelot would load it, a pattern, or -
for standard input; without one it is the working directory. Several are several
gateways.
`

func appHelp(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, "margay: %s\n\nusage: margay COMMAND [OPTIONS] [PATH…]\n\ncommands:\n", app.Usage)
	for _, command := range app.Commands {
		entry(&b, command.Name, command.Usage, 14)
	}
	b.WriteString("\n`margay COMMAND --help` lists the options of a command.\n" + statusHelp)
	return b.String()
}

func commandHelp(command *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "margay %s: %s\n\nusage: margay %s", command.Name, command.Usage, command.Name)
	if len(command.Flags) > 0 {
		b.WriteString(" [OPTIONS]")
	}
	fmt.Fprintf(&b, " %s\n\n", command.ArgsUsage)
	if len(command.Flags) > 0 {
		b.WriteString("options:\n")
	}
	for _, f := range command.Flags {
		if documented, ok := f.(cli.DocGenerationFlag); ok {
			placeholder, usage := unquote(documented.GetUsage())
			entry(&b, spelling(f.Names(), placeholder, documented.TakesValue()), usage, helpIndent)
		}
	}
	if command.Description != "" {
		b.WriteString("\n" + command.Description)
	}
	if strings.Contains(command.ArgsUsage, "PATH") {
		b.WriteString("\n" + pathHelp)
	}
	return b.String() + statusHelp
}

// unquote returns the name of an option's value, which stands in backticks in
// its description, and the description without them.
func unquote(usage string) (placeholder, text string) {
	before, rest, ok := strings.Cut(usage, "`")
	if !ok {
		return "", usage
	}
	placeholder, after, _ := strings.Cut(rest, "`")
	return placeholder, before + placeholder + after
}

func spelling(names []string, placeholder string, takesValue bool) string {
	text := "--" + names[0]
	if takesValue {
		text += " " + placeholder
	}
	if len(names) > 1 {
		text = "-" + names[1] + ", " + text
	}
	return text
}

// entry writes a term and beside it, from a column on, what it is.
func entry(b *strings.Builder, term, text string, column int) {
	line := "  " + term
	for word := range strings.FieldsSeq(text) {
		width := utf8.RuneCountInString(line)
		switch {
		case width < column && strings.TrimSpace(line) == term:
			line += strings.Repeat(" ", column-width) + word
		case width+1+utf8.RuneCountInString(word) > helpWidth, strings.TrimSpace(line) == term:
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", column) + word
		default:
			line += " " + word
		}
	}
	b.WriteString(line + "\n")
}
