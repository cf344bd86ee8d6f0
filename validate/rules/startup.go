package rules

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/startup"
)

// startupRules returns the rules about what Ocelot's own start-up refuses.
func startupRules() []*validate.Rule {
	return []*validate.Rule{
		startRule("route-invalid", "Ocelot's validator refuses a route, so the gateway does not start.", validate.Routes),
		duplicateRoute(),
		rateLimitInvalid(),
		startRule("aggregate-invalid", "Ocelot's validator refuses an aggregate, so the gateway does not start.", validate.Routes),
		startRule("unknown-authentication-scheme", "A route asks for an authentication scheme that the application does not register.", validate.Security),
		startRule("provider-missing", "QoSOptions are active, but the application registers no QoS provider.", validate.Security),
		startRule("discovery-missing", "Service discovery is used, but the application registers no provider of it.", validate.Security),
		startException(),
	}
}

// startRule returns a rule that words the failures of package startup which
// carry its name.
func startRule(name, summary string, category validate.Category) *validate.Rule {
	return &validate.Rule{
		Name: name, Summary: summary, Severity: diag.Error, Category: category,
		Check: func(p *validate.Pass) { reportFailures(p, name) },
	}
}

// defect tells apart the mistakes behind the lines of the validator: three lines
// about a template with a scheme are one mistake.
type defect struct {
	at     config.Origin
	family string
}

func defectOf(f *startup.Failure) defect {
	family := f.Check
	switch f.Check {
	case "V01", "V02", "V03", "V04", "V05":
		family, _, _ = strings.Cut(f.Message, " ") // "Upstream" or "Downstream"
	case "V07", "V08":
		family = "Period"
	}
	return defect{f.At, family}
}

// reportFailures reports one finding for each mistake.
func reportFailures(p *validate.Pass, rule string) {
	if p.Gateway == nil {
		return
	}
	first := map[defect]*startup.Failure{}
	var order []defect
	for i := range p.Startup.Failures {
		f := &p.Startup.Failures[i]
		if f.Rule != rule || thrown(p, f) {
			continue
		}
		d := defectOf(f)
		if known := first[d]; known == nil {
			order = append(order, d)
			first[d] = f
		} else if telling(f) > telling(known) {
			first[d] = f
		}
	}
	repeated := map[config.Origin]bool{}
	for _, d := range order {
		f := first[d]
		if f.Check == "V20" && !repeated[f.At] {
			mark(repeated, f.Others)
			continue // the first of several is not the one too many
		}
		p.Report(failure(p, f))
	}
}

func mark(set map[config.Origin]bool, origins []config.Origin) {
	for _, o := range origins {
		set[o] = true
	}
}

// thrown says whether the missing template that a failure is about ends the
// validator itself, so that Ocelot's log shows an exception (start-exception)
// in place of the failure.
func thrown(p *validate.Pass, f *startup.Failure) bool {
	if f.Check != "V01" && f.Check != "V02" {
		return false
	}
	x, side := p.Startup.Exception, defectOf(f).family
	return x != nil && x.Stage == startup.Validate && x.At == f.At && strings.HasPrefix(x.Reason, side)
}

// telling orders the checks that fail for one value by how much they say.
func telling(f *startup.Failure) int {
	return slices.Index([]string{"V08", "V04", "V03", "V07", "V05", "V01", "V02"}, f.Check)
}

func failure(p *validate.Pass, f *startup.Failure) diag.Diagnostic {
	d := diag.Diagnostic{
		Span:    begin(p.Span(f.At)),
		Effect:  notStarted,
		Ocelot:  f.Message,
		Cause:   f.Check,
		Related: related(spansOf(p, f.Others), "the other one"),
	}
	d.Message, d.Help = words(f.Check, d.Span.Text())
	switch f.Check {
	case "V14":
		if !slices.Contains(p.Profile.Providers(), profile.Builtin) {
			d.Help = "call AddPolly() in the application, or remove them"
		}
	case "V20":
		d.Cause = f.Message
	case "V21":
		d.Cause = f.Message
		tellMember(p, f, &d)
	}
	return d
}

// begin cuts the place of an object or a list down to its bracket: what is
// wrong is that something is missing inside.
func begin(span source.Span) source.Span {
	if text := span.Text(); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		span.End = span.Start + 1
	}
	return span
}

func spansOf(p *validate.Pass, origins []config.Origin) []source.Span {
	all := make([]source.Span, 0, len(origins))
	for _, o := range origins {
		all = append(all, begin(p.Span(o)))
	}
	return all
}
