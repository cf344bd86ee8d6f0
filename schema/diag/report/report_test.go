package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

const orders = `{
	"Routes": [
		{
			"Key": "注文",	"QoSOptions": {
				"DurationOfBreak": 60000,
				"BreakDuration": 5000, // 😀
				"Timeout": "5s"
			}
		},
		{ "Key": "a", "Priority": 1, "RouteIsCaseSensitive": true, "UpstreamPathTemplate": "/a/rather/long/{path}/that/does/not/fit", "Timeout": "ten", "DownstreamScheme": "http" }
	],
	"Name": "` + "\x1b[31mred\u202E" + `",
	"GlobalConfiguration": {
		"ServiceDiscoveryProvider": { "Token": "s3cr3t-token", "Port": "x" },
		"BaseUrl": ""
	}
}
`

// findings are one of every kind that printers have to cope with.
func findings() (ds []diag.Diagnostic, secrets []source.Span) {
	file := source.NewFile(filepath.Join("gateway", "ocelot.orders.json"), []byte(orders))
	global := source.NewFile(filepath.Join("gateway", "ocelot.global.json"), []byte("\xEF\xBB\xBF{\r\n  \"Routes\": []\r\n}\r\n"))
	at := func(text string) source.Span {
		start := strings.Index(orders, text)
		if start < 0 {
			panic(text)
		}
		return source.Span{File: file, Start: start, End: start + len(text)}
	}
	behind := func(s source.Span) source.Span { return source.Span{File: s.File, Start: s.End, End: s.End} }
	secret := at("s3cr3t-token")
	var list diag.List
	list.Add(
		diag.Diagnostic{Rule: "not-ocelot", Severity: diag.Info, Message: "nothing to see"},
		diag.Diagnostic{Rule: "environment-skipped", Severity: diag.Warning, Message: "no file for the environment \"Production\"", Help: "say --env NAME"},
		diag.Diagnostic{
			Rule: "deprecated-overrides", Severity: diag.Warning, Span: at("60000"),
			Message: `"DurationOfBreak" is deprecated and beats "BreakDuration": the circuit stays open 60 s, not 5 s`,
			Related: []diag.Related{
				{Span: at("5000"), Message: "ignored by Ocelot"},
				{Span: at(`"注文"`), Message: "the route begins here"},
				{Span: source.Span{File: global, Start: 14, End: 16}, Message: "this list is another one"},
			},
			Help:    "remove the line",
			Fix:     &diag.Fix{Title: "remove \"BreakDuration\"", Edits: []diag.Edit{{Span: at(`"BreakDuration": 5000, `)}}},
			Subject: diag.Subject{Route: "GET /orders/{id}", Option: "QoSOptions.DurationOfBreak"},
		},
		diag.Diagnostic{
			Rule: "type-mismatch", Severity: diag.Error, Span: at(`"5s"`), Cause: "Timeout",
			Message: `"5s" is not a whole number: Ocelot drops the whole route without a message`,
			Effect:  "its requests then reach /{everything}, which has no authentication",
			Ocelot:  "Failed to convert configuration value '5s' at 'Routes:0:QoSOptions:Timeout' to type 'System.Int32'.",
			Help:    "write 5000 (milliseconds)", Subject: diag.Subject{Route: "/orders/{id}"},
			Fix: &diag.Fix{Title: "write 5000", Unsafe: true, Edits: []diag.Edit{{Span: at(`"5s"`), NewText: "5000"}}},
		},
		diag.Diagnostic{
			Rule: "type-mismatch", Severity: diag.Error, Span: at(`"ten"`), Cause: "Timeout",
			Message: `"ten" is not a whole number`, Subject: diag.Subject{Route: "/a"},
		},
		diag.Diagnostic{
			Rule: "long-line", Severity: diag.Warning, Span: at(`"ten"`), Message: "a mark far to the right",
			Related: []diag.Related{{Span: at(`{ "Key": "a"`), Message: "off the screen"}, {Span: at(`"http"`), Message: "on it"}},
		},
		diag.Diagnostic{Rule: "missing", Severity: diag.Warning, Span: behind(at(`"Port": "x"`)), Message: "100%, a comma: missing here\nand a second line"},
		diag.Diagnostic{
			Rule: "secret-in-config", Severity: diag.Warning, Span: secret, Message: `the token "s3cr3t-token" is a secret`,
			Fix: &diag.Fix{Title: "move s3cr3t-token", Edits: []diag.Edit{{Span: secret, NewText: "s3cr3t-token"}}},
		},
		diag.Diagnostic{Rule: "whole-object", Severity: diag.Warning, Span: at(`{ "Token": "s3cr3t-token", "Port": "x" },` + "\n\t\t\"BaseUrl\""), Message: "a span of two lines, behind it an empty one"},
		diag.Diagnostic{Rule: "control-character", Severity: diag.Warning, Span: at("red"), Message: "the text \x1b[31m would colour the terminal"},
		diag.Diagnostic{Rule: "line-end", Severity: diag.Warning, Span: source.Span{File: global, Start: 1, End: 3}, Message: "the span is the end of a line"},
	)
	return list.Sorted(), []source.Span{secret}
}

