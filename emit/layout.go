package emit

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/prose"
)

// screen is how the lines of a view are laid out and marked.
func (v View) screen() prose.View { return prose.View{Width: v.Width, Color: v.Color} }

func (v View) width() int { return v.screen().Columns() }

// bold marks a text where colour is wanted.
func (v View) bold(text string) string { return v.screen().Paint(prose.Bold, text) }

// wide returns how many columns a text takes.
func wide(text string) int { return prose.Wide(text) }

func pad(text string, width int) string { return prose.Pad(text, width) }

// wrap breaks a text into lines; see prose.Wrap.
func wrap(text string, width int) []string { return prose.Wrap(text, width) }

// Paragraph writes a text in lines of at most width columns, those after the
// first one indented. It breaks lines as all reports do.
func Paragraph(b *strings.Builder, indent, text string, width int) {
	paragraph(b, "", indent, text, View{Width: width}.width())
}

func paragraph(b *strings.Builder, first, rest, text string, width int) {
	prose.Paragraph(b, first, rest, text, width)
}

// narrowing are the widths down to which columns may be narrowed, by column.
type narrowing map[int]int

// columns gives each column what it needs. What is missing is taken from the
// widest of those that the first narrowing names; if that is not enough, from
// those of the next.
func columns(needs []int, width int, narrowings ...narrowing) []int {
	widths := slices.Clone(needs)
	total := gap * (len(needs) - 1)
	for _, w := range widths {
		total += w
	}
	for _, floors := range narrowings {
		for total > width {
			at := floors.widest(widths)
			if at < 0 {
				break
			}
			widths[at]--
			total--
		}
	}
	return widths
}

// widest returns the widest column that can be narrowed further; -1 if none
// can.
func (n narrowing) widest(widths []int) int {
	widest := -1
	for i, w := range widths {
		if floor, ok := n[i]; ok && w > floor && (widest < 0 || w > widths[widest]) {
			widest = i
		}
	}
	return widest
}
