package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/schema/prose"
)

// mostHelpWidth is where help stops to grow with the terminal: the library's own
// lines have no end.
const mostHelpWidth = 80

// helpText writes help in the columns of a terminal.
type helpText struct {
	strings.Builder
	width int
}

// foundWords say what makes the exit status 1, by command; a command that is not
// among them never ends with it.
var foundWords = map[string]string{
	"lint":      "a finding at or above --fail-on",
	"resolve":   "Ocelot would not start",
	"explain":   "Ocelot would not start",
	"emit":      "Ocelot would not start",
	"match":     "no route takes the request, or Ocelot would not start",
	"diff":      "something changes, with --exit-code",
	"upgrade":   "something changes, with --exit-code, or --keep finds a file that is not JSON",
	"normalize": "a file is not JSON",
}

func appHelp(app *cli.App, width int) string {
	h := helpText{width: min(width, mostHelpWidth)}
	h.paragraph("margay: " + app.Usage)
	h.paragraph("\nusage: margay COMMAND [OPTIONS] [PATH…]")
	h.paragraph("\ncommands:")
	for _, command := range app.Commands {
		h.entry(command.Name, command.Usage, 14)
	}
	h.paragraph("\n`margay COMMAND --help` lists the options of a command.")
	h.paragraph("Exit status: 0 clean, 1 something was found, 2 the job could not be done.")
	return h.String()
}

func commandHelp(command *cli.Command, width int) string {
	h := helpText{width: min(width, mostHelpWidth)}
	h.paragraph("margay " + command.Name + ": " + command.Usage)
	usage := "\nusage: margay " + command.Name
	if len(command.Flags) > 0 {
		usage += " [OPTIONS]"
	}
	h.paragraph(strings.TrimSuffix(usage+" "+command.ArgsUsage, " "))
	h.options(command.Flags)
	if command.Description != "" {
		h.paragraph("\n" + command.Description)
	}
	if strings.Contains(command.ArgsUsage, "PATH") {
		h.paragraph("\nPATH is a file, a folder that is loaded as Ocelot would load it, a pattern, or - for standard input; " +
			"without one it is the working directory. Several are several gateways.")
	}
	status := "\nExit status: 0 clean, "
	if what := foundWords[command.Name]; what != "" {
		status += "1 " + what + ", "
	}
	h.paragraph(status + "2 the job could not be done.")
	return h.String()
}

func (h *helpText) options(flags []cli.Flag) {
	if len(flags) == 0 {
		return
	}
	h.paragraph("\noptions:")
	for _, f := range flags {
		if documented, ok := f.(cli.DocGenerationFlag); ok {
			placeholder, usage := unquote(documented.GetUsage())
			h.entry(spelling(f.Names(), placeholder, documented.TakesValue()), usage, 24)
		}
	}
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

// paragraph writes a text, below an empty line if it starts with a line end.
func (h *helpText) paragraph(text string) {
	if rest, ok := strings.CutPrefix(text, "\n"); ok {
		h.WriteByte('\n')
		text = rest
	}
	prose.Paragraph(&h.Builder, "", "", text, h.width)
}

// entry writes a term and beside it, from a column on, what it is; below it
// where a terminal is too narrow for both.
func (h *helpText) entry(term, text string, column int) {
	if narrow := h.width < 2*column+column/2; narrow {
		column = 6
	}
	first, rest := "  "+term, strings.Repeat(" ", column)
	if prose.Wide(first) >= column {
		h.WriteString(first + "\n")
		first = rest
	}
	prose.Paragraph(&h.Builder, prose.Pad(first, column), rest, text, h.width)
}
