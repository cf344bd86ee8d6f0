package report

import (
	"fmt"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// sarifRule describes a rule; what is not known of it is left out.
func sarifRule(r Rule) *sarif.ReportingDescriptor {
	rule := sarif.NewRule(r.Name).WithProperties(sarifProperties(r))
	if r.Summary != "" {
		rule.WithShortDescription(sarif.NewMultiformatMessageString().WithText(r.Summary))
		rule.WithFullDescription(sarif.NewMultiformatMessageString().WithText(r.Summary))
	}
	if r.Doc != "" {
		rule.WithHelp(sarif.NewMultiformatMessageString().WithText(r.Doc).WithMarkdown(r.Doc))
	}
	if r.Severity != 0 {
		rule.WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarifLevel(r.Severity)))
	}
	return rule
}

// sarifProperties are those by which GitHub sorts and filters. It takes the
// number of a weakness from a tag with at least three digits.
func sarifProperties(r Rule) *sarif.PropertyBag {
	properties := sarif.NewPropertyBag()
	if r.Category != "" {
		properties.AddTag(strings.ToLower(strings.ReplaceAll(r.Category, " ", "-")))
	}
	if !r.security() {
		return properties
	}
	if !strings.EqualFold(r.Category, securityTag) {
		properties.AddTag(securityTag)
	}
	if r.CWE > 0 {
		properties.AddTag(fmt.Sprintf("external/cwe/cwe-%03d", r.CWE))
	}
	return properties.Add("security-severity", r.score())
}
