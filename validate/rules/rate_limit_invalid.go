package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

// rateLimitInvalid words what the start refuses and finds what only throws when
// a request comes.
func rateLimitInvalid() *validate.Rule {
	r := startRule("rate-limit-invalid", "Ocelot refuses a rate limit, at the start or at every request.", validate.Routes)
	refused := r.Check
	r.Check = func(p *validate.Pass) {
		refused(p)
		checkTimes(p)
	}
	return r
}

// checkTimes looks at the times that the start lets pass.
func checkTimes(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	refused := map[config.Origin]bool{}
	for _, f := range p.Startup.Failures {
		refused[f.At] = true
	}
	report := func(time config.Value[string], name string, subject diag.Subject) {
		if !time.IsSet() || strings.TrimSpace(time.V) == "" || refused[time.Origin] || isTime(time.V) {
			return
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("%s %q is no time: a number with ms, s, m, h or d is one", name, time.V),
			Span:    p.Span(time.Origin),
			Effect:  "every request gets 500 (FormatException)",
			Help:    "write a time such as 30s",
			Subject: subject,
		})
	}
	eachRateLimit(p, func(o *config.RateLimitByHeaderRule, subject diag.Subject) {
		if o.EnableRateLimiting.IsSet() && !o.EnableRateLimiting.V {
			return
		}
		report(o.Period, "Period", subject)
		report(o.Wait, "Wait", subject)
	})
}

// isTime says whether Ocelot reads a time when a request comes; units may be in
// any case then, and a number without a unit is in milliseconds.
func isTime(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, unit := range []string{"ms", "s", "m", "h", "d"} {
		if digits, ok := strings.CutSuffix(text, unit); ok {
			text = digits
			break
		}
	}
	_, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil
}
