package main

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/guard/bearer"
	"github.com/margay-dev/margay/runtime/proxy"
)

// refusals logs which clients are turned away, and why.
type refusals struct {
	logger *slog.Logger
	warned atomic.Pointer[time.Time] // of clients that nobody can recognise
}

// warnEvery is the shortest time between two warnings about the same.
const warnEvery = 30 * time.Second

// add logs one. Clients that are turned away because the keys of their issuer
// cannot be fetched are a fault of the gateway's surroundings, not theirs.
func (r *refusals) add(x *proxy.Exchange, reason error) {
	if errors.Is(reason, bearer.ErrNoKeys) && r.due() {
		r.logger.Warn("clients cannot be recognised", "route", x.Route.ID, "reason", reason)
	}
	r.logger.Debug("client refused", "target", x.Request.URL.Path, "remote", x.Request.RemoteAddr, "reason", reason)
}

func (r *refusals) due() bool {
	last, now := r.warned.Load(), time.Now()
	return (last == nil || now.Sub(*last) >= warnEvery) && r.warned.CompareAndSwap(last, &now)
}
