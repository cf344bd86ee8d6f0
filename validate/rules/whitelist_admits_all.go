package rules

import (
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func whitelistAdmitsAll() *validate.Rule {
	return &validate.Rule{
		Name:        "whitelist-admits-all",
		Summary:     "An empty text in ClientWhitelist lets unknown clients pass without limit.",
		Severity:    diag.Error,
		Category:    validate.Security,
		CWE:         284,
		CheckRoutes: checkWhitelistAdmitsAll,
		Check:       checkGlobalWhitelistAdmitsAll,
	}
}

func checkWhitelistAdmitsAll(p *validate.Pass) {
	for r := range p.Routes {
		if o := r.Base().RateLimitOptions; o != nil {
			reportWhitelist(p, o, validate.Subject(r, "RateLimitOptions.ClientWhitelist"))
		}
	}
}

func checkGlobalWhitelistAdmitsAll(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	if o := p.Config.Global.RateLimitOptions; o != nil {
		reportWhitelist(p, &o.RateLimitByHeaderRule, diag.Subject{Option: "GlobalConfiguration.RateLimitOptions.ClientWhitelist"})
	}
}

func reportWhitelist(p *validate.Pass, o *config.RateLimitByHeaderRule, subject diag.Subject) {
	for _, client := range o.ClientWhitelist.All() {
		if client.V != "" || !client.IsSet() {
			continue
		}
		p.Report(diag.Diagnostic{
			Message: "an empty text is on the list of clients without limit: it stands for everybody who sends no client header",
			Span:    p.Span(client.Origin),
			Effect:  "a client without the header is let through instead of being answered with 503",
			Help:    "remove the empty text",
			Subject: subject,
		})
	}
}
