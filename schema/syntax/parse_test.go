package syntax_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/syntax"
)

func TestGoodTexts(t *testing.T) {
	for _, test := range good {
		expectTree(t, test[0], test[1])
	}
}

func TestDefects(t *testing.T) {
	for _, test := range bad {
		expectDefect(t, test[0], test[1:]...)
	}
}

func TestRecovery(t *testing.T) {
	for _, test := range recovered {
		expectRecovery(t, test[0], test[1])
	}
}

func TestDepth(t *testing.T) {
	nested := func(open, close string, depth int) string {
		return `{"a":` + strings.Repeat(open, depth-1) + "1" + strings.Repeat(close, depth-1) + "}"
	}
	for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		if _, doc := parse(nested(brackets[0], brackets[1], 64)); len(doc.Defects) > 0 {
			t.Errorf("depth 64: got %q, want no defect", doc.Defects[0].Message)
		}
		_, doc := parse(nested(brackets[0], brackets[1], 65))
		if len(doc.Defects) != 1 || !strings.Contains(doc.Defects[0].Message, "nested too deeply") {
			t.Errorf("depth 65: got %v, want one defect", doc.Defects)
		}
	}
	if _, doc := parse(strings.Repeat("[", 1_000_000)); len(doc.Defects) == 0 {
		t.Error("a million brackets: got no defect")
	}
}

// A text of nothing but mistakes must neither take long nor give a report of
// the size of the text.
func TestManyDefects(t *testing.T) {
	for _, unit := range []string{
		"x ", "'", ",", "{,", "[,", ":", "=:", "{1", "\"a\" ", "\"\\q\"", "}]", "]", "#", "\"\n", "\n\"a\":", "{},", "{}\n",
		"<<<<<<<\n", "=======\n>>>>>>>\n", "/**/:", "\n{\"a\":[",
	} {
		for _, start := range []string{"", "{", "{\"a\":\n", "{\"a\"", "{\"a\":1", "[", "[1"} {
			text := start + strings.Repeat(unit, 50_000)
			_, doc := parse(text)
			if n := len(doc.Defects); n == 0 || n > 100 {
				t.Errorf("%.20q: got %d defects, want 1 to 100", text, n)
			}
		}
	}
}

func TestComments(t *testing.T) {
	text := "// a\n{ // b\n  /* c\n */\n  \"x\": 1, /* d */\n} /* e */ // f"
	_, doc := parse(text)
	want := []struct {
		text  string
		alone bool
	}{{"// a", true}, {"// b", false}, {"/* c\n */", true}, {"/* d */", false}, {"/* e */", false}, {"// f", false}}
	if len(doc.Comments) != len(want) {
		t.Fatalf("got %d comments, want %d", len(doc.Comments), len(want))
	}
	for i, c := range doc.Comments {
		got, alone := text[c.Start:c.End], c.Alone([]byte(text))
		if got != want[i].text || alone != want[i].alone {
			t.Errorf("comment %d: got %q alone=%t, want %q alone=%t", i, got, alone, want[i].text, want[i].alone)
		}
	}
}

// Stop must be the exception that .NET throws, not the first of the file: a
// half surrogate is found only when the whole text is JSON.
func TestStopFollowsTheOrderOfNet(t *testing.T) {
	for text, want := range map[string]syntax.Phase{
		`{"a":"\ud800","b":True}`: syntax.Reading,
		`["\ud800"]`:              syntax.TopLevel,
		`{"a":"\ud800"}`:          syntax.Unescaping,
	} {
		_, doc := parse(text)
		if got := doc.Stop(); got == nil || got.Phase != want || got.Net == "" {
			t.Errorf("%q: got %+v, want phase %d with a text of .NET", text, got, want)
		}
	}
}
