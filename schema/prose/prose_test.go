package prose_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/schema/prose"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{prose.Duration(0), "0 ms"}, {prose.Duration(500), "500 ms"}, {prose.Duration(1000), "1 s"}, {prose.Duration(1500), "1.5 s"},
		{prose.Duration(1250), "1 250 ms"}, {prose.Duration(-2), "−2 ms"}, {prose.Duration(2_147_483_000), "2 147 483 s"},
		{prose.Grouped(999), "999"}, {prose.Grouped(1000), "1 000"}, {prose.Grouped(-1234567), "−1 234 567"},
		{prose.Percent(0.1), "10 %"}, {prose.Percent(0.125), "12.5 %"}, {prose.Percent(1e-6), "0.0001 %"},
		{prose.Plural(1, "route"), "1 route"}, {prose.Plural(0, "route"), "0 routes"}, {prose.Plural(1200, "route"), "1 200 routes"},
		{prose.Printable("a\x1b[31mb"), "a\ufffd[31mb"},
		{prose.EscapeMarkdown("a|b *c* <d>"), `a\|b \*c\* &lt;d>`},
		{prose.Also(nil, 3), ""}, {prose.Also([]string{"a", "b"}, 3), "also a, b"},
		{prose.Also([]string{"a", "b", "c", "d"}, 2), "also a, b and 2 more"}, {prose.Also([]string{"a", "b", "c"}, 0), "also a, b, c"},
	} {
		if c.got != c.want {
			t.Errorf("got %q want %q", c.got, c.want)
		}
	}
}

// TestWrapLosesNothing wraps any text at any width: no line is too long, and
// together they say the same.
func TestWrapLosesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.TrimSpace(rapid.StringMatching("[a-z/{},. 0-9`é注😀]{0,80}").Draw(rt, "text"))
		width := rapid.IntRange(4, 40).Draw(rt, "width")
		lines := prose.Wrap(text, width)
		for _, line := range lines {
			if prose.Wide(line) > width {
				rt.Fatalf("%q has %d columns of %d", line, prose.Wide(line), width)
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(strings.Join(lines, "")) != bare(text) {
			rt.Fatalf("got %q of %q", lines, text)
		}
	})
}

func TestEntry(t *testing.T) {
	e := prose.Entry{Label: "/a", Text: "opens after three failures", Where: "line 7", LabelColumn: 6, PlaceColumn: 8}
	for _, c := range []struct {
		entry prose.Entry
		width int
		want  string
	}{
		{e, 50, "/a    opens after three failures          line 7"},
		{e, 36, "/a    opens after three     line 7|      failures"},
		{e, 24, "/a    opens after three|      failures, line 7"},
		{prose.Entry{Text: "same", LabelColumn: 6}, 10, "      same"},
	} {
		if got := strings.Join(c.entry.Lines(c.width), "|"); got != c.want {
			t.Errorf("%d columns: got %q want %q", c.width, got, c.want)
		}
	}
}

func TestGroup(t *testing.T) {
	all := []string{"a1", "b1", "a2", "x1", "x2", "a3"}
	var got []string
	for _, b := range prose.Group(all, func(s *string) (string, bool) { return (*s)[:1], (*s)[0] != 'x' }) {
		text := *b.First
		for _, s := range b.Also {
			text += "+" + *s
		}
		got = append(got, text)
	}
	if want := "a1+a2+a3 b1 x1 x2"; strings.Join(got, " ") != want {
		t.Errorf("got %v want %s", got, want)
	}
}

func TestView(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g"}
	var plain prose.View
	loud := prose.View{Width: 20, Color: true, Verbose: true}
	for _, c := range []struct{ got, want string }{
		{plain.Paint(prose.Red, "x"), "x"}, {loud.Paint(prose.Red, "x"), "\x1b[31mx\x1b[0m"},
		{loud.Paint(prose.Plain, "x"), "x"}, {loud.Paint(prose.Bold, ""), ""},
		{plain.Also(names), "also a, b, c, d, e, f and 1 more"}, {loud.Also(names), "also a, b, c, d, e, f, g"},
		{prose.Pad("é", 3), "é  "}, {prose.Pad("long", 2), "long"},
		{prose.Pad("注文", 5), "注文 "}, {prose.Pad("e\u0301😀", 4), "e\u0301😀 "},
	} {
		if c.got != c.want {
			t.Errorf("got %q want %q", c.got, c.want)
		}
	}
	if plain.Columns() != 80 || loud.Columns() != 40 {
		t.Errorf("got %d and %d columns", plain.Columns(), loud.Columns())
	}
}

// The time that wrapping takes grows with the text, not with its square: a file
// may have a path of megabytes.
func TestWrapLongWords(t *testing.T) {
	word := strings.Repeat("a", 1<<21)
	for _, text := range []string{word, strings.Repeat("a ", 1<<20)} {
		lines := prose.Wrap(text, 80)
		if got := len(strings.Join(lines, "")); len(lines) < 1000 || got < 1<<20 {
			t.Errorf("got %d bytes in %d lines", got, len(lines))
		}
	}
}
