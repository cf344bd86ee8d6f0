package rules

import (
	"fmt"
	"path"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/validate"
)

func commentBeforeRoot() *validate.Rule {
	return &validate.Rule{
		Name:     "comment-before-root",
		Summary:  "A part of a merge begins with a comment, so that the merge ignores all of it.",
		Severity: diag.Error,
		Category: validate.Reading,
		Check:    wording(wordCommentBeforeRoot, load.CommentBeforeRoot),
	}
}

func wordCommentBeforeRoot(_ *validate.Pass, note *load.Note) diag.Diagnostic {
	return diag.Diagnostic{
		Message: fmt.Sprintf("%s begins with a comment, and Ocelot's merge takes nothing from such a file", fileName(note.File)),
		Span:    note.At,
		Effect:  "Ocelot starts without the routes of this file, and without a message",
		Help:    "move the comment behind the first brace",
	}
}

// fileName is a file's name without its folder.
func fileName(name string) string { return path.Base(name) }
