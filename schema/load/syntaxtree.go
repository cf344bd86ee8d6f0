package load

import (
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// stop is the exception of .NET's reader for a text that is no JSON object,
// nil if it is one. A provider that reads a stream does not wrap the error of
// a text that is not JSON (recorded: fold.memory.double-comma).
func stop(file *source.File, doc *syntax.Document, stream bool) *Failure {
	defect := doc.Stop()
	if defect == nil {
		return nil
	}
	f := &Failure{
		Type:    defect.Phase.Exception(),
		Message: defect.Net,
		At:      source.Span{File: file, Start: defect.Start, End: defect.End},
	}
	if defect.Phase == syntax.Reading && !stream {
		return &Failure{Type: "System.FormatException", Message: "Could not parse the JSON file.", Inner: f, At: f.At}
	}
	return f
}

// earlier returns the failure that the program meets first: it reads the text
// as a whole, then decodes names and values in turn with looking for
// duplicate keys.
func earlier(text, keys *Failure, doc *syntax.Document) *Failure {
	switch {
	case text == nil:
		return keys
	case keys == nil || doc.Stop().Phase != syntax.Unescaping || text.At.Start < keys.At.Start:
		return text
	}
	return keys
}
