package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func duplicateOverwritten() *validate.Rule {
	return &validate.Rule{
		Name:     "duplicate-overwritten",
		Summary:  "A later member of the same name silently wins over a value.",
		Severity: diag.Error,
		Category: validate.Reading,
		Check:    wording(wordOverwritten, load.DuplicateOverwritten, load.RepeatedMember),
	}
}

// wordOverwritten points at what is lost: an empty object or array behind a
// value is no duplicate to .NET, and Newtonsoft keeps the last of two members.
func wordOverwritten(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	if note.Kind == load.RepeatedMember {
		return diag.Diagnostic{
			Message: fmt.Sprintf("%q stands again further down in the same object, and the merge keeps the last one", note.Text),
			Span:    note.At,
			Effect:  "Ocelot never sees this one",
			Help:    "keep one of them",
		}
	}
	return diag.Diagnostic{
		Message: fmt.Sprintf("%q is empty here and wins over the value of the same name before it", lastName(note.Text)),
		Span:    note.At,
		Effect:  "Ocelot never sees the value",
		Related: related(note.Related, "the value that is lost"),
		Help:    "keep one of them",
	}
}
