package diag

import (
	"cmp"
	"slices"

	"github.com/margay-dev/margay/schema/source"
)

// Apply returns a file's text with the edits for that file made; edits of other
// files are left out. Of two edits that overlap, the one that starts first is
// made and the other is not. The text is UTF-8 without a byte order mark, as
// File.Text is; see Rewrite for the bytes to write.
func Apply(file *source.File, edits []Edit) []byte {
	var text []byte
	done := 0
	for _, e := range inOrder(file, edits) {
		text = append(append(text, file.Text[done:e.Span.Start]...), e.NewText...)
		done = e.Span.End
	}
	return append(text, file.Text[done:]...)
}

// inOrder returns the edits of a file that can be made together, in the order
// of its text.
func inOrder(file *source.File, edits []Edit) []Edit {
	var own []Edit
	for _, e := range edits {
		if e.Span.File == file {
			own = append(own, e)
		}
	}
	slices.SortStableFunc(own, func(a, b Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	done := 0
	return slices.DeleteFunc(own, func(e Edit) bool {
		if e.Span.Start < done {
			return true
		}
		done = e.Span.End
		return false
	})
}
