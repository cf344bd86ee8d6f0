package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func overwrittenPrimary() *validate.Rule {
	return &validate.Rule{
		Name:     "overwritten-primary",
		Summary:  "The merge overwrites a file that exists.",
		Severity: diag.Warning,
		Category: validate.Files,
		Check:    wording(wordPrimary, load.OverwrittenPrimary),
	}
}

// wordPrimary has no place: the file is not read.
func wordPrimary(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	return diag.Diagnostic{
		Message: fmt.Sprintf("%s is not read: the merge writes its result there", note.Text),
		Effect:  "Ocelot replaces the file at every start, and what was written in it by hand is lost",
		Help:    fmt.Sprintf("rename it to a part such as ocelot.routes.json, or remove it and ignore %s in version control", note.Text),
		Cause:   note.File,
	}
}
