package load

import "github.com/margay-dev/margay/schema/source"

// NoteKind is what loading noticed. Each kind belongs to one rule, which words
// it.
type NoteKind uint8

// The kinds of notes.
const (
	// DuplicateKey: a leaf key stands twice in one file, which stops the
	// start. At is the second place, Related the first, Text the whole key.
	DuplicateKey NoteKind = iota + 1
	// DuplicateOverwritten: an empty object or array behind a value of the
	// same key wins silently. At is the empty one, Related the value lost.
	DuplicateOverwritten
	// ColonInKey: a member's name contains ":", which splits the key. At is
	// the name, Text the name.
	ColonInKey
	// CommentBeforeRoot: a part begins with a comment, so the merge ignores
	// all of it. At is the comment.
	CommentBeforeRoot
	// DateRewritten: the merge took a string for a date and writes it in
	// another form. At is the string, Text what it becomes.
	DateRewritten
	// NumberRewritten: the merge writes a number in another form. At is the
	// number, Text what it becomes.
	NumberRewritten
	// RepeatedMember: a part has a member twice in one object; the merge
	// keeps the last. At is the one that is lost.
	RepeatedMember
	// GlobalOutsideGlobalFile: GlobalConfiguration in a part that is not the
	// global file is ignored. At is its name.
	GlobalOutsideGlobalFile
	// SectionIgnored: a root section of a part is dropped by the merge. At is
	// its name, Text the name.
	SectionIgnored
	// PartIgnored: a part's root is no object, so the merge ignores the part.
	// At is the root.
	PartIgnored
	// OverwrittenPrimary: the file that the merge writes exists, is no input
	// and is overwritten. Text is its name.
	OverwrittenPrimary
	// EnvironmentSkipped: the file of the environment is left out of the
	// merge. Text is its name.
	EnvironmentSkipped
	// OtherEnvironment: a part that is named like another environment takes
	// part in the merge. Text is its name.
	OtherEnvironment
	// ReplacedSection: a section given as an object replaces all that was
	// merged before. At is the section's name, Related what is lost.
	ReplacedSection
	// Sorted: several parts contribute to a section, and the program merges
	// them in the order of the directory; here they come sorted. Text is the
	// section, Related the section in every part.
	Sorted
	// IndexOverlay: a later file overlays elements of an earlier file's list
	// by position. At is the later list, Related the earlier, Text the key.
	IndexOverlay
	// InvalidEncoding: bytes that are not valid in the file's encoding became
	// U+FFFD. At is the first; Related all others.
	InvalidEncoding
	// Missing: an optional file that does not exist. Text is its name.
	Missing
)

// Note is a fact about loading that a rule may report.
type Note struct {
	Kind NoteKind
	// At is the text it is about; the zero Span where there is none.
	At      source.Span
	Related []source.Span
	// Text is what the kind says.
	Text string
	// File is the name of the file it is about.
	File string
}
