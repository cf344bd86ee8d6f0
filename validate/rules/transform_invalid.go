package rules

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
)

func transformInvalid() *validate.Rule {
	return &validate.Rule{
		Name:        "transform-invalid",
		Summary:     "A header transform fails, injects a header, or removes one.",
		Severity:    diag.Error,
		Category:    validate.Routes,
		CheckRoutes: checkTransformInvalid,
		Check:       checkGlobalTransformInvalid,
	}
}

func checkTransformInvalid(p *validate.Pass) {
	for r := range p.StaticRoutes {
		reportTransforms(p, r.UpstreamHeaderTransform, "UpstreamHeaderTransform", r.UpstreamPathTemplate.V)
		reportTransforms(p, r.DownstreamHeaderTransform, "DownstreamHeaderTransform", r.UpstreamPathTemplate.V)
	}
}

func checkGlobalTransformInvalid(p *validate.Pass) {
	if p.Gateway == nil {
		return
	}
	reportTransforms(p, p.Config.Global.UpstreamHeaderTransform, "GlobalConfiguration.UpstreamHeaderTransform", "")
	reportTransforms(p, p.Config.Global.DownstreamHeaderTransform, "GlobalConfiguration.DownstreamHeaderTransform", "")
}

func reportTransforms(p *validate.Pass, d *config.Dict, option, route string) {
	for _, e := range d.All() {
		if found := badTransform(e); found.Message != "" {
			found.Span = p.Span(e.Value.Origin)
			found.Subject = diag.Subject{Route: route, Option: option + "." + e.Key.V}
			p.Report(found)
		}
	}
}

// badTransform returns what is wrong with one entry; no message if nothing is.
func badTransform(e config.Entry) diag.Diagnostic {
	text := e.Value.V
	find, _, pair := strings.Cut(text, ",")
	switch {
	case !e.Value.IsSet():
		return diag.Diagnostic{} // stops the start
	case strings.ContainsAny(text, "\r\n"):
		return diag.Diagnostic{Message: fmt.Sprintf("a line break in the value of %s starts a header of its own", e.Key.V),
			Help: "write the value on one line"}
	case strings.ContainsFunc(text, func(r rune) bool { return r >= 0x7f }):
		return diag.Diagnostic{Message: fmt.Sprintf("the value of %s holds characters that no header may hold", e.Key.V),
			Effect: "requests that it is put into fail with 400 or 500", Help: "write ASCII only"}
	case pair && find == "":
		return diag.Diagnostic{Message: fmt.Sprintf("the text to look for in %s is empty", e.Key.V),
			Effect: "every request or answer with the header fails with 500 (ArgumentException)", Help: "write \"find, replace\""}
	case strings.EqualFold(e.Key.V, "Content-Length") && !pair:
		return diag.Diagnostic{Message: "Content-Length can't be set to a fixed value: it has to fit the body",
			Effect: "requests fail with 500 or 502", Help: "remove the entry"}
	case !pair && strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") && !isResolved(text):
		return diag.Diagnostic{Severity: diag.Warning, Message: fmt.Sprintf("nothing gives %s a value, so the header %s is left out, also where the client sends it", text, e.Key.V),
			Help: "write {BaseUrl}, {RemoteIpAddress} or {UpstreamHost}, or a text", Cause: text}
	}
	return diag.Diagnostic{}
}

// isResolved says whether a placeholder has a value in every application. Those
// with a colon or a dot name keys of the application's own configuration.
func isResolved(placeholder string) bool {
	switch placeholder {
	case "{BaseUrl}", "{RemoteIpAddress}", "{UpstreamHost}", "{TraceId}":
		return true
	}
	return strings.ContainsAny(placeholder, ":.")
}
