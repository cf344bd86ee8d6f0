package proxy_test

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// safely holds what the proxy did against breakers that are told the outcomes
// of the same requests at the same times, by the rules of the safe profile: an
// outcome counts once, when the headers are here, and what the client did
// itself counts not at all. It returns where they disagree on who is let
// through; empty if nowhere. It must run on a clock of its own.
func safely(p *plan.Plan, records []proxy.Record) string {
	circuits := map[string]*modelled{}
	var events []modelEvent
	for i := range records {
		r := &records[i]
		at := slices.IndexFunc(p.Routes, func(of plan.Route) bool { return of.ID == r.Route })
		if at < 0 || p.Routes[at].Breaker == nil || r.Attempts == 0 && r.Reason != telemetry.ReasonCircuitOpen {
			continue
		}
		route := &p.Routes[at]
		key := route.ID + " " + r.Service
		if route.Circuit != "" {
			key = route.Circuit
		}
		if circuits[key] == nil {
			circuits[key] = &modelled{breaker: newModel(route), route: route}
		}
		m := &modelRequest{circuit: circuits[key], record: r}
		events = append(events, modelEvent{at: r.Start, begin: true, request: m})
		if r.Reason != telemetry.ReasonCircuitOpen {
			events = append(events, modelEvent{at: r.Start.Add(outcomeAfter(r)), request: m})
		}
	}
	slices.SortStableFunc(events, func(a, b modelEvent) int { return cmp.Or(a.at.Compare(b.at), rejectedLast(a)-rejectedLast(b)) })
	return playModel(events)
}

// outcomeAfter is when the outcome of a request was known.
func outcomeAfter(r *proxy.Record) time.Duration {
	if headersCame(r) {
		return r.Headers
	}
	return r.Duration
}

// headersCame reports whether the backend answered, whatever became of the body.
func headersCame(r *proxy.Record) bool {
	return r.Err == nil || r.Status != 0 && r.Status != 499 && r.Status != 502 && r.Reason == telemetry.ReasonTransport
}

// rejectedLast puts those who were turned away behind who came with them.
func rejectedLast(e modelEvent) int {
	if e.request.record.Reason == telemetry.ReasonCircuitOpen {
		return 1
	}
	return 0
}

type modelled struct {
	breaker *breaker.Breaker
	route   *plan.Route
}

type modelRequest struct {
	circuit *modelled
	record  *proxy.Record
	permit  breaker.Permit
}

type modelEvent struct {
	at      time.Time
	begin   bool
	request *modelRequest
}

// together reports whether another request of the circuit came at the same
// moment and was let through.
func (r *modelRequest) together(events []modelEvent) bool {
	return slices.ContainsFunc(events, func(e modelEvent) bool {
		return e.begin && e.request != r && e.request.circuit == r.circuit && e.at.Equal(r.record.Start) &&
			e.request.record.Reason != telemetry.ReasonCircuitOpen
	})
}

func newModel(r *plan.Route) *breaker.Breaker {
	b := r.Breaker
	switch b.Kind {
	case plan.Consecutive:
		return breaker.New(breaker.Consecutive{MinimumThroughput: b.MinimumThroughput, BreakDuration: b.BreakDuration.Duration()})
	case plan.Ratio:
		return breaker.New(breaker.Ratio{FailureRatio: b.FailureRatio, MinimumThroughput: b.MinimumThroughput,
			SamplingDuration: b.SamplingDuration.Duration(), BreakDuration: b.BreakDuration.Duration()})
	}
	return breaker.New(breaker.Polly{FailureRatio: b.FailureRatio, MinimumThroughput: b.MinimumThroughput,
		SamplingDuration: b.SamplingDuration.Duration(), BreakDuration: b.BreakDuration.Duration()})
}

func playModel(events []modelEvent) string {
	if len(events) == 0 {
		return ""
	}
	start, first := time.Now(), events[0].at
	for _, e := range events {
		time.Sleep(time.Until(start.Add(e.at.Sub(first))))
		r := e.request
		if !e.begin {
			r.permit.Report(breaker.Outcome{Result: outcomeOf(r.circuit.route, r.record), Status: r.record.Status})
			continue
		}
		permit, err := r.circuit.breaker.Acquire()
		r.permit = permit
		if err == nil && r.record.Reason == telemetry.ReasonCircuitOpen && r.together(events) {
			permit.Report(breaker.Outcome{Result: breaker.Ignored}) // who of them came first nobody knows
			continue
		}
		if rejected := r.record.Reason == telemetry.ReasonCircuitOpen; rejected != (err != nil) {
			return fmt.Sprintf("%s at %v: rejected %v, the model says %v", r.record.Target, e.at.Sub(first), rejected, err)
		}
	}
	return ""
}

// outcomeOf judges a request by the rules.
func outcomeOf(route *plan.Route, r *proxy.Record) breaker.Result {
	switch r.Reason {
	case telemetry.ReasonAttemptTimeout, telemetry.ReasonTotalTimeout:
		return breaker.Failure
	case telemetry.ReasonCancelled:
		return breaker.Ignored
	case telemetry.ReasonTransport:
		if headersCame(r) {
			break // the body broke off
		}
		if route.Failures.TransportErrors == plan.Success {
			return breaker.Success
		}
		return breaker.Failure
	}
	isFailure := func(s plan.StatusRange) bool { return s.Contains(r.Status) }
	if slices.ContainsFunc(route.Failures.StatusCodes, isFailure) {
		return breaker.Failure
	}
	return breaker.Success
}
