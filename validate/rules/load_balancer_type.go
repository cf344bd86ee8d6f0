package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func loadBalancerType() *validate.Rule {
	return &validate.Rule{
		Name:        "load-balancer-type",
		Summary:     "A load balancer of this name does not exist, so every request fails.",
		Severity:    diag.Error,
		Category:    validate.Routes,
		Fixable:     true,
		CheckRoutes: checkLoadBalancerType,
		Check:       checkGlobalLoadBalancerType,
	}
}

// balancers are the names that LoadBalancerFactory compares with regard to case.
var balancers = [...]string{"NoLoadBalancer", "RoundRobin", "LeastConnection", "CookieStickySessions"}

func checkLoadBalancerType(p *validate.Pass) {
	for r := range p.Routes {
		if o := r.Base().LoadBalancerOptions; o != nil && !isBalancer(o.Type.V) {
			reportBalancer(p, o.Type, validate.Subject(r, "LoadBalancerOptions.Type"))
		}
	}
}

func checkGlobalLoadBalancerType(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	if o := p.Config.Global.LoadBalancerOptions; o != nil && !isBalancer(o.Type.V) {
		reportBalancer(p, o.Type, diag.Subject{Option: "GlobalConfiguration.LoadBalancerOptions.Type"})
	}
}

// isBalancer says whether a name is that of a balancer; no name is the default.
func isBalancer(name string) bool {
	return strings.TrimSpace(name) == "" || slices.Contains(balancers[:], name)
}

func reportBalancer(p *validate.Pass, kind config.Value[string], subject diag.Subject) {
	span := p.Span(kind.Origin)
	d := diag.Diagnostic{
		Message: fmt.Sprintf("Ocelot has no load balancer %q", kind.V),
		Span:    span,
		Effect:  "every request gets 500 (CouldNotFindLoadBalancerCreator), unless the application registers a balancer of this name",
		Help:    "write " + strings.Join(balancers[:3], ", ") + " or " + balancers[3],
		Subject: subject,
		Cause:   kind.V,
	}
	near, ok := diag.Suggest(kind.V, balancers[:])
	switch {
	case !ok:
		d.Severity = diag.Warning
	case strings.EqualFold(near, kind.V):
		d.Message = fmt.Sprintf("Ocelot has no load balancer %q: names are compared with regard to case", kind.V)
		d.Effect = "every request gets 500 (CouldNotFindLoadBalancerCreator)"
	}
	if ok {
		d.Help = fmt.Sprintf("did you mean %q?", near)
		d.Fix = &diag.Fix{Title: "write " + near, Edits: []diag.Edit{{Span: span, NewText: strconv.Quote(near)}}, Unsafe: true}
	}
	p.Report(d)
}
