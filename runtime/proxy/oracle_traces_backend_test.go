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
)

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
