package emit

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/gatewaygen"
	"github.com/margay-dev/margay/testdata/oracletest"
	"github.com/margay-dev/margay/validate/rules"
)

// tester is what a test and a property have in common.
type tester interface {
	Helper()
	Errorf(string, ...any)
	Fatalf(string, ...any)
}

func fixOptions() Options { return Options{Rules: rules.All()} }

func compileFor(t tester, raw []byte) *Result {
	t.Helper()
	r, err := Compile(context.Background(), load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", raw)}, fixOptions())
	if err != nil {
		t.Fatalf("%v", err)
	}
	return r
}

// checkFixes holds everything that fixes promise against one text, and returns
// how many files they change.
func checkFixes(t tester, raw []byte) int {
	t.Helper()
	before := compileFor(t, raw)
	fixed, err := before.FixAll(context.Background(), fixOptions(), before.Findings)
	if err != nil {
		t.Fatalf("%v", err)
	}
	files := fixed.Files
	if len(files) == 0 {
		return 0
	}
	after := compileFor(t, files[0].Raw)
	if again, err := after.FixAll(context.Background(), fixOptions(), after.Findings); err != nil || len(again.Files) > 0 {
		t.Errorf("a second run changes something (%v):\n%s\nto\n%s", err, files[0].Raw, again.Files[0].Raw)
	}
	if got, had := len(after.Loaded.Texts[0].Defects), len(before.Loaded.Texts[0].Defects); got > had {
		t.Errorf("got %d defects of the text, had %d:\n%s", got, had, files[0].Raw)
	}
	if len(before.Loaded.Texts[0].Defects) == 0 && before.Starts() && !after.Starts() {
		t.Errorf("the fixed file does not start: %v\n%s\nbefore\n%s", after.StartErrors(), files[0].Raw, raw)
	}
	sameElsewhere(t, before, after)
	onlyTheFixes(t, before, after)
	return 1
}

// sameElsewhere holds that routes which no fix is about, and that no global
// section could reach differently, get what they got.
func sameElsewhere(t tester, before, after *Result) {
	t.Helper()
	if len(before.Loaded.Texts[0].Defects) > 0 {
		return // what a broken text says is partly guessed
	}
	touched := map[string]bool{}
	for _, d := range before.Findings {
		if d.Fix != nil && !d.Fix.Unsafe {
			touched[d.Subject.Route] = true
		}
	}
	if touched[""] || len(before.Gateway.Routes) != len(after.Gateway.Routes) {
		return
	}
	for i := range before.Gateway.Routes {
		a, b := before.Gateway.Routes[i], after.Gateway.Routes[i]
		one := func(r normalize.Route) *normalize.Gateway { return &normalize.Gateway{Routes: []normalize.Route{r}} }
		if name := a.Name(); !touched[name] && !touchedSome(touched, name) && !one(a).SameAs(one(b)) {
			t.Errorf("%s gets something else although no fix is about it", name)
		}
	}
}

// touchedSome says whether a fix is about a route, whatever its verbs.
func touchedSome(touched map[string]bool, template string) bool {
	for name := range touched {
		if strings.Contains(name, template) {
			return true
		}
	}
	return false
}

// onlyTheFixes holds what no fix may change: the mark, comments, line ends, and
// every line that no fix stands on.
func onlyTheFixes(t tester, before, after *Result) {
	t.Helper()
	old, changed := before.Loaded.Texts[0], after.Loaded.Texts[0]
	if old.File.Encoding != changed.File.Encoding {
		t.Errorf("the encoding was %v and is %v", old.File.Encoding, changed.File.Encoding)
	}
	if len(old.Defects) == 0 && !slices.Equal(comments(old), comments(changed)) {
		t.Errorf("comments were %q and are %q", comments(old), comments(changed))
	}
	if len(old.Defects) > 0 {
		return
	}
	for _, end := range []string{"\r\n", "\n", "\r"} {
		if a, b := bytes.Count(old.File.Text, []byte(end)), bytes.Count(changed.File.Text, []byte(end)); a != b {
			t.Errorf("there were %d of the line end %q and are %d", a, end, b)
		}
	}
	fixed := fixedLines(t, before)
	for n := 1; n <= old.File.Lines(); n++ {
		if !fixed[n] && !bytes.Equal(old.File.Line(n), changed.File.Line(n)) {
			t.Errorf("line %d was %q and is %q, where no fix stands", n, old.File.Line(n), changed.File.Line(n))
		}
	}
}

func comments(text load.Text) []string {
	var all []string
	for _, c := range text.Comments {
		all = append(all, string(text.File.Text[c.Start:c.End]))
	}
	return all
}

// fixedLines are the lines that some fix stands on, in one pass or another. No
// fix moves a line of a text that is JSON.
func fixedLines(t tester, r *Result) map[int]bool {
	t.Helper()
	lines := map[int]bool{}
	for range mostPasses {
		for _, d := range r.Findings {
			if !fixable(d) {
				continue
			}
			for _, e := range d.Fix.Edits {
				for n := e.Span.Position().Line; n <= e.Span.EndPosition().Line; n++ {
					lines[n] = true
				}
			}
		}
		files := r.Fix(r.Findings)
		if len(files) == 0 {
			break
		}
		r = compileFor(t, files[0].Raw)
	}
	return lines
}

// TestCorpusFixes mends real files, as they are and with other line ends and a
// mark.
func TestCorpusFixes(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	fixed := 0
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			fixed += checkFixes(t, raw)
			if !bytes.HasPrefix(raw, []byte("\xEF\xBB\xBF")) && !bytes.Contains(raw, []byte("\r")) {
				checkFixes(t, append([]byte("\xEF\xBB\xBF"), bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n"))...))
			}
		})
	}
	if fixed == 0 {
		t.Error("no file was fixed")
	}
}

