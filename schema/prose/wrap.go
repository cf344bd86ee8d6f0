package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Wide returns how many columns of a terminal a text takes.
func Wide(text string) int {
	n := 0
	for _, r := range text {
		n += Columns(r)
	}
	return n
}

// Columns returns how many columns of a terminal a character takes: none for
// marks upon others, two for the wide ones of East Asia and emoji.
func Columns(r rune) int {
	switch {
	case r >= ' ' && r < 0x7F:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Wrap breaks a text into lines of at most width columns: at spaces, else
// behind one of the marks that paths and addresses are made of, else anywhere.
func Wrap(text string, width int) []string {
	var lines []string
	for isWider(text, width) {
		at := breakAt(text, max(width, 1))
		lines = append(lines, strings.TrimRight(text[:at], " "))
		text = strings.TrimLeft(text[at:], " ")
	}
	return append(lines, text)
}

// isWider says whether a text takes more than so many columns; it looks at no
// more of it than that.
func isWider(text string, width int) bool {
	for _, r := range text {
		if width -= Columns(r); width < 0 {
			return true
		}
	}
	return false
}

// breakAt returns the offset at which the first line of a text ends. A line has
// at least one character.
func breakAt(text string, width int) int {
	end, columns := 0, 0
	for i := range text {
		r, size := utf8.DecodeRuneInString(text[i:])
		if columns += Columns(r); columns > width && i > 0 {
			break
		}
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
	const longest = len("000.,;:)") // of what may join, with marks behind it
	after, _, _ := strings.Cut(text[at+1:min(len(text), at+2+longest)], " ")
	after = strings.TrimRight(after, ".,;:)")
	return after == "s" || after == "ms" || after == "%" || after != "" && len(after) == 3 && isDigit(after[0]) && isDigit(after[1]) && isDigit(after[2])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Paragraph writes a text in lines of at most width columns, those after the
// first one indented.
func Paragraph(b *strings.Builder, first, rest, text string, width int) {
	for i, line := range Wrap(text, width-max(Wide(first), Wide(rest))) {
		if i == 0 {
			b.WriteString(first + line + "\n")
			continue
		}
		b.WriteString(rest + line + "\n")
	}
}
