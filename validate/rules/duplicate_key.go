package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func duplicateKey() *validate.Rule {
	return &validate.Rule{
		Name:          "duplicate-key",
		Summary:       "A name stands twice in one object of a file.",
		Severity:      diag.Error,
		Category:      validate.Reading,
		Unsilenceable: true,
		Check:         wording(wordDuplicateKey, load.DuplicateKey),
	}
}

func wordDuplicateKey(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	return diag.Diagnostic{
		Message: fmt.Sprintf("%q stands twice in this object, and letter case tells no names apart", lastName(note.Text)),
		Span:    note.At,
		Effect:  notStarted,
		Ocelot:  fmt.Sprintf("A duplicate key '%s' was found.", note.Text),
		Related: related(note.Related, "the first one"),
		Help:    "keep one of them",
	}
}

// lastName is the name at the end of a configuration key.
func lastName(key string) string { return key[strings.LastIndexByte(key, ':')+1:] }
