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
		globalRateLimit(p, numbersIn(p))
	}
	r.CheckRoutes = func(p *validate.Pass) { eachRateLimit(p, numbersIn(p)) }
	return r
}

type refusedKey struct{}

// refusedPlaces are those at which the start stops.
func refusedPlaces(p *validate.Pass) map[config.Origin]bool {
	return validate.Share(p.Input, refusedKey{}, func() map[config.Origin]bool {
		places := map[config.Origin]bool{}
		for i := range p.Startup.Failures {
			places[p.Startup.Failures[i].At] = true
		}
		return places
	})
}

// numbersIn returns what looks at the times and status codes of one section
// that the start lets pass.
func numbersIn(p *validate.Pass) func(*config.RateLimitByHeaderRule, diag.Subject) {
	report := func(time config.Value[string], name string, subject diag.Subject) {
		if !time.IsSet() || strings.TrimSpace(time.V) == "" || isTime(time.V) || refusedPlaces(p)[time.Origin] {
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
	return func(o *config.RateLimitByHeaderRule, subject diag.Subject) {
		if o.EnableRateLimiting.IsSet() && !o.EnableRateLimiting.V {
			return
		}
		report(o.Period, "Period", subject)
		report(o.Wait, "Wait", subject)
		reportCode(p, o.HttpStatusCode, subject)
		reportCode(p, o.StatusCode, subject)
	}
}

// largestCode is the largest status code of .NET's HttpResponseMessage.
const largestCode = 999

// reportCode looks at the status of requests over the limit (rl-code-0/001).
func reportCode(p *validate.Pass, code config.Value[int32], subject diag.Subject) {
	if code.V >= 0 && code.V <= largestCode {
		return
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("%d is no status code: the largest is %d", code.V, largestCode),
		Span:    p.Span(code.Origin),
		Effect:  "a request over the limit gets 500 (ArgumentOutOfRangeException)",
		Help:    "write a status code such as 429",
		Subject: subject,
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
