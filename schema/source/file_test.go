package source_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/margay-dev/margay/schema/source"
)

func TestPosition(t *testing.T) {
	for _, test := range []struct {
		text string
		at   string // the position is where this text begins
		want source.Position
	}{
		{"", "", source.Position{Line: 1, Column: 1, Column16: 1}},
		{"abc", "c", source.Position{Offset: 2, Line: 1, Column: 3, Column16: 3}},
		{"a\nbc", "c", source.Position{Offset: 3, Line: 2, Column: 2, Column16: 2}},
		{"a\r\nbc", "c", source.Position{Offset: 4, Line: 2, Column: 2, Column16: 2}},
		{"a\rbc", "c", source.Position{Offset: 3, Line: 2, Column: 2, Column16: 2}},
		{"a\n\r\n\rx", "x", source.Position{Offset: 5, Line: 4, Column: 1, Column16: 1}},
		{"\"é中😀x", "x", source.Position{Offset: 10, Line: 1, Column: 5, Column16: 6}},
		{"a\n", "", source.Position{Offset: 2, Line: 2, Column: 1, Column16: 1}},
		{"\uFEFFx", "x", source.Position{Offset: 0, Line: 1, Column: 1, Column16: 1}},
		{"\u2028x", "x", source.Position{Offset: 3, Line: 1, Column: 2, Column16: 2}},
	} {
		file := source.NewFile("a.json", []byte(test.text))
		at := len(file.Text)
		if test.at != "" {
			at = bytes.Index(file.Text, []byte(test.at))
		}
		if got := file.Position(at); got != test.want {
			t.Errorf("%q: got %+v, want %+v", test.text, got, test.want)
		}
	}
}

func TestPositionOutside(t *testing.T) {
	file := source.NewFile("a.json", []byte("ab\ncd"))
	if got, want := file.Position(-1), file.Position(0); got != want {
		t.Errorf("got %+v before the text, want %+v", got, want)
	}
	if got, want := file.Position(99), file.Position(5); got != want {
		t.Errorf("got %+v behind the text, want %+v", got, want)
	}
	if got := (source.Span{}).Position(); got != (source.Position{}) {
		t.Errorf("got %+v for no span, want none", got)
	}
}

// A position in a line of many kilobytes is the same as one counted from the
// start.
func TestPositionInLongLines(t *testing.T) {
	text := []byte("{\n" + strings.Repeat("aé中😀", 5000) + "\n" + strings.Repeat("😀x", 4000))
	file := source.NewFile("a.json", text)
	for range 200 {
		at := rand.N(len(text) + 1)
		for at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
		start := bytes.LastIndexByte(text[:at], '\n') + 1
		before := string(text[start:at])
		want := source.Position{
			Offset: at, Line: 1 + bytes.Count(text[:at], []byte{'\n'}),
			Column:   1 + utf8.RuneCountInString(before),
			Column16: 1 + utf8.RuneCountInString(before) + strings.Count(before, "😀"),
		}
		if got := file.Position(at); got != want {
			t.Fatalf("offset %d: got %+v, want %+v", at, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	file := source.NewFile("a.json", []byte("a\r\nb\rc\n\nd"))
	want := []string{"", "a", "b", "c", "", "d", ""}
	for n, line := range want {
		if got := string(file.Line(n)); got != line {
			t.Errorf("line %d: got %q, want %q", n, got, line)
		}
	}
	if got := file.Lines(); got != 5 {
		t.Errorf("got %d lines, want 5", got)
	}
	if got := file.Line(6); got != nil {
		t.Errorf("got %q for a line that is not there, want nil", got)
	}
}

func TestJoin(t *testing.T) {
	a, b := source.NewFile("a", []byte("0123456789")), source.NewFile("b", nil)
	one, two := source.Span{File: a, Start: 1, End: 3}, source.Span{File: a, Start: 5, End: 6}
	for _, test := range []struct{ got, want source.Span }{
		{one.Join(two), source.Span{File: a, Start: 1, End: 6}},
		{two.Join(one), source.Span{File: a, Start: 1, End: 6}},
		{source.Span{}.Join(two), two},
		{one.Join(source.Span{}), one},
		{one.Join(source.Span{File: b}), one},
	} {
		if test.got != test.want {
			t.Errorf("got %v, want %v", test.got, test.want)
		}
	}
	if got := one.Text(); got != "12" {
		t.Errorf("got text %q, want 12", got)
	}
}
