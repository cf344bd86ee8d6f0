package report

import (
	"bufio"
	"io"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// GitLab returns the printer of GitLab's Code Quality report: a JSON list, one
// finding a line, which merge requests show beside the lines that changed.
func GitLab(opts Options) Printer { return gitlabPrinter{opts} }

type gitlabPrinter struct{ Options }

// The types of the format. GitLab wants every member but Lines.End.
type (
	gitlabIssue struct {
		Description string      `json:"description"`
		CheckName   string      `json:"check_name"`
		Fingerprint string      `json:"fingerprint"`
		Severity    string      `json:"severity"`
		Location    gitlabPlace `json:"location"`
	}
	gitlabPlace struct {
		Path  string      `json:"path"`
		Lines gitlabLines `json:"lines"`
	}
	gitlabLines struct {
		Begin int `json:"begin"`
		End   int `json:"end,omitempty"`
	}
)

// Print implements Printer.
func (p gitlabPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	out := bufio.NewWriter(w)
	mask := p.masker()
	out.WriteByte('[')
	for i, d := range p.printed(ds) {
		line, err := encode(gitlabIssue{
			// GitLab shows the description on one line and nothing else.
			Description: strings.Join(mask.prose(&d.Diagnostic), "; "),
			CheckName:   d.Rule, Fingerprint: d.fingerprint, Severity: gitlabSeverity(d.Severity), Location: p.place(&d.Diagnostic),
		})
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
		out.Write(line)
	}
	out.WriteString("\n]\n")
	return out.Flush()
}

// gitlabSeverity leaves "blocker" to tools that may stop a deployment and
// "minor" to matters of taste.
func gitlabSeverity(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "critical"
	case diag.Warning:
		return "major"
	}
	return "info"
}

// place returns a place with the path from the root of the repository.
// A finding without a place is about the folder; GitLab wants a line there too.
func (p gitlabPrinter) place(d *diag.Diagnostic) gitlabPlace {
	if d.Span.File == nil {
		return gitlabPlace{Path: slashed(p.Base.name(".")), Lines: gitlabLines{Begin: 1}}
	}
	return gitlabPlace{Path: cleaned(p.Base.name(d.Span.File.Name)), Lines: gitlabLines{Begin: d.Span.Position().Line, End: d.Span.EndPosition().Line}}
}
