package emit

import (
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/normalize"
)

// LogLine is what is known of a line of Ocelot's log, or of the text of an
// answer.
type LogLine struct {
	Mechanism Mechanism
	// About says what the line means, as a clause.
	About string
	// Status is the status that it names; 0 if it names none.
	Status int
	// Route is the name of the route that it speaks of, Method and Path the
	// request; "" where it does not say. A line may name a path alone.
	Route, Method, Path string
}

// logLines are texts and the mechanism behind them. The first that fits counts,
// so what an exception was thrown within stands before the inner ones.
var logLines = [...]struct {
	text      string
	mechanism Mechanism
	about     string
}{
	{"no QosDelegatingHandlerDelegate has been registered", ProviderMissing, "QoS is active and the application registers no provider, so Ocelot does not start"},
	{"UnableToFindQoSProviderError", ProviderMissing, "QoS is active for the service and the application registers no provider, so every request for it fails"},
	{"no QosHandler found", ProviderMissing, "QoS is active for the route and the application registers no provider: in this release nothing guards its requests"},
	{"Unable to start Ocelot", StartRefused, "the configuration does not pass validation: `margay lint` shows the place"},
	{"Failed to load configuration from file", StartRefused, "the file is not JSON as .NET reads it: `margay lint` shows the place"},
	{"Failed to convert configuration value", StartRefused, "a value in GlobalConfiguration has the wrong type: `margay lint` shows the place"},
	{"auto-doubled the QoS Timeout", DoubledTimeout, "the route's Timeout is not longer than QoSOptions.Timeout: Ocelot uses twice the latter as the outer timeout"},
	{"strategy. Specifically,", ReplacedOption, "Polly's provider takes a default in place of an option, or leaves a strategy out; it says so at the first request of the route"},
	{"Breaking for", CircuitOpen, "the circuit of the route opens now: what failed before is the cause"},
	{"Breaking the circuit for", CircuitOpen, "the circuit of the route opens now: what failed before is the cause"},
	{"Reached to allowed number of exceptions", CircuitOpen, "Polly's circuit of the route is open: the request never reached the service"},
	{"BrokenCircuitException", CircuitOpen, "Polly's circuit of the route is open: the request never reached the service"},
	{"The circuit is now open", CircuitOpen, "Polly's circuit of the route is open: the request never reached the service"},
	{"Circuit breaker is open", CircuitOpen, "the circuit of the route is open: the request never reached the service"},
	{"Half Opened", ClosedCircuit, "the break is over: one request may try"},
	{"Half-open;", ClosedCircuit, "the break is over: one request may try"},
	{"Closed the circuit again", ClosedCircuit, "the circuit is closed again: the try went well"},
	{": Closed", ClosedCircuit, "the circuit is closed again: the try went well"},
	{"Circuit breaker recorded failure", CountedFailure, "the breaker counts an answer or an exception as a failure"},
	{"Circuit breaker recorded success", CountedFailure, "the breaker counts an answer as a success: failures in a row start anew"},
	{"TimeoutRejectedException", AttemptTimeout, "the attempt timeout cut the call off"},
	{"Request timeout", AttemptTimeout, "the attempt timeout cut the call off"},
	{"timed out after", AttemptTimeout, "the attempt timeout cut the call off"},
	{"Timeout for the route", AttemptTimeout, "the attempt timeout cut the call off"},
	{"(Parameter 'delay')", TimerOverflow, "the outer timer has a length that no timer can have, so every request fails"},
	{"Options' are invalid", RefusedOption, "Polly refuses an option, each time the route is asked for"},
	{"Options<HttpResponseMessage>' are invalid", RefusedOption, "Polly refuses an option, each time the route is asked for"},
	{"(Parameter 'durationOfBreak')", RefusedOption, "Polly refuses the break time, each time the route is asked for"},
	{"timeout must be a positive TimeSpan", RefusedOption, "Polly refuses the timeout, each time the route is asked for"},
	{"must be greater than '00:00:00'", TimerOverflow, "the outer timer has a length that no timer can have, so every request fails"},
	{"System.TimeoutException", OuterTimeout, "the outer timeout cut the whole request off"},
	{"HttpClient.Timeout", OuterTimeout, "the outer timeout cut the whole request off"},
	{"QuotaExceededError", RateLimited, "the client's rate limit is used up"},
	{"API calls quota exceeded", RateLimited, "the client's rate limit is used up"},
	{"Blocked by rate limiting", RateLimited, "the client's rate limit is used up"},
	{"UnauthenticatedError", Unauthenticated, "the request has no identity that the route accepts"},
	{"ScopeNotAuthorizedError", Unauthorized, "the client has none of the scopes that the route wants"},
	{"ClaimValueNotAuthorizedError", Unauthorized, "a claim of the client has another value than the route wants"},
	{"CannotFindClaimError", Unauthorized, "the client lacks a claim that the route wants"},
	{"UserDoesNotHaveClaimError", Unauthorized, "the client lacks a claim that the route wants"},
	{"UnauthorizedError", Unauthorized, "the client may not call the route"},
	{"SecurityError", BlockedClient, "the client's address is blocked or not allowed"},
	{"WebSocketException", WebSocketTrouble, "a WebSocket could not be opened or broke; QoS does not guard it"},
	{"WebSocketsProxyMiddleware", WebSocketTrouble, "a WebSocket could not be opened or broke; QoS does not guard it"},
	{"which will be replaced! Scheme", WebSocketTrouble, "DownstreamScheme is http on a route of WebSockets: Ocelot takes ws"},
	{"PayloadTooLargeError", RequestTooLarge, "the body is larger than the server takes"},
	{"BadRequestError", BadRequest, "a header of the request is not ASCII"},
	{"UnableToFindDownstreamRouteError", NoRoute, "no route takes the request"},
	{"UnmappableRequestError", Unmappable, "the request cannot be turned into one for the service"},
	{"ServicesAreEmptyError", NoHosts, "service discovery knows no host of the service"},
	{"ServicesAreNullError", NoHosts, "service discovery knows no host of the service"},
	{"UnableToFindServiceDiscoveryProviderError", NoHosts, "the route wants service discovery, and no provider is registered"},
	{"CouldNotFindLoadBalancerCreator", ThrownException, "the route names a load balancer that does not exist"},
	{"ConnectionToDownstreamServiceError", NoConnection, "the service is not reached, or closes the connection"},
	{"Connection refused", NoConnection, "the service is not reached: nothing listens there"},
	{"RequestCanceled", ClientGone, "the client went away before the answer, or a timer without a provider cut the request off"},
	{"TaskCanceledException caught in global", ClientGone, "the client went away while it was being answered"},
	{"TaskCanceledException", OuterTimeout, "the outer timeout cut the request off, or the client went away"},
	{"OperationCanceledException", ClientGone, "the client went away before the answer"},
	{"caught in global error handler", ThrownException, "an exception that nothing maps to an answer"},
	{"UnableToCompleteRequestError", ThrownException, "an exception on the way to the service"},
	{"HttpRequestException", NoConnection, "the service is not reached, or closes the connection"},
	{"status code of request URI", ServiceItself, "the service itself answered so"},
}

