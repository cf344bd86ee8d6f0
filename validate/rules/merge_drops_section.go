package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func mergeDropsSection() *validate.Rule {
	return &validate.Rule{
		Name:     "merge-drops-section",
		Summary:  "The merge takes nothing from a part but Ocelot's own sections.",
		Severity: diag.Warning,
		Category: validate.Files,
		Check:    checkMergeDropsSection,
	}
}

// mergedSections are the sections that the merge takes from every part.
var mergedSections = []string{"Routes", "DynamicRoutes", "Aggregates"}

func checkMergeDropsSection(p *validate.Pass) {
	for i := range p.Loaded.Notes {
		note := &p.Loaded.Notes[i]
		if note.Kind != load.SectionIgnored || isRemark(note.Text) {
			continue
		}
		d := diag.Diagnostic{
			Message: fmt.Sprintf("the merge does not take %q from %s", note.Text, fileName(note.File)),
			Span:    note.At,
			Effect:  "the gateway starts without this section",
			Help:    "move it into a file that the application loads by itself, such as appsettings.json",
		}
		if near, ok := diag.Suggest(note.Text, mergedSections); ok {
			d.Help = fmt.Sprintf("did you mean %q?", near)
		}
		p.Report(d)
	}
}

// isRemark says whether a member is there for people or editors.
func isRemark(name string) bool {
	return name == "" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "$") || strings.HasPrefix(name, "//")
}
