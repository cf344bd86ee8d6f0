package report_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

// Texts and names that mean something to one format or another.
const (
	hostileText = "100% %0A %3B %AZP25, a:b; [x](1) ]|`a``b` <b>&amp; \\n {0} 'q' \"d\" ##vso[task.setvariable variable=x]y ::error::z #1 @all"
	hostileName = "dir a/ü%0A;,:]('`|<&>.json"
)

// hostile is one finding of a severity that has them everywhere, and a second
// line.
func hostile(severity diag.Severity) []diag.Diagnostic {
	file := source.NewFile(hostileName, []byte("{}"))
	span := source.Span{File: file, Start: 0, End: 2}
	return []diag.Diagnostic{{
		Rule: "some-rule", Severity: severity, Span: span, Message: hostileText, Effect: "second\r\nthird", Help: hostileText,
		Subject: diag.Subject{Route: hostileText, Option: hostileText}, Related: []diag.Related{{Span: span, Message: hostileText}},
		Fix: &diag.Fix{Title: hostileText, Edits: []diag.Edit{{Span: span, NewText: hostileText}}},
	}}
}

const hostileProse = hostileText + "\nsecond\nthird\nhelp: " + hostileText

// azureCommand reads a line as the agent does: the properties are what is in
// the first brackets.
func azureCommand(t *testing.T, line string) (properties map[string]string, data string) {
	t.Helper()
	head, rest, ok := strings.Cut(line, "]")
	head, ok2 := strings.CutPrefix(head, "##vso[task.logissue ")
	if !ok || !ok2 {
		t.Fatalf("no command in %q", line)
	}
	back := func(s string) string {
		for _, pair := range [][2]string{{"%3B", ";"}, {"%0D", "\r"}, {"%0A", "\n"}, {"%5D", "]"}, {"%AZP25", "%"}} {
			s = strings.ReplaceAll(s, pair[0], pair[1])
		}
		return s
	}
	properties = map[string]string{}
	for _, property := range strings.Split(strings.TrimSuffix(head, ";"), ";") {
		name, value, _ := strings.Cut(property, "=")
		properties[name] = back(value)
	}
	return properties, back(rest)
}

func TestAzureEscapes(t *testing.T) {
	out := output(t, "azure", report.Options{}, hostile(diag.Error))
	properties, data := azureCommand(t, strings.TrimSuffix(out, "\n"))
	if data != hostileProse {
		t.Errorf("got  %q\nwant %q", data, hostileProse)
	}
	want := map[string]string{"type": "error", "sourcepath": hostileName, "linenumber": "1", "columnnumber": "1", "code": "some-rule"}
	for name, value := range want {
		if properties[name] != value {
			t.Errorf("%s: got %q, want %q", name, properties[name], value)
		}
	}
	if len(properties) != len(want) {
		t.Errorf("got properties %q, want %d", properties, len(want))
	}
}

// In a plain line the agent must find no command.
func TestPlainLinesAreNoCommands(t *testing.T) {
	for _, test := range []struct {
		format   string
		severity diag.Severity
	}{{"azure", diag.Info}, {"msbuild", diag.Info}, {"msbuild", diag.Error}} {
		for _, text := range []string{hostileText, "#\u00ad#vso[a]", "##[error]"} {
			ds := hostile(test.severity)
			ds[0].Message = text
			out := output(t, test.format, report.Options{Least: diag.Info}, ds)
			if strings.Contains(out, "[") || strings.Count(out, "\n") != 1 {
				t.Errorf("%s: got %q, want one line without a bracket", test.format, out)
			}
		}
	}
}

// GitHub's runner ends the properties at the second pair of colons.
func TestGitHubEscapes(t *testing.T) {
	out := strings.TrimSuffix(output(t, "github", report.Options{}, hostile(diag.Warning)), "\n")
	back := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	parts := strings.SplitN(out, "::", 3)
	if len(parts) != 3 || !strings.HasPrefix(parts[1], "warning ") {
		t.Fatalf("no command in %q", out)
	}
	if got := back.Replace(parts[2]); got != hostileProse {
		t.Errorf("got  %q\nwant %q", got, hostileProse)
	}
	if file, _, _ := strings.Cut(strings.TrimPrefix(parts[1], "warning file="), ","); back.Replace(file) != hostileName {
		t.Errorf("got file %q, want %q", back.Replace(file), hostileName)
	}
}

// msbuildLine reads a line as MSBuild's CanonicalError does: an origin without
// a colon but that of a drive, or none, more words, a category, a code and the
// text.
var msbuildLine = regexp.MustCompile(`(?i)^\s*(?:((?:[a-zA-Z]?:[^:]*)|(?:[^:]*)):|)([^:]*? |)(error|warning)(?: \s*([^: ]*))?\s*:(.*)$`)

