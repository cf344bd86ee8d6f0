package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/margay-dev/margay/schema/diag"
)

// homepage is where the program is at home.
const homepage = "https://github.com/margay-dev/margay"

// SARIF returns the printer of the Static Analysis Results Interchange Format
// 2.1.0, which GitHub code scanning, Azure DevOps and editors read. Each
// finding is a result of its own, so that each can be followed from run to
// run. All of Options.Rules are listed, as they were all looked for; the pages of
// those with a result are their help: nobody opens the others, and they are
// nine tenths of a small report.
func SARIF(opts Options) Printer { return sarifPrinter{opts} }

type sarifPrinter struct{ Options }

// Print implements Printer.
func (p sarifPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	run := sarif.NewRunWithInformationURI("margay", homepage).WithColumnKind("utf16CodeUnits")
	if p.Version != "" {
		run.Tool.Driver.WithVersion(p.Version)
	}
	shown := p.printed(ds)
	found := map[string]bool{}
	for _, d := range shown {
		found[d.Rule] = true
	}
	catalogue := map[string]int{}
	for i, r := range p.Rules {
		if !found[r.Name] {
			r.Doc = ""
		}
		catalogue[r.Name] = i
		run.Tool.Driver.AddRule(sarifRule(r))
	}
	mask := p.masker()
	if mask.texts != nil {
		run.AddRedactionToken(hidden)
	}
	for _, d := range shown {
		rule, known := catalogue[d.Rule]
		if !known {
			rule = len(catalogue)
			catalogue[d.Rule] = rule
			run.Tool.Driver.AddRule(sarif.NewRule(d.Rule))
		}
		run.AddResult(sarifResult(&d, rule, mask, p.Base))
	}
	text, err := encode(sarif.NewReport().AddRun(run))
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.Write(text)
	out.WriteByte('\n')
	return out.Flush()
}

// sarifResult leaves braces in the message as they are. The standard wants
// them doubled where a message has arguments; ours has none, and readers show
// the doubled ones.
func sarifResult(d *printed, rule int, m masker, base Base) *sarif.Result {
	result := sarif.NewRuleResult(d.Rule).WithRuleIndex(rule).WithLevel(sarifLevel(d.Severity)).
		WithMessage(sarif.NewTextMessage(strings.Join(m.prose(&d.Diagnostic), "\n"))).
		AddLocation(sarifLocation(d.Span, base)).
		// GitHub follows findings by the first name only; left out, it would
		// hash the line.
		WithPartialFingerprints(map[string]string{"primaryLocationLineHash": d.fingerprint, "margay/v1": d.fingerprint})
	for i, r := range d.Related {
		place := sarifLocation(r.Span, base).WithID(i + 1).WithMessage(sarif.NewTextMessage(m.line(r.Message)))
		result.AddRelatedLocation(place)
	}
	if fix := sarifFix(d.Fix, m, base); fix != nil {
		result.WithFixes([]*sarif.Fix{fix})
	}
	return result
}

func sarifLevel(s diag.Severity) string {
	if s == diag.Info {
		return "note"
	}
	return s.String()
}

// sarifFix returns the edits of a fix; nil if there are none to offer. The
// format has no word for an unsafe edit, and its readers apply what they find.
func sarifFix(fix *diag.Fix, m masker, base Base) *sarif.Fix {
	edits := fixOf(fix, m)
	if edits == nil || edits.Unsafe {
		return nil
	}
	out := sarif.NewFix().WithDescription(sarif.NewTextMessage(m.line(fix.Title)))
	changes := map[string]*sarif.ArtifactChange{}
	for _, e := range fix.Edits {
		if e.Span.File == nil {
			return nil
		}
		change := changes[e.Span.File.Name]
		if change == nil {
			change = sarif.NewArtifactChange().WithArtifactLocation(sarifArtifact(base.name(e.Span.File.Name)))
			changes[e.Span.File.Name] = change
			out.AddArtifactChange(change)
		}
		change.AddReplacement(sarif.NewReplacement().WithDeletedRegion(sarifRegion(e.Span)).
			WithInsertedContent(sarif.NewArtifactContent().WithText(e.NewText)))
	}
	return out
}
