package emit

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// defaultWidth is the width of a terminal about which nothing is known.
const defaultWidth = 80

func (v View) width() int {
	if v.Width <= 0 {
		return defaultWidth
	}
	return max(v.Width, 40)
}

const (
	bold   = "\x1b[1m"
	faint  = "\x1b[2m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

// paint puts a text into a colour, where colour is wanted.
func (v View) paint(color, text string) string {
	if !v.Color || text == "" {
		return text
	}
	return color + text + reset
}

// wide returns how many columns a text takes.
func wide(text string) int { return utf8.RuneCountInString(text) }

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-wide(text), 0))
}

// wrap breaks a text into lines of at most width columns: at spaces, else
// behind one of the marks that paths and addresses are made of, else anywhere.
func wrap(text string, width int) []string {
	var lines []string
	for wide(text) > width {
		at := breakAt(text, max(width, 1))
		lines = append(lines, strings.TrimRight(text[:at], " "))
		text = strings.TrimLeft(text[at:], " ")
	}
	return append(lines, text)
}

// breakAt returns the offset at which the first line of a text ends.
func breakAt(text string, width int) int {
	end, columns := 0, 0
	for i := range text {
		if columns == width {
			break
		}
		columns++
		_, size := utf8.DecodeRuneInString(text[i:])
		end = i + size
	}
	if end < len(text) && text[end] == ' ' && !joins(text, end) {
		return end
	}
	for space := end; ; {
		if space = strings.LastIndexByte(text[:space], ' '); space <= 0 {
			break
		}
		if !joins(text, space) {
			return space
		}
	}
	if mark := strings.LastIndexAny(text[:end], "/:,.-_?&|"); mark > 0 {
		return mark + 1
	}
	return end
}

// joins says whether the space at an offset stands inside a number, between a
// number and its unit, or inside a command in backticks, where no line ends.
func joins(text string, at int) bool {
	if strings.Count(text[:at], "`")%2 == 1 {
		return true
	}
	if at == 0 || !isDigit(text[at-1]) {
		return false
	}
	after, _, _ := strings.Cut(text[at+1:], " ")
	after = strings.TrimRight(after, ".,;:)")
	return after == "s" || after == "ms" || after == "%" || after != "" && len(after) == 3 && isDigit(after[0]) && isDigit(after[1]) && isDigit(after[2])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Paragraph writes a text in lines of at most width columns, those after the
// first one indented. It breaks lines as all reports do.
func Paragraph(b *strings.Builder, indent, text string, width int) {
	paragraph(b, "", indent, text, View{Width: width}.width())
}

// paragraph writes a text in lines of at most width columns, those after the
// first one indented.
func paragraph(b *strings.Builder, first, rest, text string, width int) {
	for i, line := range wrap(text, width-max(wide(first), wide(rest))) {
		if i == 0 {
			b.WriteString(first + line + "\n")
			continue
		}
		b.WriteString(rest + line + "\n")
	}
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
