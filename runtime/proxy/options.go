package proxy

import (
	"context"
	"net"
	"net/http"

	"github.com/margay-dev/margay/runtime/balance"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// Options are what a plan does not say. The zero value is the default.
type Options struct {
	// Guards returns what stands in front of a route, outermost first, and the
	// settings of the route that it does not enforce. It is called for every
	// route of every plan, before that is in force; an error refuses the plan.
	// Nil: no guards, and every setting of a route that wants one is unenforced.
	Guards func(*plan.Plan, *plan.Route) ([]Guard, []Unenforced, error)
	// Aggregates returns what answers an aggregate: its members are asked by
	// [Exchange.Call]. A nil Guard, or a nil function, refuses the aggregate.
	Aggregates func(*plan.Plan, *plan.Aggregate) (Guard, []Unenforced, error)
	// AllowUnenforced names the settings that may stay unenforced; routes with
	// others are not served. See Unenforced.Setting.
	AllowUnenforced []string

	// Discovery finds the hosts of services that the plan does not list. Nil:
	// nobody does.
	Discovery balance.Discovery

	// Resolver is asked for the names of services. Nil: the system's.
	Resolver balance.Resolver
	// Dial opens the connections to backends. Nil: a net.Dialer does, with 30
	// seconds.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Library sends every request by the standard library's transport, and none
	// by the own one for plain HTTP/1.1.
	Library bool
	// Roundtrips sends requests in place of both, for tests and embedders.
	Roundtrips http.RoundTripper
	// AnyCertificate says that routes which accept every certificate of their
	// backend may do so. Without it such a route is refused.
	AnyCertificate bool
	// Certificates are the client certificates and roots for backends; nil are
	// the system's roots.
	Certificates *Certificates
	// ForwardedHeaders adds X-Forwarded-For, -Host and -Proto, which Ocelot does
	// not, in place of what the client sent under these names.
	ForwardedHeaders bool

	// Observer is told what the strategies do. Nil: nobody.
	Observer telemetry.Observer
	// OnObserverPanic is told when the Observer panics. Nil: nobody.
	OnObserverPanic func(e telemetry.Event, recovered any)
	// Done is told of every request when it is over, on its goroutine. The record
	// may be read until Done returns. Nil: nobody, which costs nothing.
	Done func(ctx context.Context, r *Record)

	// Fallback, MaxServices and Random are those of pipeline.Options.
	Fallback    func(plan.Fallback) (pipeline.Fallback, error)
	MaxServices int
	Random      func() float64
}
