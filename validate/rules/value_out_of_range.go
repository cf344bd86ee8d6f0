package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
)

func valueOutOfRange() *validate.Rule {
	return &validate.Rule{
		Name:        "value-out-of-range",
		Summary:     "A QoS option has a value that the provider refuses, so another value counts.",
		Severity:    diag.Warning,
		Category:    validate.QoS,
		CheckRoutes: checkValueOutOfRange,
	}
}

func checkValueOutOfRange(p *validate.Pass) {
	eachSubstitution(p, func(r *normalize.Route, s normalize.Substitution) {
		if s.Why != normalize.OutOfRange && s.Why != normalize.TooLow || looksLikeSeconds(s) {
			return
		}
		written, counts := valueText(s.Option, s.Written.V), valueText(s.Option, s.Effective.V)
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("%s %s is not accepted: %s counts instead", s.Option, written, counts),
			Span:    p.Span(s.Written.Origin),
			Effect:  silentUnless(p.Profile.Provider == profile.Polly),
			Help:    "write " + allowed(s.Option, p.Profile.Provider),
			Subject: validate.Subject(r, option(s.Option)),
			Cause:   fmt.Sprintf("%s %s", s.Option, written),
		})
	})
}

func silentUnless(polly bool) string {
	if polly {
		return "Ocelot logs it at the route's first request, not at the start"
	}
	return "Ocelot replaces the value without a message"
}

// allowed is what an option may be, by semantics of the provider (tables 3.6
// and 3.7 of the recorded behaviour, group "boundary" of resolve.jsonl).
func allowed(o normalize.Option, provider profile.Provider) string {
	polly := provider == profile.Polly
	switch {
	case o == normalize.MinimumThroughput:
		return "2 or more"
	case o == normalize.FailureRatio && polly:
		return "a ratio above 0 and below 1"
	case o == normalize.FailureRatio:
		return "a ratio above 0, and 1 at most"
	case o == normalize.Timeout:
		return "11 to 86399999 milliseconds"
	case polly:
		return "501 to 86399999 milliseconds"
	}
	return "501 milliseconds or more"
}
