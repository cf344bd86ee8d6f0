package rules

import (
	"fmt"
	"math"

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
	logged := p.Profile.Provider == profile.Polly && p.Profile.Facts().Logs
	eachSubstitution(p, func(r *normalize.Route, s normalize.Substitution) {
		off := s.Why == normalize.OneBreakerOff
		if s.Why != normalize.OutOfRange && s.Why != normalize.TooLow && !off || looksLikeSeconds(s) {
			return
		}
		written, counts := valueText(s.Option, s.Written.V), valueText(s.Option, s.Effective.V)+" counts instead"
		if off {
			counts = "the route has no circuit breaker"
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("%s %s is not accepted: %s", r.NameOf(s.Option), written, counts),
			Span:    p.Span(s.Written.Origin),
			Effect:  silentUnless(logged),
			Help:    "write " + secondsMeant(s) + allowed(s.Option, p.Profile),
			Subject: validate.Subject(r, option(s.Option)),
			Cause:   fmt.Sprintf("%s %s", s.Option, written),
		})
	})
}

// secondsMeant is advice for a duration so short that it rather is in seconds.
func secondsMeant(s normalize.Substitution) string {
	v := s.Written.V
	if s.Option != normalize.BreakDuration && s.Option != normalize.SamplingDuration || v < 1 || v > mostSeconds {
		return ""
	}
	return fmt.Sprintf("%s for %s, or ", number(v*1000), counted(int(v), "second"))
}

func silentUnless(polly bool) string {
	if polly {
		return "Ocelot logs it at the route's first request, not at the start"
	}
	return "Ocelot replaces the value without a message"
}

// allowed is what an option may be, in words, from the limits of the provider.
func allowed(o normalize.Option, p profile.Profile) string {
	polly, limits := p.Provider == profile.Polly, p.Limits()
	switch {
	case o == normalize.MinimumThroughput:
		return "2 or more"
	case o == normalize.FailureRatio && polly:
		return "a ratio above 0 and below 1"
	case o == normalize.FailureRatio:
		return "a ratio above 0, and 1 at most"
	case o == normalize.Timeout:
		return milliseconds(limits.Timeout)
	case o == normalize.SamplingDuration:
		return milliseconds(limits.SamplingDuration)
	}
	return milliseconds(limits.BreakDuration)
}

// milliseconds words the range that both Ocelot and Polly take.
func milliseconds(b profile.Bound) string {
	least, most := b.Least, b.Most
	if b.Instead != 0 {
		least = max(least, b.Over+1)
	}
	if b.Under != 0 {
		most = b.Under - 1
	}
	if most == 0 || most == math.MaxInt32 {
		return fmt.Sprintf("%d milliseconds or more", least)
	}
	return fmt.Sprintf("%d to %d milliseconds", least, most)
}
