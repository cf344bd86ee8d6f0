package proxy_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

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

// faulty returns the status of a request that is the client's own fault; 0 if it
// is none.
func (r *foretoldRequest) faulty() int {
	size := max(len(r.step.Body), r.step.BodyBytes)
	switch {
	case r.f.rec.MaxBody > 0 && int64(size) > r.f.rec.MaxBody:
		return http.StatusRequestEntityTooLarge
	case r.step.Headers["Transfer-Encoding"] != "" && !soundChunks("\r\n\r\n"+r.step.Body):
		return http.StatusBadRequest
	}
	return 0
}

// choose chooses the upstream.
func (r *foretoldRequest) choose() {
	if r.up != "" {
		return
	}
	hosts, key := r.hosts()
	if len(hosts) == 0 {
		return
	}
	next := 0
	switch r.route.LoadBalancer.Type {
	case "RoundRobin":
		next = r.f.turns[key]
		r.f.turns[key]++
	case "CookieStickySessions":
		session := key + " " + r.step.Headers["Cookie"]
		if chosen, ok := r.f.turns[session]; ok {
			next = chosen
		} else {
			next = r.f.turns[key]
			r.f.turns[session] = next
			r.f.turns[key]++
		}
	}
	r.up = hosts[next%len(hosts)]
}

// hosts returns the names of the upstreams, and of the balancer.
func (r *foretoldRequest) hosts() (names []string, balancer string) {
	if r.service != "" || r.route.Backend.Service != "" {
		_, service, _ := strings.Cut(r.service, ":")
		return r.f.rec.Discovery[cmp.Or(service, r.route.Backend.Service)], "service " + cmp.Or(r.service, r.route.Backend.Service)
	}
	for _, h := range r.route.Backend.Hosts {
		found := "nobody"
		for name := range r.f.rec.Upstreams {
			if tracePort(name) == h.Port && h.Name == "127.0.0.1" && r.route.Backend.Scheme != "https" {
				found = name
			}
		}
		names = append(names, found)
	}
	return names, r.route.ID
}

// send sends the request to a backend.
func (r *foretoldRequest) send() {
	f := r.f
	r.choose()
	if r.up == "" {
		r.end(foretoldAnswer{status: http.StatusNotFound})
		return
	}
	if !f.up[r.up] {
		r.fail()
		return
	}
	reused := f.idle[r.up] > 0
	if reused {
		f.idle[r.up]--
	}
	if status := r.faulty(); status != 0 {
		r.faultyBody(status)
		return
	}
	r.sent++
	f.out[f.current].Contacts[r.up]++
	if f.rules.MissingProvider && r.service != "" && slices.Contains(f.rec.Register, "none") && f.frozen["missing"] == nil {
		f.frozen["missing"] = r
		r.end(foretoldAnswer{status: http.StatusNotFound})
		return
	}
	what := f.script(r.up)
	if length, err := strconv.Atoi(r.step.Headers["Content-Length"]); err == nil && length > max(len(r.step.Body), r.step.BodyBytes) {
		return // the backend waits for the rest
	}
	f.at(f.now+what.Delay, func() { r.headers(&what, reused) })
}

// faultyBody is a request whose body breaks off or grows too large on its way:
// its head has gone out, and the circuit is not told. Ocelot has not connected
// yet, and sees an error of the connection.
func (r *foretoldRequest) faultyBody(status int) {
	if !r.f.rules.ClientTrips {
		r.f.out[r.f.current].Contacts[r.up]++
		r.decide(resultIgnored)
		r.end(foretoldAnswer{status: status})
		return
	}
	if status == http.StatusBadRequest {
		status = http.StatusBadGateway
	}
	r.failWith(status)
}

// script takes what an upstream does next.
func (f *foreteller) script(up string) (what traceScript) {
	raw := f.rec.Steps[f.current].Upstream
	var by map[string]json.RawMessage
	_ = json.Unmarshal(raw, &by)
	if own, ok := by[up]; ok {
		raw = own
	}
	_ = json.Unmarshal(raw, &what)
	if n := len(what.Sequence); n > 0 {
		i := f.used[f.current]
		f.used[f.current]++
		what = what.Sequence[min(i, n-1)]
	}
	return what
}

// headers is when the backend answers, or does not.
func (r *foretoldRequest) headers(what *traceScript, reused bool) {
	if r.ended {
		return
	}
	switch {
	case what.Hang:
		return
	case what.Close == "before-headers", what.Reset == "before-headers":
		r.cut(reused, what)
		return
	case what.Garbage, what.Reset == "in-headers":
		r.fail()
		return
	case r.step.WebSocket && what.Accept:
		r.f.at(r.f.now+what.WSDelay, func() { r.decide(resultSuccess); r.end(foretoldAnswer{status: http.StatusSwitchingProtocols}) })
		return
	}
	status := cmp.Or(what.Status, 200)
	isFailure := func(s plan.StatusRange) bool { return s.Contains(status) }
	if slices.ContainsFunc(r.route.Failures.StatusCodes, isFailure) {
		r.decide(resultFailure)
	} else {
		r.decide(resultSuccess)
	}
	r.body(what, status)
}

// cut is a connection that ends before any byte of the answer.
func (r *foretoldRequest) cut(reused bool, what *traceScript) {
	method := cmp.Or(r.route.Backend.Method, r.step.Method, "GET")
	again := reused && r.sent == 1 && slices.Contains([]string{"GET", "HEAD", "OPTIONS", "TRACE"}, method)
	if r.f.rules.HiddenResend {
		again = r.sent < 4 && what.Close != "" && r.step.Body == "" && r.step.BodyBytes == 0
	}
	if again {
		r.send()
		return
	}
	r.fail()
}

// fail is a connection that failed.
func (r *foretoldRequest) fail() { r.failWith(http.StatusBadGateway) }

// failWith is an error that counts as one of the connection.
func (r *foretoldRequest) failWith(status int) {
	if r.route.Failures.TransportErrors == plan.Success {
		r.decide(resultSuccess)
	}
	r.decide(resultFailure)
	r.end(foretoldAnswer{status: status, ofCircle: true, down: true})
}

// body is what follows the headers.
func (r *foretoldRequest) body(what *traceScript, status int) {
	f := r.f
	text := fmt.Sprintf("upstream %s %d", r.up, status)
	if what.Body != nil {
		text = *what.Body
	}
	a := foretoldAnswer{status: status, body: text}
	if cmp.Or(r.route.Backend.Method, r.step.Method) == http.MethodHead || status == 204 || status == 304 {
		a.body = ""
		f.idle[r.up]++
		r.end(a)
		return
	}
	half := min(len(text), len("upstream "))
	switch {
	case what.Close == "in-body", what.Reset == "in-body":
		a.body, a.partial = text[:half], !(f.rules.TruncatedBody && what.Chunked)
		r.end(a)
		return
	case what.BodyDelay > 0:
		r.partial = &foretoldAnswer{status: status, body: text[:half], partial: true, aborted: true}
		f.at(f.now+what.BodyDelay, func() {
			if !r.ended {
				f.idle[r.up]++
			}
			r.end(a)
		})
		return
	}
	f.idle[r.up]++
	r.end(a)
}
