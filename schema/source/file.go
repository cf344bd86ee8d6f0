// Package source holds the text of configuration files and the places in it.
//
// It takes bytes as they came from disk or a pipe and gives back decoded text,
// compact byte ranges and, only when something is printed, lines and columns.
// It knows nothing about JSON.
package source

import "sync"

// File is one input: its name as the user wrote it and its text, decoded to
// UTF-8 without a byte order mark. A File never changes after NewFile.
type File struct {
	// Name is the path as it is shown, with the separators of the platform.
	Name string
	// Text is the decoded text. Offsets everywhere are offsets into Text.
	Text []byte
	// Encoding is what the bytes were written in.
	Encoding Encoding
	// Invalid holds the offsets in Text of every U+FFFD that stands for bytes
	// which are not valid in Encoding, ascending.
	Invalid []int

	raw   []byte
	lines func() lineIndex
	bytes func() []int // where the same lines begin in raw
	marks func() []count
}

// NewFile decodes raw as .NET's StreamReader does: a byte order mark of UTF-8,
// UTF-16 or UTF-32 decides the encoding, otherwise it is UTF-8, and every
// invalid sequence becomes U+FFFD (recorded: group "syntax" of load.jsonl).
// NewFile keeps raw; the caller must not change it.
func NewFile(name string, raw []byte) *File {
	f := &File{Name: name, raw: raw}
	f.Text, f.Encoding, f.Invalid = decode(raw)
	f.lines = sync.OnceValue(func() lineIndex { return indexLines(f.Text) })
	f.bytes = sync.OnceValue(f.indexBytes)
	f.marks = sync.OnceValue(f.indexMarks)
	return f
}

// Raw returns the bytes as they were read.
func (f *File) Raw() []byte { return f.raw }

// Lines returns the number of lines of the text.
func (f *File) Lines() int { return f.lines().count() }

// Line returns the text of a line, counted from 1, without its line end. It
// returns nil for a line that does not exist.
func (f *File) Line(n int) []byte {
	lines := f.lines()
	if n < 1 || n > lines.count() {
		return nil
	}
	end := len(f.Text)
	if n < lines.count() {
		end = lines.start(n)
	}
	line := f.Text[lines.start(n-1):end]
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// LineStart returns the offset at which a line begins, counted from 1. Lines
// before the first begin where it begins; lines behind the last begin one past
// the end of the text.
func (f *File) LineStart(n int) int {
	lines := f.lines()
	if n > lines.count() {
		return len(f.Text) + 1
	}
	return lines.start(max(n, 1) - 1)
}
