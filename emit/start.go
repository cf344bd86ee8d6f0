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
	errors := r.startErrors()
	if len(errors) == 0 {
		return nil
	}
	known := r.errorFindings()
	for i := range errors {
		e := &errors[i]
		if d := known.about(e); d != nil {
			e.Rule, e.Message = d.Rule, d.Message
		}
	}
	return errors
}

// startErrors are the errors in Ocelot's own words, without the findings that
// word them.
func (r *Result) startErrors() []StartError {
	var errors []StartError
	add := func(rule, ocelot, plain string, at source.Span) {
		errors = append(errors, StartError{Rule: rule, Message: plain, Ocelot: ocelot, At: at})
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

// Stopping counts those of the given findings of the result that keep Ocelot
// from starting.
func (r *Result) Stopping(ds []diag.Diagnostic) int {
	if len(ds) == 0 {
		return 0
	}
	type reason struct {
		ocelot string
		at     source.Span // where it begins: findings underline the bracket of an object
	}
	begin := func(at source.Span) source.Span { return source.Span{File: at.File, Start: at.Start} }
	stops := map[reason]bool{}
	for _, e := range r.startErrors() {
		stops[reason{e.Ocelot, begin(e.At)}] = true
	}
	n := 0
	for i := range ds {
		d := &ds[i]
		if d.Severity == diag.Error && (stops[reason{d.Ocelot, begin(d.Span)}] || d.Ocelot != "" && stops[reason{ocelot: d.Ocelot}]) {
			n++
		}
	}
	return n
}

// errorFindings are the findings that are errors, to be found by what start
// errors know: a gateway may have very many of both.
type errorFindings struct {
	all     []diag.Diagnostic
	exact   map[quoted]int // the first that quotes a text at a place
	quoting map[string]int // the last that quotes a text
	at      map[source.Span][]int
}

// quoted is a text of Ocelot's about a place.
type quoted struct {
	text string
	at   source.Span
}

func (r *Result) errorFindings() *errorFindings {
	f := &errorFindings{r.Findings, map[quoted]int{}, map[string]int{}, map[source.Span][]int{}}
	for i := range r.Findings {
		d := &r.Findings[i]
		if d.Severity != diag.Error {
			continue
		}
		if _, taken := f.exact[quoted{d.Ocelot, d.Span}]; !taken {
			f.exact[quoted{d.Ocelot, d.Span}] = i
		}
		f.quoting[d.Ocelot] = i
		f.at[d.Span] = append(f.at[d.Span], i)
	}
	return f
}

// about returns the finding that reports a start error: the one that quotes
// Ocelot's text there, else an error at the same place or with the same text;
// nil if there is none.
func (f *errorFindings) about(e *StartError) *diag.Diagnostic {
	if i, ok := f.exact[quoted{e.Ocelot, e.At}]; ok {
		return &f.all[i]
	}
	best := -1
	if i, ok := f.quoting[e.Ocelot]; ok {
		best = i
	}
	if !e.At.IsZero() {
		for _, i := range f.at[e.At] {
			if e.Rule == "" || e.Rule == f.all[i].Rule {
				best = max(best, i)
			}
		}
	}
	if best < 0 {
		return nil
	}
	return &f.all[best]
}