func TestGolden(t *testing.T) {
	ds, secrets := findings()
	opts := report.Options{Header: "gateway/: merged from 2 parts", Secrets: secrets, Files: 2, Routes: 41}
	with := func(change func(*report.Options)) report.Options {
		o := opts
		change(&o)
		return o
	}
	used := map[string]bool{}
	for _, test := range []struct {
		golden string
		format string
		opts   report.Options
	}{
		{"text.txt", "text", opts},
		{"verbose.txt", "text", with(func(o *report.Options) { o.Verbose, o.Least, o.Width = true, diag.Info, 200 })},
		{"color.txt", "text", with(func(o *report.Options) { o.Color, o.Least = true, diag.Error })},
		{"findings.json", "json", opts},
		{"github.txt", "github", with(func(o *report.Options) { o.Least = diag.Info })},
		{"findings.sarif", "sarif", with(func(o *report.Options) { o.Rules, o.Version = rules(), "1.2.3" })},
		{"junit.xml", "junit", with(func(o *report.Options) { o.Rules, o.Least = rules(), diag.Info })},
		{"gitlab.json", "gitlab", opts},
		{"azure.txt", "azure", with(func(o *report.Options) { o.Least = diag.Info })},
		{"comment.md", "markdown", with(func(o *report.Options) { o.Least = diag.Info })},
		{"statistics.txt", "statistics", with(func(o *report.Options) { o.Least = diag.Info })},
		{"msbuild.txt", "msbuild", with(func(o *report.Options) { o.Least = diag.Info })},
	} {
		used[test.golden] = true
		printer, ok := report.New(test.format, test.opts)
		if !ok {
			t.Fatalf("no format %q", test.format)
		}
		var got bytes.Buffer
		if err := printer.Print(&got, ds); err != nil {
			t.Fatal(err)
		}
		compare(t, test.golden, readable(t, test.golden, got.Bytes()))
	}
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !used[f.Name()] {
			t.Errorf("testdata/%s belongs to no test", f.Name())
		}
	}
}

// readable returns what is kept of an output: SARIF is one line, so its golden
// file is indented.
func readable(t *testing.T, golden string, out []byte) []byte {
	if filepath.Ext(golden) != ".sarif" {
		return out
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, out, "", " "); err != nil {
		t.Fatal(err)
	}
	return indented.Bytes()
}

func compare(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want) {
		return
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
			t.Errorf("%s differs from line %d on (UPDATE=1 rewrites it):\n got %q\nwant %q", name, i+1,
				gotLines[i:min(i+3, len(gotLines))], wantLines[i:min(i+3, len(wantLines))])
			return
		}
	}
}

