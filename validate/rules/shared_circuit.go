package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
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

// checkSharedCircuit reports claim-D29: Polly keeps its pipelines by the
// load-balancing key, and equal keys mean one pipeline.
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
			Help:    "give one of both a LoadBalancerOptions.Key of its own",
			Subject: validate.Subject(r, "LoadBalancerOptions.Key"),
			Cause:   "shared",
		})
	}
}
