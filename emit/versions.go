package emit

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/profile"
)

// Versions writes what every recorded release does, one thing after another,
// for a terminal.
func Versions(w io.Writer, view View) error {
	var b strings.Builder
	b.WriteString(view.bold("What each version of Ocelot does") + "\n")
	table := profile.Matrix()
	for _, aspect := range table {
		b.WriteString("\n" + view.bold(aspect.Name) + "\n")
		widest := 0
		for _, c := range aspect.Cases {
			widest = max(widest, wide(c.Span()))
		}
		for _, c := range aspect.Cases {
			first := "  " + pad(c.Span(), widest) + "  "
			paragraph(&b, first, strings.Repeat(" ", wide(first)), c.Text, view.width())
		}
	}
	b.WriteString("\n")
	paragraph(&b, "", "", "23.3 is as 23.4. Of other versions nothing is recorded; --ocelot takes the nearest one and says so.", view.width())
	return writePage(w, b.String())
}

// VersionsMarkdown writes the same as a Markdown table with one line for each
// case.
func VersionsMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("| | Ocelot | |\n|---|---|---|\n")
	for _, aspect := range profile.Matrix() {
		name := aspect.Name
		for _, c := range aspect.Cases {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", name, c.Span(), strings.ReplaceAll(c.Text, "|", `\|`))
			name = ""
		}
	}
	return writePage(w, b.String())
}
