// Package load turns the files of a gateway into the configuration that the
// program would see.
//
// It takes texts and the way in which the program loads them (one file, files
// in layers, Ocelot's merge of a folder, SwaggerForOcelot's merge, environment
// variables, the command line, objects from code) and gives back one tree in
// normal form: names are unique without regard to case, no name has a colon,
// later layers lie over earlier ones key by key. Every node still points at the
// characters it came from. It knows the names of Ocelot's sections and what the
// types of the file model look like, but nothing of what a value means.
package load

import (
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// Result is a loaded configuration.
type Result struct {
	Tree *syntax.Tree
	// Root is the whole configuration, all layers overlaid; 0 when nothing
	// could be read. After a Failure it is what could be read all the same.
	Root syntax.ID
	// Section is the path of the section that Ocelot binds, "" for the root.
	Section string
	// Bound is the node of that section; 0 if there is no such section.
	Bound syntax.ID
	// BaseURL is what {BaseUrl} stands for: always looked up from the root.
	BaseURL string
	// Layers are the providers in the order in which they were added; a later
	// one wins.
	Layers []Layer
	// Texts are the files that were read, in order.
	Texts []Text
	// Merges are the merges that took place.
	Merges []Merged
	// Failure is the first exception that stops the start; nil if none.
	Failure *Failure
	// Notes are facts for rules, in the order in which they were found.
	Notes []Note

	kinds []FileKind
}

// Layer is one provider of configuration keys.
type Layer struct {
	// Name says what it is: a file's name, "environment variables"….
	Name string
	// Root is its own configuration in normal form; 0 if it has none.
	Root syntax.ID

	// keys are the layer's keys as it spells them, where they come from
	// outside of files.
	keys []string
}

// Text is a file that was read.
type Text struct {
	File *source.File
	// Index is the file's index in the tree.
	Index uint16
	// Root is the file's root as it stands in the file, before normalising; 0
	// if there is none.
	Root syntax.ID
	// Comments are the file's comments in order.
	Comments []syntax.Comment
	// Defects are the errors of the text in the order of the file.
	Defects []syntax.Defect
	// Part says that the file was an input of a merge.
	Part bool
}

// Merged is the outcome of a merge, which the program hands on as a text.
type Merged struct {
	// Root is the merged configuration before it is read again.
	Root syntax.ID
	// Parts are the names of the files that took part, in order.
	Parts []string
	// Enumerated are the names of all files of the folder, in the order in
	// which they were looked at.
	Enumerated []string
	// WrittenTo is the name of the file that the program writes; "" if the
	// merge stays in memory.
	WrittenTo string

	text func() []byte
}

// Text returns the merged configuration as the program writes it, byte by
// byte. It is made anew by every call.
func (m *Merged) Text() []byte { return m.text() }

// FileKind says what a file of the tree is.
type FileKind uint8

// The kinds of files.
const (
	// UserFile was read from disk or handed over by the caller.
	UserFile FileKind = iota
	// Defaults holds what the program writes by itself into a merged file.
	Defaults
	// Outside holds values of environment variables, the command line or
	// code.
	Outside
	// WrittenFile holds a text that the program itself has written and reads
	// again as a part.
	WrittenFile
)

// Kind returns what the file with an index in the tree is.
func (r *Result) Kind(file uint16) FileKind {
	if int(file) < len(r.kinds) {
		return r.kinds[file]
	}
	return UserFile
}

func (r *Result) setKind(file uint16, kind FileKind) {
	for len(r.kinds) <= int(file) {
		r.kinds = append(r.kinds, UserFile)
	}
	r.kinds[file] = kind
}

// fail records an exception. Only the first one is seen: the program ends.
func (r *Result) fail(f *Failure) {
	if r.Failure == nil {
		r.Failure = f
	}
}

func (r *Result) note(notes ...Note) { r.Notes = append(r.Notes, notes...) }
