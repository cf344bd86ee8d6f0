package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func globalOutsideGlobalFile() *validate.Rule {
	return &validate.Rule{
		Name:     "global-outside-global-file",
		Summary:  "GlobalConfiguration stands in a part that is not the global file.",
		Severity: diag.Error,
		Category: validate.Files,
		Check:    wording(wordGlobalOutside, load.GlobalOutsideGlobalFile),
	}
}

func wordGlobalOutside(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	return diag.Diagnostic{
		Message: fmt.Sprintf("GlobalConfiguration in %s does not count: the merge takes it from the global file only", fileName(note.File)),
		Span:    note.At,
		Effect:  "Ocelot ignores the whole section",
		Help:    "move it into ocelot.global.json",
		Subject: diag.Subject{Option: "GlobalConfiguration"},
	}
}
