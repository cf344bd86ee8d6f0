// Package unified writes the difference of two texts as unified hunks, the
// form that patch and git read.
//
// It takes two texts and their names and returns a text. Lines are compared by
// github.com/sergi/go-diff; the hunks are made here, because that library's own
// patches count characters.
package unified

import (
	"fmt"
	"strings"
)

// context is how many equal lines stand around a change.
const context = 3

// Diff returns the unified difference of two texts; "" where they are equal.
// The same texts always give the same difference. Line ends are part of the
// lines, so a change of line ends shows.
func Diff(oldName, newName, oldText, newText string) string {
	if oldText == newText {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", oldName, newName)
	for _, h := range hunks(compare(oldText, newText)) {
		h.write(&out)
	}
	return out.String()
}

// hunk is a run of changes with the lines around it.
type hunk struct {
	oldStart, newStart int // from 1
	lines              []line
}

// hunks cuts the lines where more than twice the context lies between two
// changes.
func hunks(all []line) []hunk {
	var out []hunk
	oldLine, newLine := 1, 1
	last := -1 // the end of the last hunk
	for i := 0; i < len(all); i++ {
		if all[i].mark == ' ' {
			oldLine, newLine = oldLine+1, newLine+1
			continue
		}
		from, to := max(i-context, last, 0), end(all, i)
		out = append(out, hunk{oldLine - (i - from), newLine - (i - from), all[from:to]})
		for _, l := range all[i:to] {
			if l.mark != '+' {
				oldLine++
			}
			if l.mark != '-' {
				newLine++
			}
		}
		last, i = to, to-1
	}
	return out
}

// end returns where the hunk ends that begins with the change at i.
func end(all []line, i int) int {
	changed := i
	for ; i < len(all) && i <= changed+2*context+1; i++ {
		if all[i].mark != ' ' {
			changed = i
		}
	}
	return min(changed+1+context, len(all))
}

func (h hunk) write(out *strings.Builder) {
	olds, news := 0, 0
	for _, l := range h.lines {
		if l.mark != '+' {
			olds++
		}
		if l.mark != '-' {
			news++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(h.oldStart, olds), extent(h.newStart, news))
	for _, l := range h.lines {
		out.WriteByte(l.mark)
		out.WriteString(l.text)
		if !strings.HasSuffix(l.text, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// extent writes a range of lines as patch reads it: an empty one is named by
// the line before it.
func extent(start, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", start-1)
	case 1:
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, count)
}
