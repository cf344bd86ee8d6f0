package report

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
)

// JUnit returns the printer of the XML that CI servers read as test results:
// a suite for each file, a test case for each finding. Errors and warnings are
// failures, remarks are skipped tests. Rules of Options.Rules that found
// nothing are tests that passed, since servers take a report without any test
// for a broken one. The XML is valid by both schemas of Jenkins' xUnit plugin that
// are in use, junit-4.xsd and junit-10.xsd.
func JUnit(opts Options) Printer { return junitPrinter{opts} }

type junitPrinter struct{ Options }

// The elements of the format.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		Skipped *junitText    `xml:"skipped"`
		Failure *junitOutcome `xml:"failure"`
	}
	junitOutcome struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	junitText struct {
		Text string `xml:",chardata"`
	}
)

// junitRun names the run, and the suite of what belongs to no file.
const junitRun = "margay"

// Print implements Printer.
func (p junitPrinter) Print(w io.Writer, ds []diag.Diagnostic) error {
	all := junitSuites{Name: junitRun, Suites: p.suites(ds)}
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+harmlessXML(string(text))+"\n")
	return err
}

// suites returns the suite of the run, then those of the files in the order in
// which they are found.
func (p junitPrinter) suites(ds []diag.Diagnostic) []junitSuite {
	run := junitSuite{Name: junitRun}
	files := []*junitSuite{&run}
	named := map[string]*junitSuite{"": &run}
	mask := p.masker()
	found := map[string]bool{}
	names := map[string]int{}
	for _, d := range p.printed(ds) {
		found[d.Rule] = true
		file := fileOf(&d.Diagnostic)
		if named[file] == nil {
			named[file] = &junitSuite{Name: safe(file)}
			files = append(files, named[file])
		}
		c := junitCaseOf(&d.Diagnostic, mask)
		key := file + "\x00" + c.Class + "\x00" + c.Name
		if names[key]++; names[key] > 1 {
			c.Name += fmt.Sprintf(" (%d)", names[key])
		}
		named[file].add(c)
	}
	run.passed(p.Rules, found)
	out := make([]junitSuite, 0, len(files))
	for _, s := range files {
		if s.Tests > 0 {
			out = append(out, *s)
		}
	}
	if len(out) == 0 {
		run.add(junitCase{Name: "nothing found", Class: junitRun})
		out = append(out, run)
	}
	return out
}

// add appends a case and counts it.
func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
}

// passed adds a case for each rule that found nothing.
func (s *junitSuite) passed(rules []Rule, found map[string]bool) {
	for _, r := range rules {
		if !found[r.Name] {
			s.add(junitCase{Name: r.Name, Class: r.Name})
		}
	}
}

// junitCaseOf names a case by what it is about, like its fingerprint, so that
// servers follow it from run to run. The place stands in the text.
func junitCaseOf(d *diag.Diagnostic, m masker) junitCase {
	about := slices.DeleteFunc([]string{m.line(d.Subject.Route), m.line(d.Subject.Option)}, func(s string) bool { return s == "" })
	prose := m.prose(d)
	message := prose[0]
	if d.Span.File != nil {
		prose[0] = where(d.Span) + ": " + message
	}
	text := strings.Join(prose, "\n")
	c := junitCase{Name: cmp.Or(strings.Join(about, " "), d.Rule), Class: d.Rule}
	if d.Severity == diag.Info {
		c.Skipped = &junitText{text}
		return c
	}
	c.Failure = &junitOutcome{Type: d.Severity.String(), Message: message, Text: text}
	return c
}

// fileOf returns the name of a finding's file, "" if it has none.
func fileOf(d *diag.Diagnostic) string {
	if d.Span.File == nil {
		return ""
	}
	return cleaned(d.Span.File.Name)
}
