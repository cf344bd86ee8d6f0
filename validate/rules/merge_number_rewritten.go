package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func mergeNumberRewritten() *validate.Rule {
	return &validate.Rule{
		Name:     "merge-number-rewritten",
		Summary:  "The merge writes a number in another form.",
		Severity: diag.Info,
		Category: validate.Reading,
		Check:    wording(wordNumber, load.NumberRewritten),
	}
}

func wordNumber(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	return diag.Diagnostic{
		Message: fmt.Sprintf("the merge writes %s as %s", note.At.Text(), note.Text),
		Span:    note.At,
		Effect:  fmt.Sprintf("Ocelot reads %q", note.Text),
		Help:    "write the number as the merge does",
	}
}
