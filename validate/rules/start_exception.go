package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
)

func startException() *validate.Rule {
	return &validate.Rule{
		Name:     "start-exception",
		Summary:  "An exception ends the start of the gateway.",
		Severity: diag.Error,
		Category: validate.Security,
		Check:    checkStartException,
	}
}

// checkStartException reports what ends the start by an exception: while the
// files are loaded, unless the text itself is broken (syntax-error) or has a
// key twice (duplicate-key), or while routes are compiled.
func checkStartException(p *validate.Pass) {
	if f := p.Loaded.Failure; f != nil {
		if cause := f.Cause(); f.Reason != "" || !saidByReading(p, cause) {
			d := exception(cause.Type, cmp.Or(f.Reason, cause.Message), cause.Message, f.At)
			d.Help = f.Remedy
			p.Report(d)
		}
		return
	}
	if x := p.Startup.Exception; x != nil {
		d := exception(x.Type, x.Reason, x.Type, p.Span(x.At))
		d.Effect, d.Help = fmt.Sprintf("%s: %s in %s", notStarted, x.Type, x.Thrower), x.Remedy
		p.Report(d)
	}
}

// saidByReading says whether a finding of syntax-error or duplicate-key tells
// of the failure already.
func saidByReading(p *validate.Pass, cause *load.Failure) bool {
	if strings.HasSuffix(cause.Type, "JsonReaderException") {
		return true
	}
	for i := range p.Loaded.Texts {
		if t := &p.Loaded.Texts[i]; len(t.Defects) > 0 && (cause.At.File == t.File || cause.At.IsZero()) {
			return true
		}
	}
	return slices.ContainsFunc(p.Loaded.Notes, func(n load.Note) bool { return n.Kind == load.DuplicateKey })
}

func exception(kind, message, ocelot string, at source.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Message: message,
		Span:    begin(at),
		Effect:  notStarted + ": " + kind,
		Ocelot:  ocelot,
	}
}
