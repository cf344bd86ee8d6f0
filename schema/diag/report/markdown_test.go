package report_test

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
)

// rendered returns Markdown as HTML with GitHub's extensions, without the mark
// at its start.
func rendered(t testing.TB, text string) string {
	t.Helper()
	text, ok := strings.CutPrefix(text, report.MarkdownMark+"\n")
	if !ok {
		t.Fatalf("no mark before %q", text)
	}
	var out bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// tag is any HTML tag or comment.
var tag = regexp.MustCompile(`<[^>]*>`)

// checkMarkdown holds rendered Markdown against what may be in it, and against
// texts that must be readable in it as they are.
func checkMarkdown(t testing.TB, page string, texts ...string) {
	t.Helper()
	for _, found := range tag.FindAllString(page, -1) {
		if !slices.Contains([]string{"p", "ul", "li", "strong", "code"}, strings.Trim(found, "</>")) {
			t.Errorf("got %s in %s", found, page)
		}
	}
	read := strings.ReplaceAll(html.UnescapeString(tag.ReplaceAllString(page, "")), "\u200b", "")
	for _, text := range texts {
		if !strings.Contains(read, text) {
			t.Errorf("got no %q in %q", text, read)
		}
	}
}

func TestMarkdownReadsAsItIs(t *testing.T) {
	for _, text := range []string{
		hostileText, "- a", "+ a", "1. a", "12) a", "# a", "> a", "---", "===", "```json", "~~~", "    a", "| a | b |", "|-|-|",
		"*a* _b_ **c** ~~d~~ `e` ``f``", "[a](b) ![a](b) [a]: b", "<b>a</b> <!-- a", "&lt; &#8203; &copy;", `a\`, `\*a\*`,
		"http://a.b/c_d_ www.a.b HTTPS://a.b a@b.cc", "a<br>b", "$a$ $$b$$", "[ ] a", "[x] a", "1", "1.", "`", "``", "` `", " `a` ",
	} {
		d := about("some-rule", "", "")
		d.Message, d.Effect, d.Ocelot, d.Help, d.Fix = text, text, text, text, &diag.Fix{Title: text}
		page := rendered(t, output(t, "markdown", report.Options{}, []diag.Diagnostic{d}))
		checkMarkdown(t, page, text[len(text)-len(strings.TrimLeft(text, " ")):])
		if got := strings.Count(page, "<li>"); got != 5 {
			t.Errorf("%q: got %d items, want 5, in %s", text, got, page)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(hostileText)
	f.Add("1. www.a")
	f.Fuzz(func(t *testing.T, text string) {
		d := about("some-rule", "", "")
		d.Message, d.Effect, d.Ocelot = text, text, text
		checkMarkdown(t, rendered(t, output(t, "markdown", report.Options{}, []diag.Diagnostic{d})))
	})
}

// Hosts look for mentions and references in the finished text.
func TestMarkdownMentionsNobody(t *testing.T) {
	d := about("r", "", "")
	d.Message = `@all #12 !3 %4 ~bug ~"a bug" :tada: :+1: $5 me@example.org GH@x`
	page := html.UnescapeString(rendered(t, output(t, "markdown", report.Options{}, []diag.Diagnostic{d})))
	if got := regexp.MustCompile(`[@#!%~$:][\w"+]`).FindAllString(page, -1); got != nil {
		t.Errorf("got %q in %s", got, page)
	}
}

// What people copy from a comment has nothing between its characters.
func TestMarkdownKeepsEncodedWordsWhole(t *testing.T) {
	d := about("r", "", "")
	d.Help = `write "/gr%C3%BC%c3%9fe/{id}", or %20`
	out := output(t, "markdown", report.Options{}, []diag.Diagnostic{d})
	if want := "write \"`/gr%C3%BC%c3%9fe/{id}`\", or `%20`\n"; !strings.Contains(out, want) {
		t.Errorf("got %s, want %s in it", out, want)
	}
}

// A comment has a greatest size: the worst findings are in it, the others are
// counted.
func TestMarkdownFitsIntoAComment(t *testing.T) {
	const most = 65536
	var ds []diag.Diagnostic
	for i := range 1000 {
		ds = append(ds, about("r", fmt.Sprint(i), ""))
		ds[i].Message = strings.Repeat("a<b ", 50)
	}
	ds[997].Cause, ds[998].Cause = "one", "one" // left out as one item, counted as two
	ds[999].Severity, ds[999].Message = diag.Error, "the worst"
	out := output(t, "markdown", report.Options{}, ds)
	if len(out) > most {
		t.Errorf("got %d bytes, want at most %d", len(out), most)
	}
	if !strings.Contains(out, "the worst") {
		t.Error("the worst finding is not printed")
	}
	var more int
	if _, err := fmt.Sscanf(out[strings.LastIndex(out, "- "):], "- … and %d more", &more); err != nil || more+strings.Count(out, "`r`") != 1000 {
		t.Errorf("got %d findings and %d more (%v), want 1000", strings.Count(out, "`r`"), more, err)
	}
}

func TestMarkdownWithoutFindings(t *testing.T) {
	want := report.MarkdownMark + "\n\n**margay** 2 files: nothing found\n"
	if got := output(t, "markdown", report.Options{Files: 2}, nil); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
