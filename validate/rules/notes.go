package rules

import (
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
)

// notStarted is the effect of everything that ends the start.
const notStarted = "Ocelot does not start"

// wording returns the check of a rule that words the notes of some kinds.
func wording(word func(*validate.Pass, *load.Note) diag.Diagnostic, kinds ...load.NoteKind) func(*validate.Pass) {
	return func(p *validate.Pass) {
		for i := range p.Loaded.Notes {
			note := &p.Loaded.Notes[i]
			for _, kind := range kinds {
				if note.Kind == kind {
					p.Report(word(p, note))
				}
			}
		}
	}
}

// related points at every place of a note, with one message for all.
func related(spans []source.Span, message string) []diag.Related {
	all := make([]diag.Related, 0, len(spans))
	for _, span := range spans {
		all = append(all, diag.Related{Span: span, Message: message})
	}
	return all
}
