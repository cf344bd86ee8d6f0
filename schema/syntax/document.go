package syntax

import (
	"slices"

	"github.com/margay-dev/margay/schema/diag"
)

// Document is what Parse has read from one file.
type Document struct {
	// File is the file's index in Tree.Files.
	File uint16
	// Root is the root value. It is a Bad node where there is none, never 0.
	Root ID
	// Irregular says that some object of the file carries the flag Irregular.
	Irregular bool
	// Defects are all defects of the text in the order in which reading
	// meets them; none if and only if .NET's configuration reader takes the
	// text.
	Defects []Defect
	// Comments are all comments in the order of the file.
	Comments []Comment
}

// Phase is the step of loading at which .NET trips over a defect. It reads
// the whole text first, then looks at the root, then decodes names and
// values one by one; each step has an exception of its own.
type Phase uint8

// The phases, in the order of .NET.
const (
	// Reading is Utf8JsonReader: the text is not JSON.
	Reading Phase = iota
	// TopLevel is the check that the root is an object.
	TopLevel
	// Unescaping is the decoding of a string with half a surrogate pair. It
	// happens in the order of the file, in turn with the look for duplicate
	// keys.
	Unescaping
)

// Exception returns the .NET type of the exception of the phase.
func (p Phase) Exception() string {
	return [...]string{
		"System.Text.Json.JsonReaderException",
		"System.FormatException",
		"System.InvalidOperationException",
	}[p]
}

// Defect is one place where a text is not JSON as .NET reads it.
type Defect struct {
	// Start and End delimit the smallest text that is wrong. They are equal
	// where something is missing.
	Start, End int
	// Message says in plain words what is wrong; Help says what to write.
	Message, Help string
	// Related are other places that matter.
	Related []diag.Related
	// Fix is a safe edit; nil if there is none.
	Fix *diag.Fix
	// NoValue says that the text holds no value at all.
	NoValue bool
	// Phase tells which exception of .NET the defect leads to.
	Phase Phase
	// Net is the message of that exception, word for word and, in the phase
	// Reading, with its zero-based numbers. Only the first defect of that
	// phase has one, because .NET reads no further.
	Net string
}

// Stop returns the defect that stops .NET, nil if there is none. Where its
// phase is Unescaping, a duplicate key that stands earlier in the file stops
// .NET before.
func (d *Document) Stop() *Defect {
	if len(d.Defects) == 0 {
		return nil
	}
	first := 0
	for i := range d.Defects {
		if d.Defects[i].Phase < d.Defects[first].Phase {
			first = i
		}
	}
	return &d.Defects[first]
}

// Comment is the place of a comment, its marks included; the end of the line
// does not belong to it.
type Comment struct{ Start, End uint32 }

// Alone says whether nothing else stands on the lines of the comment.
func (c Comment) Alone(text []byte) bool {
	before, after := text[:c.Start], text[c.End:]
	for i := len(before) - 1; i >= 0 && !lineEnd(before[i]); i-- {
		if before[i] != ' ' && before[i] != '\t' {
			return false
		}
	}
	rest := slices.IndexFunc(after, func(b byte) bool { return b != ' ' && b != '\t' })
	return rest < 0 || lineEnd(after[rest])
}

func lineEnd(b byte) bool { return b == '\n' || b == '\r' }