var (
	// routeInLine are the forms in which Ocelot's texts name a route.
	routeInLine = regexp.MustCompile(`(?:for route -> |for the route: |^Route '|[: ]Route '|of the route ')([^\s'"]+)`)
	// statusInLine is a status with a word that says so, or with its phrase.
	statusInLine = regexp.MustCompile(`(?:HTTP/[0-9.]+ |[Ss]tatus(?: ?[Cc]ode|_code)?"?[:= ] ?"?|^)([45][0-9]{2})\b(?:[ ,"})]|$)`)
)

// ReadLog reads a line of Ocelot's log, or the text of an answer. It returns
// false for a text that it does not know.
func ReadLog(text string) (LogLine, bool) {
	text = unescaped(text)
	var line LogLine
	line.Method, line.Path, line.Status = requestIn(text)
	if m := routeInLine.FindStringSubmatch(text); m != nil {
		line.Route = strings.TrimRight(m[1], ".,:")
	}
	if m := statusInLine.FindStringSubmatch(strings.TrimSpace(text)); m != nil && line.Status == 0 {
		line.Status, _ = strconv.Atoi(m[1])
	}
	for _, known := range logLines {
		if strings.Contains(text, known.text) {
			line.Mechanism, line.About = known.mechanism, known.about
			return line, true
		}
	}
	return line, line.Status != 0
}

// ExplainLog writes what a line means for a route: the mechanism behind it, how
// it is told from others, what to look at, and what the route gets. route is
// nil for a line about the start, or where no route is known.
func ExplainLog(w io.Writer, r *Result, route *normalize.Route, line LogLine, view View) error {
	e := explanation{Result: r, route: route, view: view}
	e.write("", Headline(r, view.Origin))
	e.b.WriteString("\n")
	if line.About != "" {
		e.write("", e.view.bold(string(line.Mechanism))+": "+line.About+".")
	}
	if text := r.refusal(); text != "" {
		e.write("", text)
	}
	if route == nil {
		return e.flush(w)
	}
	e.heading(e.title())
	found := line.incidents(Incidents(r, route))
	between := "\n"
	switch {
	case len(found) > 0:
		e.incidents(found)
	case line.Mechanism != "" && line.startless():
		e.write("", "By these files, nothing on this route answers so: the line is of another route, version or provider.")
	default:
		between = ""
	}
	if route.Kind != normalize.Aggregate {
		e.b.WriteString(between)
		e.words()
		e.derivation()
	}
	return e.flush(w)
}

// startless says whether the mechanism is one of requests.
func (l LogLine) startless() bool {
	switch l.Mechanism {
	case ProviderMissing, StartRefused, ReplacedOption, DoubledTimeout, CountedFailure, ClosedCircuit, WebSocketTrouble:
		return false
	}
	return true
}

// incidents returns those that a line is about: of the mechanism, or with the
// status where it names only that.
func (l LogLine) incidents(all []Incident) []Incident {
	if l.Mechanism == "" {
		return WithStatus(all, l.Status)
	}
	var found []Incident
	for _, i := range all {
		if i.Mechanism == l.Mechanism {
			found = append(found, i)
		}
	}
	return found
}
