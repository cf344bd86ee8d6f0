package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func stringLooksLikeDate() *validate.Rule {
	return &validate.Rule{
		Name:     "string-looks-like-date",
		Summary:  "The merge takes a text for a date and writes it in another form.",
		Severity: diag.Warning,
		Category: validate.Reading,
		Check:    wording(wordDate, load.DateRewritten),
	}
}

// wordDate quotes what the text becomes; where it names an offset, that follows
// the time zone of the machine that merges.
func wordDate(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	return diag.Diagnostic{
		Message: fmt.Sprintf("the merge takes %s for a date", note.At.Text()),
		Span:    note.At,
		Effect:  fmt.Sprintf("Ocelot reads %q instead", note.Text),
		Help:    "write it so that it is no date by itself, or load the file without the merge",
	}
}