func TestMSBuildIsCanonical(t *testing.T) {
	for _, test := range []struct{ name, origin, text string }{
		{"a.json", "a.json(1,1)", "m"},
		{"dir (1)/a,b.json", "dir (1)/a,b.json(1,1)", "m"},
		{`C:\gate\a.json`, `C:\gate\a.json(1,1)`, "m"},
		{"C:/gate/a.json", "C:/gate/a.json(1,1)", "m"},
		{"a:b.json", "margay ", "a:b.json:1:1: m"},
		{"C:/a:b.json", "margay ", "C:/a:b.json:1:1: m"},
		{"a\nerror b: c.json", "margay ", "a<U+000A>error b: c.json:1:1: m"},
		{"", "margay ", "m"},
	} {
		d := diag.Diagnostic{Rule: "some-rule", Severity: diag.Warning, Message: "m"}
		if test.name != "" {
			d.Span = source.Span{File: source.NewFile(test.name, []byte("{}")), Start: 0, End: 1}
		}
		out := output(t, "msbuild", report.Options{}, []diag.Diagnostic{d})
		got := msbuildLine.FindStringSubmatch(strings.TrimSuffix(out, "\n"))
		if got == nil {
			t.Errorf("%q: %q is not canonical", test.name, out)
			continue
		}
		if origin, category, code, text := got[1], got[3], got[4], strings.TrimSpace(got[5]); origin != test.origin || category != "warning" || code != "some-rule" || text != test.text {
			t.Errorf("%q: got %q, %q, %q, %q; want %q, warning, some-rule, %q", test.name, origin, category, code, text, test.origin, test.text)
		}
	}
}

// MSBuild must not read an error out of a remark.
func TestMSBuildRemarksAreNotCanonical(t *testing.T) {
	file := source.NewFile("my error file.json", []byte("{}"))
	d := diag.Diagnostic{Rule: "r", Severity: diag.Info, Message: "an error x: y", Span: source.Span{File: file, Start: 0, End: 1}}
	if out := output(t, "msbuild", report.Options{Least: diag.Info}, []diag.Diagnostic{d}); msbuildLine.MatchString(out) {
		t.Errorf("%q is canonical", out)
	}
}

// Formats for machines give back the text as it is.
func TestTextsSurvive(t *testing.T) {
	ds := hostile(diag.Error)
	result := sarifRun(t, output(t, "sarif", report.Options{}, ds)).Results[0]
	if got := *result.Message.Text; got != hostileProse {
		t.Errorf("sarif: got %q, want %q", got, hostileProse)
	}
	if got := *result.Fixes[0].ArtifactChanges[0].Replacements[0].InsertedContent.Text; got != hostileText {
		t.Errorf("sarif: got fix %q, want %q", got, hostileText)
	}
	suite := junit(t, output(t, "junit", report.Options{}, ds)).Children[0]
	failure := suite.Children[0].Children[0]
	if got := failure.attr("message"); got != hostileText {
		t.Errorf("junit: got %q, want %q", got, hostileText)
	}
	if !strings.HasSuffix(failure.Text, hostileProse) || suite.attr("name") != hostileName {
		t.Errorf("junit: got %q in %q", failure.Text, suite.attr("name"))
	}
	var issues []struct {
		Description string
		Location    struct{ Path string }
	}
	if err := json.Unmarshal([]byte(output(t, "gitlab", report.Options{}, ds)), &issues); err != nil {
		t.Fatal(err)
	}
	if want := strings.ReplaceAll(hostileProse, "\n", "; "); issues[0].Description != want || issues[0].Location.Path != hostileName {
		t.Errorf("gitlab: got %q in %q", issues[0].Description, issues[0].Location.Path)
	}
}

// No format prints a control character but the ends of its lines, not even of
// a file's name. JSON escapes those that it has to, and keeps the others since
// its texts are exact.
func TestControlCharactersAreInNoFormat(t *testing.T) {
	const bad = "a\x00b\x0b\x1b[0m\u0085\u2028\u202e\ufffe\xffc\rd"
	file := source.NewFile(bad, []byte("{}"))
	span := source.Span{File: file, Start: 0, End: 1}
	for _, severity := range []diag.Severity{diag.Info, diag.Error} {
		d := diag.Diagnostic{
			Rule: "r", Severity: severity, Span: span, Message: bad, Effect: bad, Ocelot: bad, Help: bad, Cause: bad,
			Subject: diag.Subject{Route: bad, Option: bad}, Related: []diag.Related{{Span: span, Message: bad}}, Fix: &diag.Fix{Title: bad},
		}
		for _, format := range report.Formats() {
			out := output(t, format, report.Options{Least: diag.Info, Verbose: true}, []diag.Diagnostic{d})
			exact := format == "json" || format == "sarif" || format == "gitlab"
			if i := strings.IndexFunc(out, func(r rune) bool { return r != '\n' && (r < ' ' || !exact && r >= 0x7f && r < 0xa0) }); i >= 0 {
				t.Errorf("%s prints %q", format, out[i:min(len(out), i+10)])
			}
			if format == "junit" {
				junit(t, out)
			}
		}
	}
}

func TestOutputIsTheSameFromRunToRun(t *testing.T) {
	for _, format := range report.Formats() {
		var first string
		for range 20 {
			ds, secrets := findings()
			ds = append(ds, hostile(diag.Error)...)
			slices.SortStableFunc(ds, diag.Compare)
			out := output(t, format, report.Options{Secrets: secrets, Rules: rules(), Least: diag.Info}, ds)
			if first == "" {
				first = out
			}
			if out != first {
				t.Fatalf("%s: got %s, before it was %s", format, out, first)
			}
		}
	}
}
