package emit

import (
	"fmt"
	"io"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
)

// ExplainStatus writes which of a route's mechanisms answer with a status, and
// how to tell them apart.
func ExplainStatus(w io.Writer, r *Result, route *normalize.Route, status int, view View) error {
	e := explanation{Result: r, route: route, view: view}
	e.write("", Headline(r, view.Origin))
	e.heading(fmt.Sprintf("%d from %s", status, e.title()))
	found := e.answers(status)
	for _, text := range found {
		paragraph(&e.b, "- ", "  ", text, view.width())
	}
	if len(found) == 0 {
		e.write("", fmt.Sprintf("No mechanism of this route answers %d by itself: it comes from the service.", status))
	} else {
		paragraph(&e.b, "- ", "  ", "the service itself: then the answer has its body and headers", view.width())
	}
	return e.flush(w)
}

func (e *explanation) flush(w io.Writer) error {
	if _, err := io.WriteString(w, e.b.String()); err != nil {
		return fmt.Errorf("write explanation: %w", err)
	}
	return nil
}

// answers lists the mechanisms of the route that answer with a status.
func (e *explanation) answers(status int) []string {
	l := newLowering(e.Result)
	p := plan.Route{}
	if e.route.Kind != normalize.Aggregate {
		l.strategies(&p, e.route)
		l.guards(&p, e.route)
	}
	var found []string
	add := func(code int, format string, args ...any) {
		if code == status {
			found = append(found, fmt.Sprintf(format, args...))
		}
	}
	e.breakerAnswers(&p, add)
	e.timeoutAnswers(&p, add)
	e.guardAnswers(&p, add)
	add(502, "no connection: the service refuses it, its name is not found, or TLS fails; the body is empty")
	add(404, "no route takes the request, or its hosts are not found by discovery")
	return found
}

type answer func(code int, format string, args ...any)

func (e *explanation) breakerAnswers(p *plan.Route, add answer) {
	b := p.Breaker
	switch {
	case b == nil:
	case b.Kind == plan.Expression:
		add(b.ResponseCode, "the breaker is open: its expression was true less than %s ago", duration(int64(b.FallbackDuration)))
	case b.Kind == plan.PollyRatio:
		add(503, "the circuit is open, for %s at a time: it %s", duration(int64(b.BreakDuration)), opensClause(e.route))
	default:
		add(503, "the circuit is open, for %s at a time: it %s; the body is \"Circuit breaker is open for route -> %s\"",
			duration(int64(b.BreakDuration)), opensClause(e.route), printable(e.route.Name()))
	}
	if x := p.Limiter; x != nil {
		add(503, "the concurrency limiter: %s run at a time and %s may wait", plural(int64(x.PermitLimit), "call"), grouped(int64(x.QueueLimit)))
	}
	if x := p.Fallback; x != nil && x.StatusCode != 0 {
		add(x.StatusCode, "the fallback: it stands in for a failure")
	}
	if x := p.Chaos; x != nil && x.Outcome != nil {
		add(x.Outcome.StatusCode, "chaos: it answers %s of the calls", percent(x.Outcome.InjectionRate))
	}
}

func (e *explanation) timeoutAnswers(p *plan.Route, add answer) {
	code := 503
	if p.ProblemDetails {
		code = 504
	}
	if p.AttemptTimeout > 0 {
		add(code, "the attempt timeout of %s; the body is \"Request timeout for route -> %s\"",
			duration(int64(p.AttemptTimeout)), printable(e.route.Name()))
	}
	if p.OuterTimeout == nil {
		return
	}
	switch ms := int64(*p.OuterTimeout); {
	case ms < 0:
		add(500, "the outer timeout, which comes to %s: every request fails", duration(ms))
	default:
		add(code, "the outer timeout of %s; the body is empty", duration(ms))
	}
}

func (e *explanation) guardAnswers(p *plan.Route, add answer) {
	if x := p.RateLimit; x != nil {
		add(x.StatusCode, "the rate limit of %d per %s, told apart by the header %s", x.Limit, x.PeriodText, x.ClientHeader)
		add(503, "the rate limit: the request has no header %s", x.ClientHeader)
	}
	if x := p.Authentication; x != nil {
		add(401, "authentication by %s", strings.Join(x.Schemes, ", "))
		if len(x.Scopes) > 0 {
			add(403, "the client has none of the scopes %s", strings.Join(x.Scopes, ", "))
		}
	}
	if p.Claims != nil && len(p.Claims.Required) > 0 {
		add(403, "the client lacks a claim of RouteClaimsRequirement")
	}
	if p.ClientIPs != nil {
		add(403, "SecurityOptions: the client's address is blocked or not allowed")
	}
}

// logLines are texts of Ocelot's log and the mechanism that writes them.
var logLines = [...]struct{ text, about string }{
	{"Circuit breaker is open", "the circuit of the route is open: the request never reached the service"},
	{"The circuit is now open", "Polly's circuit of the route is open: the request never reached the service"},
	{"Request timeout for route", "the attempt timeout (QoSOptions.Timeout) cut the attempt off"},
	{"auto-doubled the QoS Timeout", "the route's Timeout is not longer than QoSOptions.Timeout: Ocelot uses twice the latter as the outer timeout"},
	{"strategy. Specifically,", "Polly's provider refuses an option and takes its default, or leaves the strategy out; it says so at the first request"},
	{"Unable to start Ocelot", "the configuration does not pass validation: `margay lint` shows the place"},
	{"Failed to load configuration from file", "the file is not JSON as .NET reads it: `margay lint` shows the place"},
	{"Failed to convert configuration value", "a value in GlobalConfiguration has the wrong type: `margay lint` shows the place"},
	{"TaskCanceledException", "the outer timeout cut the request off, or the client went away"},
}

// ExplainLog writes which of a route's mechanisms is behind a line of Ocelot's
// log. It returns false, and writes nothing, for a line that it does not know.
func ExplainLog(w io.Writer, r *Result, route *normalize.Route, line string, view View) (bool, error) {
	for _, known := range logLines {
		if !strings.Contains(line, known.text) {
			continue
		}
		e := explanation{Result: r, route: route, view: view}
		e.write("", Headline(r, view.Origin))
		e.heading(e.title())
		e.write("", "This line means: "+known.about+".")
		e.b.WriteString("\n")
		e.words()
		e.derivation()
		return true, e.flush(w)
	}
	return false, nil
}
