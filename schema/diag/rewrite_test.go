package diag_test

import (
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// An edit leaves every byte outside of it as it is, whatever it is.
func TestRewriteKeepsOtherBytes(t *testing.T) {
	for _, test := range []struct {
		name       string
		raw, want  string
		start, end int
		text       string
	}{
		{"plain", "abc", "aéc", 1, 2, "é"},
		{"UTF-8 with BOM", "\xEF\xBB\xBFabc", "\xEF\xBB\xBFaéc", 1, 2, "é"},
		{"invalid bytes before and behind", "\xFFabc\xE2\x82", "\xFFaxc\xE2\x82", 4, 5, "x"},
		{"invalid bytes inside", "a\xFFb", "ab", 1, 4, ""},
		{"a replacement character that stands in the file", "\uFFFD\xFFa", "\uFFFD\xFFb", 6, 7, "b"},
		{"UTF-16LE with half a pair", "\xFF\xFE\x00\xD8a\x00", "\xFF\xFE\x00\xD8\x3D\xD8\x00\xDE", 3, 4, "😀"},
		{"UTF-16BE cut short", "\xFE\xFF\x00a\x00", "\xFE\xFF\x00b\x00", 0, 1, "b"},
	} {
		file := source.NewFile("a.json", []byte(test.raw))
		edit := diag.Edit{Span: source.Span{File: file, Start: test.start, End: test.end}, NewText: test.text}
		if got := string(diag.Rewrite(file, []diag.Edit{edit})); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestRewriteWithoutEdits(t *testing.T) {
	raw := "\xEF\xBB\xBF\xFFa"
	if got := string(diag.Rewrite(source.NewFile("a.json", []byte(raw)), nil)); got != raw {
		t.Errorf("got %q, want %q", got, raw)
	}
}