// The secret must be in no output of any format, however it got there.
func TestSecretsAreInNoFormat(t *testing.T) {
	ds, secrets := findings()
	for _, format := range report.Formats() {
		printer, _ := report.New(format, report.Options{Secrets: secrets, Hidden: []string{"40", "Daytona"}, Least: diag.Info, Width: 500})
		more := append(slices.Clone(ds), diag.Diagnostic{
			Rule: "x", Severity: diag.Error, Message: "token s3cr3t-token at Daytona", Effect: "s3cr3t-token", Ocelot: "s3cr3t-token",
			Help: "s3cr3t-token", Subject: diag.Subject{Route: "/s3cr3t-token", Option: "s3cr3t-token"}, Related: []diag.Related{{Message: "s3cr3t-token"}}, Cause: "s3cr3t-token",
		})
		var out bytes.Buffer
		if err := printer.Print(&out, more); err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"s3cr3t", "Daytona"} {
			if i := strings.Index(out.String(), secret); i >= 0 {
				t.Errorf("%s: %q is printed: %q", format, secret, out.String()[max(0, i-40):i+20])
			}
		}
	}
}

// No byte of a finding or a file may reach a terminal as a control character.
func TestTextIsSafeForTerminals(t *testing.T) {
	file := source.NewFile("a\x1b[2J.json", []byte("{\"\x00\x07\x1b]0;x\x07\u2066\u2028\": 1}\n"))
	d := diag.Diagnostic{
		Rule: "x", Severity: diag.Error, Span: source.Span{File: file, Start: 1, End: 5}, Message: "m\x1b[0m\r\x00", Help: "h\x1b",
		Effect: "e\x9b", Related: []diag.Related{{Span: source.Span{File: file, Start: 2, End: 3}, Message: "r\x1b"}}, Subject: diag.Subject{Route: "\x1b"},
	}
	var out bytes.Buffer
	if err := report.Text(report.Options{Header: "\x1b", Verbose: true}).Print(&out, []diag.Diagnostic{d}); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if r != '\n' && (r < ' ' || r == '\u2066' || r == '\u2028' || r >= 0x7F && r < 0xA0) {
			t.Errorf("U+%04X is printed in %q", r, out.String())
		}
	}
}

func TestJSONIsJSON(t *testing.T) {
	ds, secrets := findings()
	for _, list := range [][]diag.Diagnostic{nil, ds} {
		var out bytes.Buffer
		if err := report.JSON(report.Options{Secrets: secrets}).Print(&out, list); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Version  int
			Findings []map[string]any
			Summary  map[string]int
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v: %s", err, out.Bytes())
		}
		if got.Version != report.JSONVersion || len(got.Findings) != diag.Count(list, diag.Warning) {
			t.Errorf("got version %d and %d findings, want %d and %d", got.Version, len(got.Findings), report.JSONVersion, diag.Count(list, diag.Warning))
		}
	}
}

// A mark stands under its character wherever it is in a line of any length.
func TestMarkStandsUnderItsText(t *testing.T) {
	for _, before := range []string{"", "\t", "a\t", "é", "中中", "😀", "e\u0301", "\ufeff", strings.Repeat("x", 30), strings.Repeat("x", 100), strings.Repeat("中", 3000), strings.Repeat("\t", 5000)} {
		for _, behind := range []string{"", ",", strings.Repeat("y", 5000)} {
			text := "{\n" + before + "HERE" + behind + "\n}"
			file := source.NewFile("a.json", []byte(text))
			start := strings.Index(text, "HERE")
			d := diag.Diagnostic{Rule: "r", Severity: diag.Error, Message: "m", Span: source.Span{File: file, Start: start, End: start + 4}}
			var out bytes.Buffer
			if err := report.Text(report.Options{}).Print(&out, []diag.Diagnostic{d}); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(out.String(), "\n")
			at, under := columnOf(lines[1], "HERE"), columnOf(lines[2], "^^^^")
			if at < 0 || at != under || strings.Count(lines[2], "^") != 4 {
				t.Errorf("%.20q…%.5q: text in column %d, mark in %d:\n%s\n%s", before, behind, at, under, lines[1], lines[2])
			}
			if width := columnOf(lines[1]+"END", "END"); width > 80 {
				t.Errorf("%.20q…%.5q: got a line of %d columns, want 80", before, behind, width)
			}
		}
	}
}

// columnOf counts the columns before a text, wide characters twice.
func columnOf(line, text string) int {
	i := strings.Index(line, text)
	if i < 0 {
		return -1
	}
	n := 0
	for _, r := range line[:i] {
		switch {
		case r == '\u0301' || r == '\ufeff':
		case r == '中' || r == '😀':
			n += 2
		default:
			n++
		}
	}
	return n
}
