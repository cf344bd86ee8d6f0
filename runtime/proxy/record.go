package proxy

import (
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// Record is one request as an access log tells it. Members that do not apply
// are zero.
type Record struct {
	// Start is when the request came, Headers the time until the answer's
	// headers were here, and Duration the time until its last byte was sent.
	Start    time.Time
	Headers  time.Duration
	Duration time.Duration

	// Remote is the address of the client's connection.
	Remote string
	// Proto, Method, Host and Target are those of the request line and header.
	Proto, Method, Host, Target string
	// RequestID is what a guard took for the id of the request, and User for the
	// name of the client.
	RequestID, User string

	// Route is the ID of the route or aggregate; empty when none takes the
	// request. Service, with its namespace and a dot in front, is what a dynamic
	// one was asked for.
	Route, Service string
	// Backend is the scheme and address that was asked last, BackendTarget the
	// path and query.
	Backend, BackendTarget string
	// Attempts is how often the request was sent to a backend.
	Attempts int
	// Circuit is the state of the route's breaker behind the request: "closed",
	// "open", "half-open", "isolated", "recovering"; empty where it has none.
	Circuit string
	// HostCircuit is the state of the backend's own circuit when it was chosen,
	// where passive health judges hosts: "closed", "half-open" for a probe, "open"
	// where every host was failing. HostsSkipped is how many were passed over.
	HostCircuit  string
	HostsSkipped int
	// Timeout is the timeout that ended the request: telemetry.AttemptTimeout or
	// telemetry.TotalTimeout; the zero value is none.
	Timeout telemetry.Strategy
	// Reason says why the request failed; ReasonNone that an answer came.
	Reason telemetry.Reason

	// Status is that of the answer; 499 when the client went away before.
	Status int
	// Received and Sent count the bytes of the bodies from and to the client.
	Received, Sent int64
	// Err is what went wrong, nil if nothing; it may stand beside an answer whose
	// body broke off.
	Err error
}

// finish ends the exchange, also when the handler panics: it tells of the
// request, and keeps the memory for another where nobody else can know of it.
func (x *Exchange) finish() {
	x.release()
	if x.proxy.options.Done != nil {
		x.tell()
	}
	if x.served != nil && x.served.recycles {
		p := x.proxy
		*x = Exchange{}
		p.exchanges.Put(x)
	}
}

func (x *Exchange) tell() {
	r := Record{Start: x.started, Headers: x.headers, Duration: time.Since(x.started),
		Remote: x.Request.RemoteAddr, Proto: x.Request.Proto, Method: x.Request.Method, Host: x.Request.Host,
		Target: x.Request.RequestURI, RequestID: x.RequestID, User: x.User,
		BackendTarget: x.target, Attempts: x.attempts, Status: x.status, Sent: x.sent, Err: x.err}
	switch {
	case x.Route != nil:
		r.Route = x.Route.ID
		if service, namespace := x.Match.Service(); service != "" {
			r.Service = strings.TrimPrefix(namespace+"."+service, ".")
		}
	case x.Aggregate != nil:
		r.Route = x.Aggregate.ID
	}
	if x.backend != nil {
		r.Backend = x.url.Scheme + "://" + x.backend.Address
	}
	if x.choice.Host != nil {
		r.HostCircuit, r.HostsSkipped = x.choice.State.String(), x.choice.Skipped
	}
	if x.received != nil {
		r.Received = x.received.n.Load()
	}
	if x.served != nil && x.served.pipeline != nil {
		if b := x.strategies().Breaker(); b != nil {
			r.Circuit = b.State().String()
		}
	}
	r.Reason, r.Timeout = reasonOf(x.err)
	if x.Request.Context().Err() != nil && r.Status == 0 {
		r.Status, r.Reason = pipeline.StatusClientClosedRequest, telemetry.ReasonCancelled
	}
	x.proxy.options.Done(x.Request.Context(), &r)
}
