package proxy_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

// foretoldRequest is one request on its way.
type foretoldRequest struct {
	f       *foreteller
	step    *traceStep
	index   int
	begun   int
	route   *plan.Route
	service string // with its namespace; of dynamic routes
	path    string
	permit  *circuitPermit
	decided bool // the circuit has been told
	ended   bool
	sent    int             // to backends
	partial *foretoldAnswer // what the client has while the body is sent
	up      string
	tell    func(foretoldAnswer)
}

// request begins a request of a client.
func (f *foreteller) request(i int, step *traceStep, tell func(foretoldAnswer)) {
	asked, target := askedTrace(step)
	m, err := f.table.Match(&asked)
	finish := f.towards(step, tell)
	switch {
	case err == nil && m.Route() != nil && f.refuses(m.Index()):
		finish(foretoldAnswer{status: http.StatusServiceUnavailable})
	case f.broken:
		finish(foretoldAnswer{status: 500})
	case err != nil:
		finish(foretoldAnswer{status: 404})
	case m.Aggregate() != nil:
		f.aggregate(i, step, m.Aggregate(), target.Path(), finish)
	default:
		r := &foretoldRequest{f: f, step: step, index: i, begun: f.now, route: m.Route(), path: target.Path(), tell: finish}
		if service, namespace := m.Service(); service != "" {
			r.service = namespace + ":" + service
		}
		r.enter()
	}
}

// refuses reports whether a route wants code of the application, or a balancer
// that nobody knows.
func (f *foreteller) refuses(route int) bool {
	routes := configured(string(f.rec.Config)).Routes
	if f.rules.Unenforced || route >= len(routes) {
		return false
	}
	r := routes[route]
	known := []string{"", "NoLoadBalancer", "LeastConnection", "RoundRobin", "CookieStickySessions"}
	return len(r.DelegatingHandlers) > 0 || !slices.Contains(known, r.LoadBalancerOptions.Type)
}

func askedTrace(step *traceStep) (route.Request, route.Target) {
	target, _ := route.ParseTarget(step.Path)
	asked := route.Request{Method: cmp.Or(step.Method, "GET"), Host: cmp.Or(step.Headers["Host"], "gw.example"), Target: target, Header: http.Header{}}
	for name, value := range step.Headers {
		asked.Header.Set(name, value)
	}
	return asked, target
}

// towards returns tell for the client of a step: an answer to HEAD has no body.
func (f *foreteller) towards(step *traceStep, tell func(foretoldAnswer)) func(foretoldAnswer) {
	return func(a foretoldAnswer) {
		if step.Method == http.MethodHead {
			a.body = ""
		}
		tell(a)
	}
}

// patience returns after how long the client goes away; 0: never.
func (s *traceStep) patience() (after int) {
	for _, form := range []string{"abort after %d", "fin after %d"} {
		if n, _ := fmt.Sscanf(s.Client, form, &after); n == 1 {
			return after
		}
	}
	return 0
}

// enter goes through cache and circuit.
func (r *foretoldRequest) enter() {
	f := r.f
	if k, ok := f.kept[r.keptBy()]; ok && r.route.Cache != nil && f.now < k.until {
		r.end(k.answer)
		return
	}
	if after := r.step.patience(); after > 0 {
		f.at(r.begun+after, r.abort)
	}
	if r.faulty() == http.StatusRequestEntityTooLarge && r.step.Headers["Transfer-Encoding"] == "" && !f.rules.ClientTrips {
		r.end(foretoldAnswer{status: http.StatusRequestEntityTooLarge})
		return
	}
	if o := r.route.OuterTimeout; o != nil && *o < 0 {
		r.end(foretoldAnswer{status: http.StatusInternalServerError, down: true})
		return
	}
	r.freeze()
	if f.rules.LeasedBeforeAsked {
		r.choose()
	}
	if !r.ask() {
		a := r.own("Circuit breaker is open for route -> ")
		a.retryAfter = f.circuits[r.circuitKey()].closes(f.now)
		r.end(a)
		return
	}
	if o := r.route.OuterTimeout; o != nil && *o == 0 {
		r.missOuter()
		return
	} else if o != nil {
		f.at(r.begun+int(*o), r.missOuter)
	}
	if a := int(r.route.AttemptTimeout); a > 0 {
		f.at(f.now+a, r.missAttempt)
	}
	if f.rules.ObsText && isLetters(fmt.Sprint(r.step.Headers)) {
		r.failWith(http.StatusBadRequest)
		return
	}
	r.send()
}

