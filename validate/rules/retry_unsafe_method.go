package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func retryUnsafeMethod() *validate.Rule {
	return &validate.Rule{
		Name:        "retry-unsafe-method",
		Summary:     "Requests that change something are sent again.",
		Severity:    diag.Warning,
		Category:    validate.Resilience,
		CheckRoutes: checkRetryUnsafeMethod,
	}
}

// idempotent are the methods of RFC 9110, section 9.2.2: sending them twice
// does what sending them once does.
var idempotent = [...]string{"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"}

func checkRetryUnsafeMethod(p *validate.Pass) {
	eachResilience(p, func(r *normalize.Route, o *config.Resilience) {
		if o.Retry == nil || o.Retry.MaxRetryAttempts.V <= 0 {
			return
		}
		for _, m := range o.Retry.Methods.All() {
			if slices.Contains(idempotent[:], strings.ToUpper(m.V)) {
				continue
			}
			p.Report(diag.Diagnostic{
				Message: fmt.Sprintf("%s is sent again after a failure, though the backend may have carried out the first one", strings.ToUpper(m.V)),
				Span:    p.Span(m.Origin),
				Help:    "retry only GET, HEAD, OPTIONS, TRACE, PUT and DELETE, unless the backend recognises repeated requests",
				Subject: validate.Subject(r, "ResilienceOptions.Retry.Methods"),
				Cause:   m.V,
			})
		}
	})
}
