package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
)

func sharedCircuit() *validate.Rule {
	return &validate.Rule{
		Name:        "shared-circuit",
		Summary:     "Routes share one circuit of Polly, with the options of the first.",
		Severity:    diag.Warning,
		Category:    validate.Groups,
		CheckRoutes: checkSharedCircuit,
	}
}

// checkSharedCircuit reports claim-D29: Polly keeps its pipelines by a key,
// since 24.1 that of load balancing, and equal keys mean one pipeline.
func checkSharedCircuit(p *validate.Pass) {
	for r := range p.Routes {
		if r.SharedWith < 0 {
			continue
		}
		first := &p.Gateway.Routes[r.SharedWith]
		p.Report(diag.Diagnostic{
			Message: fmt.Sprintf("this route shares its circuit with %s: when one fails, both are closed off, and the options of that route count", validate.Identity(first)),
			Span:    p.Span(routePlace(r)),
			Related: []diag.Related{{Span: p.Span(routePlace(first)), Message: "the route whose options count"}},
			Help:    apart(p.Profile.Facts().Circuit),
			Subject: validate.Subject(r, "LoadBalancerOptions.Key"),
			Cause:   "shared",
		})
	}
}

// apart says how to keep the circuits of two routes apart.
func apart(form profile.CircuitForm) string {
	switch form {
	case profile.CircuitByService:
		return "write another UpstreamPathTemplate, or another ServiceName: methods, hosts and keys do not tell circuits apart here"
	case profile.CircuitByRouteName:
		return "write another UpstreamPathTemplate: methods, hosts and keys do not tell circuits apart here"
	}
	return "give one of both a LoadBalancerOptions.Key of its own"
}