func (r *foretoldRequest) keptBy() string { return cmp.Or(r.step.Method, "GET") + " " + r.step.Path }

// freeze lets the first request for a service, or with a key of sticky sessions,
// decide for those that follow.
func (r *foretoldRequest) freeze() {
	key := r.service
	if r.route.LoadBalancer.Type == "CookieStickySessions" {
		key = "sticky " + r.route.LoadBalancer.Key
	}
	if key == "" || r.service != "" && !r.f.rules.FrozenDynamic || r.service == "" && !r.f.rules.FirstOptions {
		return
	}
	first := r.f.frozen[key]
	switch {
	case first == nil:
		r.f.frozen[key] = r
	case r.service == "" && r.f.rec.Provider == "builtin": // whose breakers belong to routes
		r.up = first.up
	default:
		r.route, r.service, r.path = first.route, first.service, first.path
	}
}

// circuitKey names the circuit of a request.
func (r *foretoldRequest) circuitKey() string {
	switch {
	case r.route.Circuit != "":
		return r.route.Circuit
	case r.service != "" && r.route.Match.Kind == plan.Unlisted:
		return r.service
	}
	return r.route.ID
}

// ask asks the circuit.
func (r *foretoldRequest) ask() bool {
	f := r.f
	b := r.route.Breaker
	if b == nil || r.step.WebSocket && f.rules.UpgradeUnprotected {
		return true
	}
	key := r.circuitKey()
	c := f.circuits[key]
	if c == nil || !sameBreaker(&c.of, b) && !(f.rules.ReloadState && f.rec.Provider == "polly") {
		c = &foretoldCircuit{of: *b, rules: f.rules, lease: int(r.route.AttemptTimeout)}
		if c.lease == 0 && r.route.OuterTimeout != nil {
			c.lease = int(*r.route.OuterTimeout)
		}
		f.circuits[key] = c
	}
	permit, ok := c.ask(f.now)
	r.permit = permit
	return ok
}

// decide tells the circuit, once.
func (r *foretoldRequest) decide(result circuitResult) {
	if !r.decided {
		r.decided = true
		r.permit.report(r.f.now, result)
	}
}

// own is an answer of the gateway's own.
func (r *foretoldRequest) own(text string) foretoldAnswer {
	a := foretoldAnswer{status: http.StatusServiceUnavailable, ofCircle: true, down: r.f.rec.Provider == "polly"}
	if r.f.rec.Provider == "builtin" {
		a.body = text + r.name()
	}
	return a
}

// name is what answers call the route.
func (r *foretoldRequest) name() string {
	switch b := r.route.Backend; {
	case r.service != "":
		return r.service + ":" + r.path
	case b.Service != "":
		return b.Namespace + ":" + b.Service + ":" + r.route.Match.Path
	}
	return r.route.Match.Path
}

func (r *foretoldRequest) end(a foretoldAnswer) {
	if r.ended {
		return
	}
	r.ended = true
	if ttl := r.route.Cache; ttl != nil && !a.aborted && (!a.ofCircle || r.f.rules.CachedOpen) && r.f.kept[r.keptBy()].until <= r.f.now {
		r.f.kept[r.keptBy()] = keptTrace{r.f.now + int(ttl.TTL), a}
	}
	r.tell(a)
}

// abort is the client going away.
func (r *foretoldRequest) abort() {
	if r.ended {
		return
	}
	if r.partial != nil {
		r.end(*r.partial)
		return
	}
	if r.f.rec.Provider == "polly" && r.f.rules.AbortCounted {
		r.decide(resultSuccess)
	}
	r.decide(resultIgnored)
	r.end(foretoldAnswer{aborted: true})
}

func (r *foretoldRequest) missAttempt() {
	if r.decided || r.ended {
		return
	}
	r.decide(resultFailure)
	r.end(r.own("Request timeout for route -> "))
}

func (r *foretoldRequest) missOuter() {
	if r.decided || r.ended {
		return
	}
	switch {
	case r.f.rules.OuterUncounted && r.f.rec.Provider == "polly":
		r.decide(resultSuccess)
	case r.f.rules.OuterUncounted:
		r.decide(resultIgnored)
	default:
		r.decide(resultFailure)
	}
	r.end(foretoldAnswer{status: http.StatusServiceUnavailable, ofCircle: true, down: true})
}
