package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/startup"
)

// startupRules returns the rules about what Ocelot's own start-up refuses.
func startupRules() []*validate.Rule {
	return []*validate.Rule{
		startRule("route-invalid", "Ocelot's validator refuses a route, so the gateway does not start.", validate.Routes),
		startRule("duplicate-route", "Two routes take the same requests, so the gateway does not start.", validate.Routes),
		rateLimitInvalid(),
		startRule("aggregate-invalid", "Ocelot's validator refuses an aggregate, so the gateway does not start.", validate.Routes),
		startRule("unknown-authentication-scheme", "A route asks for an authentication scheme that the application does not register.", validate.Security),
		startRule("provider-missing", "QoSOptions are active, but the application registers no QoS provider.", validate.Security),
		startRule("discovery-missing", "Service discovery is used, but the application registers no provider of it.", validate.Security),
		{
			Name: "start-exception", Summary: "An exception ends the start of the gateway.",
			Severity: diag.Error, Category: validate.Security, Check: checkStartException,
		},
	}
}

// startRule returns a rule that words the failures of package startup which
// carry its name.
func startRule(name, summary string, category validate.Category) *validate.Rule {
	return &validate.Rule{
		Name: name, Summary: summary, Severity: diag.Error, Category: category,
		Check: func(p *validate.Pass) { reportFailures(p, name) },
	}
}

// reportFailures reports one finding for each place: Ocelot says three lines of
// a template with a scheme, which is one mistake.
func reportFailures(p *validate.Pass, rule string) {
	if p.Gateway == nil {
		return
	}
	first := map[config.Origin]*startup.Failure{}
	var order []config.Origin
	for i := range p.Startup.Failures {
		f := &p.Startup.Failures[i]
		if f.Rule != rule {
			continue
		}
		if known := first[f.At]; known == nil {
			order = append(order, f.At)
			first[f.At] = f
		} else if telling(f) > telling(known) {
			first[f.At] = f
		}
	}
	for _, at := range order {
		p.Report(failure(p, first[at]))
	}
}

// telling orders the checks that fail for one value by how much they say.
func telling(f *startup.Failure) int {
	return slices.Index([]string{"V08", "V04", "V03", "V07", "V05", "V01", "V02"}, f.Check)
}

func failure(p *validate.Pass, f *startup.Failure) diag.Diagnostic {
	d := diag.Diagnostic{
		Span:   p.Span(f.At),
		Effect: "Ocelot does not start",
		Ocelot: f.Message,
		Cause:  f.Check,
	}
	d.Message, d.Help = words(f.Check, d.Span.Text())
	if f.Check == "V15" || f.Check == "V20" {
		d.Cause = f.Message
	}
	for _, o := range f.Others {
		d.Related = append(d.Related, diag.Related{Span: p.Span(o), Message: "the other one"})
	}
	return d
}

// said is what margay says where a check of Ocelot's validator fails; %s is
// the text in the file.
type said struct{ message, help string }

var sayings = map[string]said{
	"V01": {"DownstreamPathTemplate is empty", "write the path of the service, beginning with /"},
	"V02": {"UpstreamPathTemplate is empty", "write the path that clients call, beginning with /"},
	"V03": {`the template %s does not begin with "/"`, "write a / before it"},
	"V04": {`the template %s contains "//"`, "write a single /"},
	"V05": {"the template %s holds a scheme, where only a path belongs", "write the path here, the scheme into DownstreamScheme and the host into DownstreamHostAndPorts"},
	"V06": {"a Limit of %s lets no request through", "write a number above 0, or EnableRateLimiting: false"},
	"V07": {"RateLimitOptions has no Period, and that of the global section does not help here", `write a Period with its unit, such as "1s"`},
	"V08": {"the Period %s is not a number with a unit", `write digits and ms, s, m, h or d, such as "1s"`},
	"V09": {"the authentication scheme %s is not registered", "name one that the application registers (--schemes lists them)"},
	"V10": {"the route has neither hosts nor a service name", "write DownstreamHostAndPorts or ServiceName"},
	"V11": {"a host of DownstreamHostAndPorts has no name", "write its Host"},
	"V12": {"%s is not a version of HTTP that Ocelot takes", `write "1.1" or "2.0"`},
	"V13": {"%s is not a policy for HTTP versions", "write RequestVersionExact, RequestVersionOrHigher or RequestVersionOrLower"},
	"V14": {"these QoSOptions are active, but no QoS provider is registered", "call AddQualityOfService() or AddPolly() in the application, or remove them"},
	"V15": {"the route %s takes the same requests as another one", "remove one of both, or make their verbs, hosts or header templates differ"},
	"V16": {"the service name %s needs a discovery provider, and none is registered", "register one in the application, such as AddConsul(), or write hosts instead"},
	"V17": {"the discovery provider %s is not registered", "register it in the application, such as AddConsul()"},
	"V18": {"a placeholder occurs twice in %s", "give each placeholder a name of its own"},
	"V19": {"the route %s takes the same requests as an aggregate", "give one of both another template or host"},
	"V20": {"the aggregate %s takes the same requests as another one", "give one of both another template or host"},
	"V21": {"the keys of this aggregate do not match exactly one route each", "name only keys of static routes, and give each route a Key of its own"},
	"V22": {"an aggregate cannot have a member with a RequestIdKey of its own", "remove RequestIdKey from the route; the global one is fine"},
}

func words(check, text string) (message, help string) {
	s := sayings[check]
	if !hasVerb(s.message) {
		return s.message, s.help
	}
	return fmt.Sprintf(s.message, cmp.Or(short(text), "here")), s.help
}

func hasVerb(format string) bool {
	for i := 0; i+1 < len(format); i++ {
		if format[i] == '%' && format[i+1] == 's' {
			return true
		}
	}
	return false
}

// short keeps a quoted text within what a line can hold.
func short(text string) string {
	const most = 60
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// checkStartException reports what ends the start by an exception: while the
// files are loaded, unless the text itself is broken (syntax-error) or has a
// key twice (duplicate-key), or while routes are compiled.
func checkStartException(p *validate.Pass) {
	if f := p.Loaded.Failure; f != nil {
		if cause := f.Cause(); !saidByReading(p, cause) {
			p.Report(exception(cause.Type, cause.Message, cause.Message, f.At))
		}
		return
	}
	if x := p.Startup.Exception; x != nil {
		d := exception(x.Type, x.Reason, x.Type, p.Span(x.At))
		d.Effect = fmt.Sprintf("Ocelot does not start: %s in %s", x.Type, x.Thrower)
		p.Report(d)
	}
}

func saidByReading(p *validate.Pass, cause *load.Failure) bool {
	for i := range p.Loaded.Texts {
		if t := &p.Loaded.Texts[i]; len(t.Defects) > 0 && (cause.At.File == t.File || cause.At.IsZero()) {
			return true
		}
	}
	return slices.ContainsFunc(p.Loaded.Notes, func(n load.Note) bool { return n.Kind == load.DuplicateKey })
}

func exception(kind, message, ocelot string, at source.Span) diag.Diagnostic {
	return diag.Diagnostic{
		Message: message,
		Span:    at,
		Effect:  "Ocelot does not start: " + kind,
		Ocelot:  ocelot,
	}
}
