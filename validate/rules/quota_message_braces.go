package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func quotaMessageBraces() *validate.Rule {
	return &validate.Rule{
		Name:        "quota-message-braces",
		Summary:     "Braces in QuotaMessage make every rejected request fail.",
		Severity:    diag.Error,
		Category:    validate.Routes,
		CheckRoutes: checkQuotaMessageBraces,
		Check:       checkGlobalQuotaMessageBraces,
	}
}

func checkQuotaMessageBraces(p *validate.Pass) {
	eachRateLimit(p, bracesIn(p))
}

func checkGlobalQuotaMessageBraces(p *validate.Pass) { globalRateLimit(p, bracesIn(p)) }

// bracesIn returns what reports the messages of one section.
func bracesIn(p *validate.Pass) func(*config.RateLimitByHeaderRule, diag.Subject) {
	report := func(message config.Value[string], subject diag.Subject) {
		from, to, ok := badBrace(message.V)
		if ok {
			return
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("%q in the message is no place for a value: {0} is the limit, {1} the period", message.V[from:to]),
			Span:    within(p, message, from, to),
			Effect:  "a request over the limit gets 500 (FormatException) instead of the status of the limit",
			Help:    "write braces twice where they are meant as text",
			Subject: subject,
		})
	}
	return func(o *config.RateLimitByHeaderRule, subject diag.Subject) {
		report(o.QuotaMessage, subject)
		report(o.QuotaExceededMessage, subject)
	}
}

// eachRateLimit calls f for every section of a route that limits rates.
func eachRateLimit(p *validate.Pass, f func(*config.RateLimitByHeaderRule, diag.Subject)) {
	for r := range p.Routes {
		if o := r.Base().RateLimitOptions; o != nil {
			f(o, validate.Subject(r, "RateLimitOptions"))
		}
		if r.Dynamic != nil && r.Dynamic.RateLimitRule != nil {
			f(r.Dynamic.RateLimitRule, validate.Subject(r, "RateLimitRule"))
		}
	}
}

// globalRateLimit calls f for the section of GlobalConfiguration.
func globalRateLimit(p *validate.Pass, f func(*config.RateLimitByHeaderRule, diag.Subject)) {
	if p.Gateway == nil {
		return
	}
	if o := p.Config.Global.RateLimitOptions; o != nil {
		f(&o.RateLimitByHeaderRule, diag.Subject{Option: "GlobalConfiguration.RateLimitOptions"})
	}
}

// badBrace finds the first part of a composite format of .NET that cannot be
// filled in. Nobody recorded what {2} gives, so it passes.
func badBrace(text string) (from, to int, ok bool) {
	for i := 0; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "{{"), strings.HasPrefix(text[i:], "}}"):
			i++
		case text[i] == '}':
			return i, i + 1, false
		case text[i] == '{':
			length := strings.IndexByte(text[i:], '}')
			if length < 0 {
				return i, len(text), false
			}
			index, _, _ := strings.Cut(text[i+1:i+length], ":")
			index, _, _ = strings.Cut(index, ",")
			if n, err := strconv.Atoi(strings.TrimRight(index, " ")); err != nil || n < 0 || n > 2 {
				return i, i + length + 1, false
			}
			i += length
		}
	}
	return 0, 0, true
}
