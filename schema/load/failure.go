package load

import (
	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/source"
)

// Failure is the .NET exception that stops the program's start while the
// configuration is loaded.
type Failure struct {
	// Type is the exception's type: "System.IO.InvalidDataException".
	Type string
	// Message is its text, word for word.
	Message string
	// Inner is the exception that caused it; nil if there is none.
	Inner *Failure
	// At is the text that brought it about; the zero Span where no text did,
	// as for a missing file.
	At source.Span
	// Reason says in plain words what is wrong, and Remedy what to write instead,
	// both as clauses; "" where Message has to do, or the text is no JSON.
	Reason, Remedy string
}

// Cause returns the innermost exception, which says what is wrong.
func (f *Failure) Cause() *Failure {
	for f.Inner != nil {
		f = f.Inner
	}
	return f
}

// inFile wraps a failure as .NET's file provider does.
func inFile(path string, cause *Failure) *Failure {
	return &Failure{
		Type:    "System.IO.InvalidDataException",
		Message: "Failed to load configuration from file '" + path + "'.",
		Inner:   cause,
		At:      cause.Cause().At,
	}
}

func formatException(message string, at source.Span) *Failure {
	return &Failure{Type: "System.FormatException", Message: message, At: at}
}

func nullReference(at source.Span, reason, remedy string) *Failure {
	return &Failure{Type: "System.NullReferenceException", Message: "Object reference not set to an instance of an object.", At: at,
		Reason: reason, Remedy: remedy}
}

func fromNewtonsoft(err *newtonsoft.Error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Type: err.Type, Message: err.Message, Inner: fromNewtonsoft(err.Inner), At: err.At}
	if m := err.Mistyped; m != nil {
		f.Reason, f.Remedy = m.Reason, m.Remedy
	}
	return f
}
