package rules

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func cookiesShared() *validate.Rule {
	return &validate.Rule{
		Name:     "cookies-shared",
		Summary:  "Cookies of the backend are shared between all clients.",
		Severity: diag.Error,
		Category: validate.Security,
		Check:    checkCookiesShared,
	}
}

func checkCookiesShared(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	report := func(o *config.HttpHandlerOptions, subject diag.Subject) {
		if !o.UseCookieContainer.V {
			return
		}
		p.Report(diag.Diagnostic{
			Message: "cookies that the backend sets for one client are sent along with the requests of all others",
			Span:    p.Span(o.UseCookieContainer.Origin),
			Effect:  "a session of one user becomes the session of everybody",
			Help:    "remove UseCookieContainer: without it, cookies pass between client and backend",
			Subject: subject,
			Cause:   "UseCookieContainer",
		})
	}
	for r := range p.Routes {
		if o := r.Base().HttpHandlerOptions; o != nil {
			report(o, validate.Subject(r, "HttpHandlerOptions.UseCookieContainer"))
		}
	}
	if o := p.Config.Global.HttpHandlerOptions; o != nil {
		report(&o.HttpHandlerOptions, diag.Subject{Option: "GlobalConfiguration.HttpHandlerOptions.UseCookieContainer"})
	}
}
