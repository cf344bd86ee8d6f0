package diag_test

import (
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

func TestApply(t *testing.T) {
	file := source.NewFile("a.json", []byte("0123456789"))
	other := source.NewFile("b.json", []byte("0123456789"))
	edit := func(f *source.File, start, end int, text string) diag.Edit {
		return diag.Edit{Span: source.Span{File: f, Start: start, End: end}, NewText: text}
	}
	for _, tt := range []struct {
		name  string
		edits []diag.Edit
		want  string
	}{
		{"none", nil, "0123456789"},
		{"out of order", []diag.Edit{edit(file, 8, 9, "x"), edit(file, 1, 3, "")}, "034567x9"},
		{"at both ends", []diag.Edit{edit(file, 0, 0, "<"), edit(file, 10, 10, ">")}, "<0123456789>"},
		{"another file", []diag.Edit{edit(other, 0, 10, "")}, "0123456789"},
		{"overlapping", []diag.Edit{edit(file, 2, 5, "x"), edit(file, 4, 6, "y")}, "01x56789"},
		{"two insertions at one place", []diag.Edit{edit(file, 1, 1, "a"), edit(file, 1, 1, "b")}, "0ab123456789"},
	} {
		if got := string(diag.Apply(file, tt.edits)); got != tt.want {
			t.Errorf("%s: got %q want %q", tt.name, got, tt.want)
		}
	}
}
