package prometheus

import (
	"context"
	"sync/atomic"

	client "github.com/prometheus/client_golang/prometheus"

	"github.com/margay-dev/margay/runtime/telemetry"
)

// ForRoute returns an observer of one route. It keeps the series of calls that
// went well: nearly all events are about those, and finding a series by its
// labels costs more than counting in it.
func (o *Observer) ForRoute(route string) telemetry.Observer {
	return &routeObserver{all: o, route: route}
}

type routeObserver struct {
	all   *Observer
	route string
	good  atomic.Pointer[client.Observer] // nil: no call went well yet
}

func (o *routeObserver) Observe(ctx context.Context, e telemetry.Event) {
	if e.Kind != telemetry.PipelineExecuted || e.Reason != telemetry.ReasonNone {
		o.all.Observe(ctx, e)
		return
	}
	series := o.good.Load()
	if series == nil {
		found := o.all.calls.WithLabelValues(o.all.routes.Of(o.route), e.Reason.String())
		series = &found
		o.good.Store(series)
	}
	(*series).Observe(e.Duration.Seconds())
}
