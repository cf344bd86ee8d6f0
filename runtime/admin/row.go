package admin

import (
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// row is one route as the page shows it. Rows are compared to find out what has
// changed.
type row struct {
	ID   string `json:"id"`
	Kind string `json:"kind"` // static, dynamic, unlisted, service
	At   string `json:"at,omitempty"`
	// Refused says why the route is not served.
	Refused string `json:"refused,omitempty"`
	// Trouble says what the route suffers from although it is served, such as keys
	// of its authentication scheme that cannot be fetched.
	Trouble string `json:"trouble,omitempty"`
	// Circuit is null where the route has no breaker.
	Circuit circuit `json:"circuit,omitzero"`
	// Hosts are those that passive health judges and that were asked so far;
	// absent where it does not.
	Hosts hostList `json:"hosts,omitempty"`
	// AttemptTimeout is in milliseconds; 0 is none.
	AttemptTimeout int64 `json:"attemptTimeout"`
	// Since the start: Calls that were made, Failures among them, Rejected ones
	// that were not made as the circuit was open, AttemptTimeouts, and how often
	// the circuit Opened.
	Calls           int64 `json:"calls"`
	Failures        int64 `json:"failures"`
	Rejected        int64 `json:"rejected"`
	AttemptTimeouts int64 `json:"attemptTimeouts"`
	Opened          int64 `json:"opened"`
	// LastFailure is null where no call has failed.
	LastFailure lastFailure `json:"lastFailure,omitzero"`
}

// circuit is a breaker.
type circuit struct {
	Kind string `json:"kind"` // consecutive, ratio, polly, expression
	// State is closed, open, half-open, isolated or recovering.
	State string `json:"state"`
	// Until is when the break ends; empty unless open.
	Until string `json:"until,omitempty"`
	// Probing says that the request which decides is on its way.
	Probing bool `json:"probing,omitempty"`
	// Calls and Failures are those in the window; of the kind consecutive the
	// failures in a row, as both.
	Calls    uint64 `json:"calls"`
	Failures uint64 `json:"failures"`
	// Threshold is the number of failures in a row, or of calls, from which on
	// the circuit opens, and Ratio the part of them that has failed then.
	Threshold int     `json:"threshold,omitempty"`
	Ratio     float64 `json:"ratio,omitempty"`
	// Shared names the circuit that several routes have in common.
	Shared string `json:"shared,omitempty"`
}

type lastFailure struct {
	At     string `json:"at"`
	Reason string `json:"reason"`
	Status int    `json:"status,omitempty"`
	Error  string `json:"error,omitempty"`
}

// rows returns all routes in the order of the plan, each service that no route
// lists behind them.
func (a *admin) rows() (of *plan.Plan, rows []row) {
	p := a.Proxy.Plan()
	refused := map[string]string{}
	for _, r := range a.Proxy.Refused() {
		refused[r.ID] = reasons(r)
	}
	troubled, set := a.troubled(), a.Proxy.Pipelines()
	rows = make([]row, 0, len(p.Routes))
	var unlisted *plan.Route
	for i := range p.Routes {
		r := &p.Routes[i]
		if r.Match.Kind == plan.Unlisted {
			unlisted = r
		}
		one := a.row(r, r.ID, set.Pipeline(r.ID))
		one.Refused, one.Trouble = refused[r.ID], troubleOf(r, troubled)
		rows = append(rows, one)
	}
	for i := range p.Aggregates {
		if why := refused[p.Aggregates[i].ID]; why != "" {
			rows = append(rows, row{ID: p.Aggregates[i].ID, Kind: "aggregate", At: p.Aggregates[i].At, Refused: why})
		}
	}
	if unlisted == nil {
		return p, rows
	}
	for name, service := range set.Services() {
		r := a.row(unlisted, telemetry.ServiceRoute(name), service)
		r.Kind, r.Trouble = "service", troubleOf(unlisted, troubled)
		rows = append(rows, r)
	}
	return p, rows
}

func (a *admin) rowOf(id string) row {
	_, rows := a.rows()
	for _, r := range rows {
		if r.ID == id {
			return r
		}
	}
	return row{ID: id}
}

func (a *admin) row(r *plan.Route, id string, p *pipeline.Pipeline) row {
	counted := a.Recorder.peek(id)
	out := row{
		ID: id, Kind: string(r.Match.Kind), At: r.At, AttemptTimeout: int64(r.AttemptTimeout),
		Calls: counted.calls.Load(), Failures: counted.failures.Load(), Rejected: counted.rejected.Load(),
		AttemptTimeouts: counted.attemptTimeouts.Load(), Opened: counted.opened.Load(),
	}
	if last := counted.last.Load(); last != nil {
		out.LastFailure = lastFailure{At: stamp(last.at), Reason: last.reason.String(), Status: last.status}
		if last.err != nil {
			out.LastFailure.Error = a.Mask(last.err.Error())
		}
	}
	if p != nil && p.Breaker() != nil && r.Breaker != nil {
		out.Circuit = circuitOf(r, p.Breaker())
	}
	out.Hosts = hostsOf(p)
	return out
}

func circuitOf(r *plan.Route, b *breaker.Breaker) circuit {
	s := b.Snapshot()
	c := circuit{
		Kind: string(r.Breaker.Kind), State: s.State.String(), Probing: s.ProbeInFlight,
		Calls: s.Counts.Total, Failures: s.Counts.Failures,
		Threshold: r.Breaker.MinimumThroughput, Ratio: r.Breaker.FailureRatio, Shared: r.Circuit,
	}
	if !s.Until.IsZero() {
		c.Until = stamp(s.Until)
	}
	return c
}

// stamp prints a time as programs read it; the page shows it in the reader's
// zone.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
