package emit

import (
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/source"
)

// StartError is one reason why Ocelot does not start.
type StartError struct {
	// Rule is the rule that reports it; "" if none of those that ran does.
	Rule string
	// Message says it in plain words.
	Message string
	// Ocelot is the text of Ocelot's own log.
	Ocelot string
	// At is the text to blame; the zero Span where none is.
	At source.Span
}

// StartErrors returns everything that keeps Ocelot from starting, in the order
// in which the program meets it; nil where it starts.
func (r *Result) StartErrors() []StartError {
	var errors []StartError
	add := func(rule, ocelot, plain string, at source.Span) {
		e := StartError{Rule: rule, Message: plain, Ocelot: ocelot, At: at}
		if d := r.findingFor(&e); d != nil {
			e.Rule, e.Message = d.Rule, d.Message
		}
		errors = append(errors, e)
	}
	if f := r.Loaded.Failure; f != nil {
		cause := f.Cause()
		add("", cause.Message, cause.Message, f.At)
	}
	if f := r.Config.Failure; f != nil {
		add("type-mismatch", f.Message, f.Message, r.span(f.At.Origin))
	}
	for i := range r.Startup.Failures {
		f := &r.Startup.Failures[i]
		add(f.Rule, f.Message, f.Message, r.span(f.At))
	}
	if x := r.Startup.Exception; x != nil {
		add("", x.Type, x.Reason, r.span(x.At))
	}
	return errors
}

// findingFor returns the finding that reports a start error: the one that
// quotes Ocelot's text there, else an error at the same place.
func (r *Result) findingFor(e *StartError) *diag.Diagnostic {
	var best *diag.Diagnostic
	for i := range r.Findings {
		d := &r.Findings[i]
		switch {
		case d.Severity != diag.Error:
		case d.Ocelot == e.Ocelot && d.Span == e.At:
			return d
		case d.Ocelot == e.Ocelot || !e.At.IsZero() && d.Span == e.At && (e.Rule == "" || e.Rule == d.Rule):
			best = d
		}
	}
	return best
}
