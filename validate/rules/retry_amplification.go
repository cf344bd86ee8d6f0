package rules

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func retryAmplification() *validate.Rule {
	return &validate.Rule{
		Name:        "retry-amplification",
		Summary:     "One request may become many calls.",
		Severity:    diag.Warning,
		Category:    validate.Resilience,
		CheckRoutes: checkRetryAmplification,
	}
}

// mostCalls is how many calls for one request are nothing to talk about: the
// default of three retries.
const mostCalls = 4

func checkRetryAmplification(p *validate.Pass) {
	eachResilience(p, func(r *normalize.Route, o *config.Resilience) {
		calls := callsOf(r)
		if calls <= mostCalls {
			return
		}
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("one request may become %d calls to the backend", calls),
			Span:    p.Span(o.Retry.MaxRetryAttempts.Origin),
			Help:    "lower MaxRetryAttempts to 3 or less: what fails four times seldom works the fifth time",
			Subject: validate.Subject(r, "ResilienceOptions.Retry.MaxRetryAttempts"),
			Cause:   fmt.Sprint(calls),
		})
	})
	for r := range p.Resolved {
		if r.Aggregate != nil {
			amplifiedAggregate(p, r)
		}
	}
}

// callsOf is how many calls of the backend one request of a route may become.
func callsOf(r *normalize.Route) int64 {
	if r.Resilience == nil || r.Resilience.Retry == nil {
		return 1
	}
	return int64(r.Resilience.Retry.MaxRetryAttempts.V) + 1
}

// amplifiedAggregate adds up the members of an aggregate: each retries by itself.
// A member that is one too many alone has been reported.
func amplifiedAggregate(p *validate.Pass, r *normalize.Route) {
	calls, members := int64(0), int64(len(r.Aggregate.Members))
	var related []diag.Related
	for _, position := range r.Aggregate.Members {
		member := &p.Gateway.Routes[position]
		n := callsOf(member)
		if n > mostCalls {
			return
		}
		if calls += n; n > 1 {
			related = append(related, diag.Related{Span: p.Span(routePlace(member)), Message: fmt.Sprintf("%d of them", n)})
		}
	}
	if calls-members <= mostCalls-1 {
		return
	}
	more := ""
	if len(r.Aggregate.RouteKeysConfig) > 0 {
		more = ", and more for every value that JsonPath finds"
	}
	p.Report(diag.Diagnostic{
		Message: fmt.Sprintf("one request of this aggregate may become %d calls, for each of its %d routes retries by itself%s", calls, members, more),
		Span:    p.Span(r.Aggregate.RouteKeys.Origin),
		Help:    fmt.Sprintf("give its routes a lower MaxRetryAttempts: %d retries in all are what one route has by default", mostCalls-1),
		Related: related,
		Subject: validate.Subject(r, "RouteKeys"),
		Cause:   fmt.Sprint(calls, members),
	})
}
