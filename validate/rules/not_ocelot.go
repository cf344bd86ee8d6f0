package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

// notOcelot is reported by schema.Check for what is not merged.
func notOcelot() *validate.Rule {
	return &validate.Rule{
		Name:     "not-ocelot",
		Summary:  "A file has none of Ocelot's sections.",
		Severity: diag.Error,
		Category: validate.Reading,
		Check:    wording(wordPartIgnored, load.PartIgnored),
	}
}

func wordPartIgnored(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	at := note.At
	at.End = min(at.End, at.Start+1)
	return diag.Diagnostic{
		Message: fmt.Sprintf("%s is not an object with Ocelot's sections, so the merge takes nothing from it", fileName(note.File)),
		Span:    at,
		Effect:  "Ocelot starts without the routes of this file, and without a message",
		Help:    `write { "Routes": [ … ] }`,
	}
}
