package admin

import (
	"net/http"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/telemetry"
)

func isolate(b *breaker.Breaker) { b.Isolate() }

// reset closes the circuit, whatever its state, and forgets what was counted.
func reset(b *breaker.Breaker) { b.ForceClose() }

// moving returns what moves the breaker of the route that a request names. The
// token stands in a header, which no form of another page can send.
func (a *admin) moving(done string, move func(*breaker.Breaker)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch {
		case a.Token == "":
			plain(w, http.StatusForbidden, "no admin token is set, so breakers cannot be moved")
			return
		case !a.authorized(r):
			a.Logger.Warn("admin token refused", "remote", r.RemoteAddr)
			a.challenge(w)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		id := r.FormValue("route")
		b := a.breaker(id)
		if b == nil {
			plain(w, http.StatusNotFound, "no route of this name has a breaker")
			return
		}
		move(b)
		a.Logger.Warn("circuit "+done+" by hand", "route", id, "remote", r.RemoteAddr)
		a.board.look()
		respond(w, a.rowOf(id))
	}
}

// breaker returns that of a route, or of a service that no route lists; nil if
// there is none.
func (a *admin) breaker(id string) *breaker.Breaker {
	if p := a.Proxy.Pipelines().Pipeline(id); p != nil {
		return p.Breaker()
	}
	for name, p := range a.Proxy.Pipelines().Services() {
		if telemetry.ServiceRoute(name) == id {
			return p.Breaker()
		}
	}
	return nil
}
