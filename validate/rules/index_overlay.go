package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func indexOverlay() *validate.Rule {
	return &validate.Rule{
		Name:     "index-overlay",
		Summary:  "A later file overlays the elements of a list by position.",
		Severity: diag.Warning,
		Category: validate.Files,
		Check:    wording(wordOverlay, load.IndexOverlay),
	}
}

func wordOverlay(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	return diag.Diagnostic{
		Message: fmt.Sprintf("%s lies over the list of an earlier file by position: the first element over the first, and so on", note.Text),
		Span:    note.At,
		Effect:  "Ocelot mixes the members of elements that have nothing to do with each other, and removes none",
		Related: related(note.Related, "the list below"),
		Help:    "keep each list in one file, or merge the files by AddOcelot(folder)",
		Cause:   note.Text,
	}
}
