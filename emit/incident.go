package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/profile"
)

// Mechanism is what may answer a request of a route.
type Mechanism string

// The mechanisms.
const (
	CircuitOpen      Mechanism = "open circuit"
	AttemptTimeout   Mechanism = "attempt timeout"
	OuterTimeout     Mechanism = "outer timeout"
	RefusedOption    Mechanism = "refused option"
	TimerOverflow    Mechanism = "impossible timer"
	NoConnection     Mechanism = "no connection"
	LimiterFull      Mechanism = "concurrency limiter"
	FallbackAnswer   Mechanism = "fallback"
	ChaosAnswer      Mechanism = "chaos"
	RateLimited      Mechanism = "rate limit"
	Unauthenticated  Mechanism = "authentication"
	Unauthorized     Mechanism = "authorization"
	BlockedClient    Mechanism = "blocked client"
	NoRoute          Mechanism = "no route"
	NoHosts          Mechanism = "no hosts"
	ThrownException  Mechanism = "exception in the gateway"
	BadRequest       Mechanism = "bad request"
	Unmappable       Mechanism = "unmappable request"
	RequestTooLarge  Mechanism = "request too large"
	ClientGone       Mechanism = "client gone"
	ServiceItself    Mechanism = "the service"
	ProviderMissing  Mechanism = "no QoS provider"
	StartRefused     Mechanism = "start"
	ReplacedOption   Mechanism = "replaced option"
	DoubledTimeout   Mechanism = "doubled timeout"
	CountedFailure   Mechanism = "counted failure"
	ClosedCircuit    Mechanism = "closed circuit"
	WebSocketTrouble Mechanism = "WebSocket"
)

// Incident is one way in which a request of a route may be answered without
// the service, or with its answer.
type Incident struct {
	Mechanism Mechanism
	profile.Answer
	// About says what happens; Tell how to tell it from others with the same
	// status; Next what to look at. All are clauses without a full stop.
	About, Tell, Next string
}

// Incidents returns the ways in which requests of a route may be answered, the
// most telling first. Where every request fails, strategies never come to act.
func Incidents(r *Result, route *normalize.Route) []Incident {
	e := explanation{Result: r, route: route}
	c := collector{explanation: &e, answers: answersFor(r.Profile, route)}
	if route.Kind == normalize.Aggregate {
		c.members()
		return c.found
	}
	l := newLowering(r)
	l.strategies(&c.plan, route)
	l.guards(&c.plan, route)
	if f := route.Failure(); f != nil {
		c.failure(f)
	} else {
		c.circuit()
		c.timeouts()
		c.margayOnly()
		c.connection()
	}
	c.guarded()
	c.always()
	return c.found
}

// answersFor returns what clients see, with the name of the route in the bodies.
func answersFor(p profile.Profile, route *normalize.Route) profile.Answers {
	a := p.Answers()
	if route.Kind == normalize.Aggregate {
		return a
	}
	for _, answer := range []*profile.Answer{&a.CircuitOpen, &a.AttemptTimeout} {
		answer.Body = strings.ReplaceAll(answer.Body, "%s", printable(route.Name()))
	}
	return a
}

// collector collects the incidents of one route.
type collector struct {
	*explanation
	answers profile.Answers
	plan    plan.Route
	found   []Incident
}

func (c *collector) add(m Mechanism, a profile.Answer, about, tell, next string) {
	c.found = append(c.found, Incident{Mechanism: m, Answer: a, About: about, Tell: tell, Next: next})
}

func (c *collector) members() {
	var names []string
	for _, m := range c.route.Aggregate.Members {
		names = append(names, routeName(&c.Gateway.Routes[m]))
	}
	c.add(ServiceItself, profile.Answer{}, "an aggregate has no mechanisms of its own: its routes answer", "", "`margay explain` for "+strings.Join(names, " and "))
}

// failure is an exception at every request.
func (c *collector) failure(f *normalize.Failure) {
	tell := "every request fails, the first one too, at once, and the service is not asked"
	if f.Exception != "" {
		tell += "; the log has " + f.Exception
		if f.Message != "" {
			tell += ": " + firstLine(f.Message)
		}
	}
	if len(f.Refused) == 0 {
		c.add(TimerOverflow, c.answers.Thrown, fmt.Sprintf("the outer timeout comes to %s, and no timer can have that", duration(c.route.OuterTimeout.V)), tell, c.outer().because)
		return
	}
	var options, places []string
	for _, o := range f.Refused {
		options = append(options, fmt.Sprintf("%s of %s", c.names().of(o.Option), grouped(int64(o.Value.V))))
		if at := c.span(o.Value.Origin); !at.IsZero() {
			places = append(places, fmt.Sprintf("%s:%d", at.File.Name, at.Position().Line))
		}
	}
	next := "Ocelot's own default is refused: write the option"
	if len(places) > 0 {
		next = strings.Join(slices.Compact(places), ", ")
	}
	c.add(RefusedOption, c.answers.Thrown, "Polly refuses "+strings.Join(options, " and ")+" each time the route is asked for", tell, next)
}

