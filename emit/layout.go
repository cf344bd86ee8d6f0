package emit

import (
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
	if mark := strings.LastIndexAny(text[:end], "/:,.-_?&|"); mark > 0 && wide(text[:mark+1]) > width/2 {
		return mark + 1
	}
	return end
}

// joins says whether the space at an offset stands inside a number, or between
// a number and its unit, where no line ends.
func joins(text string, at int) bool {
	if at == 0 || !isDigit(text[at-1]) {
		return false
	}
	after, _, _ := strings.Cut(text[at+1:], " ")
	after = strings.TrimRight(after, ".,;:)")
	return after == "s" || after == "ms" || after == "%" || after != "" && len(after) == 3 && isDigit(after[0]) && isDigit(after[1]) && isDigit(after[2])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

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

// columns gives each column what it needs, and takes what is missing from the
// widest of those that may be narrowed, down to a least width.
func columns(needs []int, least map[int]int, width, gap int) []int {
	widths := append([]int(nil), needs...)
	total := gap * (len(needs) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > width; total-- {
		widest := -1
		for i, floor := range least {
			if widths[i] > floor && (widest < 0 || widths[i] > widths[widest] || widths[i] == widths[widest] && i < widest) {
				widest = i
			}
		}
		if widest < 0 {
			return widths
		}
		widths[widest]--
	}
	return widths
}
