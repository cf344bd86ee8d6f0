// Package report prints findings: for people at a terminal, for other
// programs, and as annotations on a pull request.
//
// It takes findings in the order of diag.Compare and writes one form of them.
// It decides nothing about them: what is found, how bad it is and in which
// order it comes is settled before.
package report

import (
	"io"
	"path/filepath"
	"slices"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// Printer writes findings in one format. The findings are sorted.
type Printer interface {
	Print(w io.Writer, ds []diag.Diagnostic) error
}

// Options are choices that all formats share. The zero value prints warnings
// and errors without colour for a screen of 80 columns.
type Options struct {
	// Header is printed by Text before the findings, one line; "" for none.
	Header string
	// Least is the mildest severity that is printed; zero is Warning. The
	// summary counts all findings.
	Least diag.Severity
	// Verbose lists every place of findings with one cause.
	Verbose bool
	// Color colours text for a terminal.
	Color bool
	// Width is the number of columns of the screen; zero means that there is
	// none, see Text.
	Width int
	// Files and Routes are what the summary says has been read; it leaves out
	// what is zero.
	Files, Routes int
	// Left is what has been found and is left out; see Left.
	Left []Left
	// Secrets are places whose text is not shown, and Hidden texts that are
	// not, wherever they occur: "***" stands for both.
	Secrets []source.Span
	Hidden  []string
	// Rules are described by formats that have a catalogue of rules, in this
	// order.
	Rules []Rule
	// Base is where paths start that readers take from the root of a
	// repository.
	Base Base
	// Version is margay's own, for formats that name the program; "" leaves it
	// out.
	Version string
}

// formats are the printers by name, in the order in which they are offered.
var formats = []struct {
	name string
	make func(Options) Printer
}{
	{"text", Text},
	{"json", JSON},
	{"github", GitHub},
	{"sarif", SARIF},
	{"junit", JUnit},
	{"gitlab", GitLab},
	{"azure", Azure},
	{"msbuild", MSBuild},
	{"markdown", Markdown},
	{"statistics", Statistics},
}

// Formats returns the names of all formats, that of Text first.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// New returns the printer of a format; false if there is none of that name.
func New(format string, opts Options) (Printer, bool) {
	for _, f := range formats {
		if f.name == format {
			return f.make(opts), true
		}
	}
	return nil, false
}

func (o Options) least() diag.Severity {
	if o.Least == 0 {
		return diag.Warning
	}
	return o.Least
}

// summary is what a run has found, shown or not.
type summary struct {
	errors, warnings, infos int
	fixable                 int // findings with a safe edit
	hidden                  int // findings milder than what is printed
}

func (o Options) summarize(ds []diag.Diagnostic) summary {
	var s summary
	for i := range ds {
		switch ds[i].Severity {
		case diag.Error:
			s.errors++
		case diag.Warning:
			s.warnings++
		default:
			s.infos++
		}
		if ds[i].Severity < o.least() {
			s.hidden++
		}
		if ds[i].Fix != nil && !ds[i].Fix.Unsafe {
			s.fixable++
		}
	}
	return s
}

// shown returns the findings that are bad enough to print.
func (o Options) shown(ds []diag.Diagnostic) []diag.Diagnostic {
	least := o.least()
	return slices.DeleteFunc(slices.Clone(ds), func(d diag.Diagnostic) bool { return d.Severity < least })
}

// slashed returns a file name as machine formats have it on every platform.
func slashed(name string) string { return filepath.ToSlash(name) }