func (c *collector) circuit() {
	b := c.plan.Breaker
	if b == nil {
		return
	}
	next := "what failed before: " + failureWords(c.plan.Failures, c.Profile.Facts().Timeouts)
	if b.Kind == plan.Expression {
		c.add(CircuitOpen, profile.Answer{Status: b.ResponseCode}, fmt.Sprintf("the breaker is open: its expression was true less than %s ago", duration(int64(b.FallbackDuration))),
			"at once, and the service is not asked", next)
		return
	}
	owner := sharedOwner(c.Gateway, c.route)
	about := fmt.Sprintf("the circuit is open, for %s at a time: it %s", duration(int64(b.BreakDuration)), opensClause(owner))
	tell := "at once, and the service is not asked; " + bodyWords(c.answers.CircuitOpen)
	if c.Profile.Provider == profile.Polly {
		tell += "; the log has BrokenCircuitException"
	}
	if owner != c.route {
		next = "also the requests of " + routeName(owner) + ", which has the same circuit; " + next
	}
	c.add(CircuitOpen, c.answers.CircuitOpen, about, tell, next)
}

// bodyWords says how an answer looks.
func bodyWords(a profile.Answer) string {
	if a.Body == "" {
		return "the body is empty"
	}
	return fmt.Sprintf("the reason is %q, the body %q", a.Reason, a.Body)
}

func (c *collector) timeouts() {
	attempt, outer := int64(c.plan.AttemptTimeout), c.route.OuterTimeout.V
	gateway := c.answers.AttemptTimeout
	outerAnswer := c.answers.OuterTimeout
	if c.plan.ProblemDetails {
		gateway, outerAnswer = profile.Answer{Status: 504, Reason: "Gateway Timeout"}, profile.Answer{Status: 504, Reason: "Gateway Timeout"}
	}
	ends := c.route.OuterTimeout.IsSet() && outer >= 0
	if attempt > 0 && (!ends || attempt <= outer) {
		tell := fmt.Sprintf("it takes %s; %s", duration(attempt), bodyWords(c.answers.AttemptTimeout))
		if c.Profile.Provider == profile.Polly {
			tell += "; the log has TimeoutRejectedException"
		}
		c.add(AttemptTimeout, gateway, fmt.Sprintf("the attempt timeout of %s cuts a slow call off", duration(attempt)), tell, c.attemptPlace())
	}
	if ends {
		tell := fmt.Sprintf("it takes %s; the body is empty", duration(outer))
		if attempt == outer {
			tell += "; it is as long as the attempt timeout, and which of the two ends a call is chance"
		} else if attempt > 0 && attempt < outer {
			tell += "; only where handlers around the call take their time"
		}
		if outerAnswer.Status == 503 {
			tell += "; the log has TimeoutException or TaskCanceledException"
		}
		next := c.outer().because
		if !c.Profile.Facts().RouteTimeouts && c.route.Options.Timeout.IsSet() {
			next = "how long the service takes; TimeoutValue is the length of this timer too"
		}
		c.add(OuterTimeout, outerAnswer, fmt.Sprintf("the outer timeout of %s cuts the whole request off", duration(outer)), tell, next)
	}
}

// attemptPlace says where the attempt timeout is written.
func (c *collector) attemptPlace() string {
	if at := c.span(c.route.AttemptTimeout.Origin); !at.IsZero() {
		return fmt.Sprintf("how long the service takes; the timeout is decided in %s:%d", at.File.Name, at.Position().Line)
	}
	return "how long the service takes"
}

// margayOnly are the mechanisms of ResilienceOptions.
func (c *collector) margayOnly() {
	if x := c.plan.Limiter; x != nil {
		c.add(LimiterFull, unavailable, fmt.Sprintf("%s run at a time and %s may wait", plural(int64(x.PermitLimit), "call"), grouped(int64(x.QueueLimit))),
			"at once, under load only", "how many calls run at a time")
	}
	if x := c.plan.Fallback; x != nil && x.StatusCode != 0 {
		c.add(FallbackAnswer, profile.Answer{Status: x.StatusCode, Body: x.Body}, "the fallback stands in for a failure", "it has the body of ResilienceOptions", "what failed behind it")
	}
	if x := c.plan.Chaos; x != nil && x.Outcome != nil {
		c.add(ChaosAnswer, profile.Answer{Status: x.Outcome.StatusCode}, "chaos answers "+percent(x.Outcome.InjectionRate)+" of the calls", "at random", "Chaos of ResilienceOptions")
	}
}

var unavailable = profile.Answer{Status: 503, Reason: "Service Unavailable"}

func (c *collector) connection() {
	next := "the host and port of the route, and whether the service runs"
	switch c.plan.Failures.TransportErrors {
	case plan.Success:
		next += "; the breaker does not count it"
	default:
		if c.plan.Breaker != nil {
			next += "; the breaker counts it, so an open circuit comes after it"
		}
	}
	c.add(NoConnection, c.answers.NoConnection, "the service is not reached: it refuses, its name is not found, TLS fails, or it closes the connection",
		"the body is empty; the log has ConnectionToDownstreamServiceError", next)
}