// spoil makes one of the mistakes that people make.
func spoil(t *rapid.T, text string) string {
	pairs := [][2]string{
		{`"UpstreamPathTemplate"`, `"UpstreamPathTemplat"`}, {`"DownstreamScheme"`, `"DownstreamSheme"`}, {`"Priority"`, `"Prioritty"`},
		{`"QoSOptions"`, `"QoSOption"`}, {`"QoSOptions"`, `"QosOptions "`}, {`[ "GET" ]`, `"GET"`}, {`[ "POST" ]`, `"POST"`}, {`"Routes"`, `"ReRoutes"`},
		{`"Host"`, `"Hots"`}, {`,`, ``}, {`,`, `,,`}, {`"`, `'`}, {`:`, ` `}, {`]`, ``}, {`}`, ``}, {`"Timeout"`, `"TimeoutValue"`}, {`true`, `True`},
	}
	pair := rapid.SampledFrom(pairs).Draw(t, "mistake")
	n := strings.Count(text, pair[0])
	if n == 0 {
		return text
	}
	at := 0
	for range rapid.IntRange(0, n-1).Draw(t, "place") {
		at += strings.Index(text[at:], pair[0]) + len(pair[0])
	}
	at += strings.Index(text[at:], pair[0])
	return text[:at] + pair[1] + text[at+len(pair[0]):]
}

// TestFixesOfSpoiledGateways mends generated gateways with mistakes in them, in
// all encodings and with all line ends.
func TestFixesOfSpoiledGateways(t *testing.T) {
	fixed := 0
	rapid.Check(t, func(t *rapid.T) {
		text := string(gatewaygen.Bytes(rapid.IntRange(1, 4).Draw(t, "routes"), rapid.Uint64Range(0, 50).Draw(t, "seed")))
		for range rapid.IntRange(1, 4).Draw(t, "mistakes") {
			text = spoil(t, text)
		}
		if rapid.Bool().Draw(t, "no line end") {
			text = strings.TrimRight(text, "\n")
		}
		text = strings.ReplaceAll(text, "\n", rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line ends"))
		encoding := rapid.SampledFrom([]source.Encoding{source.UTF8, source.UTF8BOM, source.UTF16LE, source.UTF16BE, source.UTF32LE}).Draw(t, "encoding")
		fixed += checkFixes(t, encoding.Encode([]byte(text)))
	})
	fmt.Printf("mended %d gateways\n", fixed)
	if fixed == 0 {
		t.Error("nothing was fixed")
	}
}
