package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func mergeReplacesSection() *validate.Rule {
	return &validate.Rule{
		Name:     "merge-replaces-section",
		Summary:  "A section that is written as an object replaces all that was merged before it.",
		Severity: diag.Error,
		Category: validate.Files,
		Check:    wording(wordReplaced, load.ReplacedSection),
	}
}

func wordReplaced(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	return diag.Diagnostic{
		Message: fmt.Sprintf("%s is an object here, which replaces the %s of the files before it", note.Text, note.Text),
		Span:    note.At,
		Effect:  "Ocelot loses what stands there, without a message",
		Related: related(note.Related, "this is lost"),
		Help:    fmt.Sprintf("write a list: \"%s\": [ … ]", note.Text),
	}
}
