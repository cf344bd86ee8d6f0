package report_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

// invisible are characters that Azure's agent overlooks when it looks for a
// command.
var invisible = regexp.MustCompile("[\u00ad\u200b\u200d\u2060\ufeff]")

// Whatever stands in a file, its name or a message: the only commands in the
// output are those of the formats that consist of them.
func TestFilesGiveNoOrders(t *testing.T) {
	for _, order := range []string{
		"##vso[task.setvariable variable=x]y", "#\u00ad#vso[task.complete]", "##\u200bvso[a]", "##[error]no", "::error::no", "  ::set-output name=x::y",
	} {
		file := source.NewFile(order+".json", []byte(order+"\n"+order+"\n"))
		span := source.Span{File: file, Start: len(order) + 1, End: 2*len(order) + 1}
		for _, severity := range []diag.Severity{diag.Info, diag.Error} {
			d := diag.Diagnostic{
				Rule: "some-rule", Severity: severity, Span: span, Message: order, Effect: "first\n" + order, Ocelot: order, Help: order,
				Subject: diag.Subject{Route: order}, Related: []diag.Related{{Span: span, Message: order}, {Message: order}}, Fix: &diag.Fix{Title: order},
			}
			for _, format := range report.Formats() {
				out := output(t, format, report.Options{Header: order, Least: diag.Info, Verbose: true}, []diag.Diagnostic{d, d})
				for line := range strings.Lines(out) {
					obeys(t, format, invisible.ReplaceAllString(line, ""))
				}
			}
		}
	}
}

func obeys(t *testing.T, format, line string) {
	t.Helper()
	if format == "azure" && strings.HasPrefix(line, "##vso[task.logissue ") {
		return // the agent takes the first command of a line, and all else for its text
	}
	if format == "github" {
		line = strings.TrimPrefix(line, "::") // GitHub's runner splits the rest at "::" and looks no further
	}
	switch {
	case format != "github" && (strings.Contains(line, "##vso[") || strings.Contains(line, "##[")):
		t.Errorf("%s: an agent of Azure obeys %q", format, line)
	case strings.HasPrefix(strings.TrimSpace(line), "::"):
		t.Errorf("%s: a runner of GitHub obeys %q", format, line)
	}
}
