package pipeline

import (
	"net/http"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/health"
	"github.com/margay-dev/margay/runtime/plan"
)

// HostTransport is a round tripper that chooses a host for each attempt. Below a
// pipeline with Hosts it is told what the attempt was to the breaker of the
// route, once, also where the transport panicked, or chaos or a timeout answered
// in its place.
type HostTransport interface {
	http.RoundTripper
	// Judged takes the verdict on the attempt that is over.
	Judged(breaker.Result)
}

// judged is the hosts of a route in use, with what their successors in another
// plan are compared with.
type judged struct {
	hosts    *health.Hosts
	numbers  *plan.Breaker
	failures plan.Failures
}

// hosts returns the hosts of r, which asks for passive health: the old ones where
// they are judged as before, or new ones.
func (h *heir) hosts(r *plan.Route) (*health.Hosts, error) {
	j := h.old.hosts[r.ID]
	if j == nil || !j.fits(r) {
		config, err := breakerConfig(r.PassiveHealth)
		if err != nil {
			return nil, err
		}
		o := health.Options{Breaker: config}
		if e := newEmitter(r.ID, h.options.Observer, h.options.OnObserverPanic); !e.silent {
			o.OnTransition = e.hostTransition
		}
		j = &judged{hosts: health.New(o), numbers: r.PassiveHealth, failures: r.Failures}
	}
	h.next.hosts[r.ID] = j
	h.lease(j.hosts, probeLease(r), false)
	return j.hosts, nil
}

func (j *judged) fits(r *plan.Route) bool {
	own, other := plan.Route{Breaker: j.numbers, Failures: j.failures}, plan.Route{Breaker: r.PassiveHealth, Failures: r.Failures}
	return own.SameBreaker(&other)
}
