package rules

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func cookiesShared() *validate.Rule {
	return &validate.Rule{
		Name:        "cookies-shared",
		Summary:     "Cookies of the backend are shared between all clients.",
		Severity:    diag.Error,
		Category:    validate.Security,
		CWE:         488,
		CheckRoutes: checkCookiesShared,
		Check:       checkGlobalCookiesShared,
	}
}

func checkCookiesShared(p *validate.Pass) {
	for r := range p.Routes {
		if o := r.Base().HttpHandlerOptions; o != nil && o.UseCookieContainer.V {
			reportCookies(p, o, validate.Subject(r, "HttpHandlerOptions.UseCookieContainer"))
		}
	}
}

func checkGlobalCookiesShared(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	if o := p.Config.Global.HttpHandlerOptions; o != nil && o.UseCookieContainer.V {
		reportCookies(p, &o.HttpHandlerOptions, diag.Subject{Option: "GlobalConfiguration.HttpHandlerOptions.UseCookieContainer"})
	}
}

func reportCookies(p *validate.Pass, o *config.HttpHandlerOptions, subject diag.Subject) {
	p.Report(diag.Diagnostic{
		Message: "cookies that the backend sets for one client are sent along with the requests of all others",
		Span:    p.Span(o.UseCookieContainer.Origin),
		Effect:  "a session of one user becomes the session of everybody",
		Help:    "remove UseCookieContainer: without it, cookies pass between client and backend",
		Subject: subject,
		Cause:   "UseCookieContainer",
	})
}
