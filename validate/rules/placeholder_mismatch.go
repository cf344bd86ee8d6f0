package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func placeholderMismatch() *validate.Rule {
	return &validate.Rule{
		Name:        "placeholder-mismatch",
		Summary:     "A downstream template has a placeholder that nothing binds.",
		Severity:    diag.Error,
		Category:    validate.Routes,
		CheckRoutes: checkPlaceholderMismatch,
		Check:       func(p *validate.Pass) { reportFailures(p, "placeholder-mismatch") },
	}
}

func checkPlaceholderMismatch(p *validate.Pass) {
	parameters := validate.Share(p.Input, parametersKey{}, func() map[string]bool { return aggregateParameters(p.Config) })
	for r := range p.StaticRoutes {
		if !r.UpstreamPathTemplate.IsSet() || r.UpstreamPathTemplate.V == "" {
			continue
		}
		down := r.DownstreamPathTemplate
		for ph := range placeholdersIn(down.V) {
			if !parameters[ph.text] && !binds(r, ph.text) {
				p.Report(unbound(p, r, ph))
			}
		}
		if open := strings.LastIndexByte(down.V, '{'); open >= 0 && !strings.Contains(down.V[open:], "}") {
			p.Report(diag.Diagnostic{
				Message: fmt.Sprintf("the brace in %q is never closed", down.V),
				Span:    within(p, down, open, len(down.V)),
				Effect:  "the brace is sent as text",
				Help:    "close the brace",
				Subject: diag.Subject{Route: r.UpstreamPathTemplate.V, Option: "DownstreamPathTemplate"},
			})
		}
	}
}

type parametersKey struct{}

// aggregateParameters are the names that aggregates give values to.
func aggregateParameters(cfg *config.Configuration) map[string]bool {
	names := map[string]bool{}
	for i := range cfg.Aggregates {
		for _, c := range cfg.Aggregates[i].RouteKeysConfig {
			names[c.Parameter.V] = true
		}
	}
	return names
}

// binds says whether the path, a header template or a claim gives a value.
func binds(r *config.Route, name string) bool {
	if strings.Contains(r.UpstreamPathTemplate.V, "{"+name+"}") {
		return true
	}
	for _, h := range r.UpstreamHeaderTemplates.All() {
		if strings.Contains(h.Value.V, "{header:"+name+"}") {
			return true
		}
	}
	_, claim := r.ChangeDownstreamPathTemplate.Get(name)
	return claim
}

func unbound(p *validate.Pass, r *config.Route, ph piece) diag.Diagnostic {
	d := diag.Diagnostic{
		Message: fmt.Sprintf("nothing gives {%s} a value: %q does not have it", ph.text, r.UpstreamPathTemplate.V),
		Span:    within(p, r.DownstreamPathTemplate, ph.start, ph.end),
		Effect:  fmt.Sprintf("the backend gets the text %%7B%s%%7D", ph.text),
		Help:    fmt.Sprintf("put {%s} into UpstreamPathTemplate", ph.text),
		Related: []diag.Related{{Span: p.Span(r.UpstreamPathTemplate.Origin), Message: "the template that binds names"}},
		Subject: diag.Subject{Route: r.UpstreamPathTemplate.V, Option: "DownstreamPathTemplate"},
	}
	var names []string
	for bound := range placeholdersIn(r.UpstreamPathTemplate.V) {
		names = append(names, bound.text)
	}
	if near, ok := diag.Suggest(ph.text, names); ok {
		d.Help = fmt.Sprintf("did you mean {%s}? names are compared with regard to case", near)
	}
	return d
}
