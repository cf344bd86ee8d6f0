package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/route"
	"github.com/margay-dev/margay/schema/prose"
)

// differencesTopic is the page about everything that serve does otherwise than
// Ocelot on purpose.
const differencesTopic = "differences"

// differenceByID returns a difference by its name.
func differenceByID(id string) (route.Difference, bool) {
	all := guard.Differences()
	i := slices.IndexFunc(all, func(d route.Difference) bool { return d.ID == id })
	if i < 0 {
		return route.Difference{}, false
	}
	return all[i], true
}

func explainDifference(w io.Writer, d route.Difference, width int) error {
	var b strings.Builder
	writeDifference(&b, d, width)
	b.WriteString("\n")
	prose.Paragraph(&b, "", "", "This is what `margay serve` does otherwise than Ocelot 25.0 on purpose. `margay explain differences` lists all of that.", width)
	_, err := io.WriteString(w, b.String())
	return err
}

func explainDifferences(w io.Writer, width int) error {
	var b strings.Builder
	prose.Paragraph(&b, "", "", "What `margay serve` does otherwise than Ocelot 25.0 on purpose: for security, for data that would be lost, or because of a plain bug. "+
		"Everything else that was recorded of the real program it does just so.", width)
	for _, d := range guard.Differences() {
		b.WriteString("\n")
		writeDifference(&b, d, width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writeDifference(b *strings.Builder, d route.Difference, width int) {
	fmt.Fprintln(b, d.ID)
	prose.Paragraph(b, "  Ocelot  ", "          ", d.Ocelot, width)
	prose.Paragraph(b, "  margay  ", "          ", d.Margay, width)
}
