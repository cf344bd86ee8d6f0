// Package admin shows what a running proxy does, and moves its breakers by
// hand.
//
// [New] returns an http.Handler with health and readiness for orchestrators,
// metrics for Prometheus, state and plan as JSON, and a page that follows every
// route's breaker live. It is meant for loopback. Pages of other origins get
// nothing from it, under no name that a resolver can be made to return; moving
// a breaker takes a token, and so does reading where [Options.Guarded] says so.
package admin

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/runtime/reload"
)

// Options are what an admin shows and who may see it. Proxy, Recorder and
// History have to be set.
type Options struct {
	// Proxy is what is shown.
	Proxy *proxy.Proxy
	// Recorder is an observer of the proxy.
	Recorder *Recorder
	// History tells about reloads.
	History *reload.History
	// Ready reports whether new requests are welcome; nil is always.
	Ready func() bool
	// Keys returns what is known of the keys of authentication schemes; nil is
	// nothing.
	Keys func() []guard.SchemeKeys
	// Name is what the user calls the gateway.
	Name string

	// Token is what moves breakers, as "Authorization: Bearer TOKEN"; empty: they
	// cannot be moved.
	Token string
	// Guarded asks for the token before anything is shown but the empty page,
	// health and metrics.
	Guarded bool
	// Hosts are names, besides addresses and localhost, under which the admin may
	// be asked for.
	Hosts []string

	// Words says in plain words what a route gets; nil says nothing.
	Words func(*plan.Route) []string
	// Mask takes secrets out of a text; nil leaves it as it is. Values of headers
	// whose name says that they are secret are never shown.
	Mask func(string) string
	// Collectors are shown as metrics beside those of the process.
	Collectors []prometheus.Collector
	// Logger is told what people do here; nil is nobody.
	Logger *slog.Logger
	// Interval is the time between two looks at the breakers, for those who
	// follow them: 500 ms.
	Interval time.Duration
}

// admin answers the requests.
type admin struct {
	Options
	started time.Time
	board   *board
}

const defaultInterval = 500 * time.Millisecond

// New returns the handler.
func New(o Options) http.Handler {
	if o.Ready == nil {
		o.Ready = func() bool { return true }
	}
	if o.Keys == nil {
		o.Keys = func() []guard.SchemeKeys { return nil }
	}
	if o.Words == nil {
		o.Words = func(*plan.Route) []string { return nil }
	}
	if o.Mask == nil {
		o.Mask = func(text string) string { return text }
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Interval <= 0 {
		o.Interval = defaultInterval
	}
	a := &admin{Options: o, started: time.Now()}
	a.board = newBoard(a.rows, o.Interval)
	return a.handler()
}

func (a *admin) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", a.health)
	mux.HandleFunc("GET /readyz", a.readiness)
	mux.Handle("GET /metrics", a.metrics())
	assets(mux)
	mux.HandleFunc("GET /api/state", a.reading(a.state))
	mux.HandleFunc("GET /api/events", a.reading(a.events))
	mux.HandleFunc("GET /api/plan", a.reading(a.plan))
	mux.HandleFunc("GET /api/route", a.reading(a.route))
	mux.HandleFunc("POST /api/isolate", a.moving("isolated", isolate))
	mux.HandleFunc("POST /api/reset", a.moving("reset", reset))
	return a.guard(mux)
}

func (a *admin) health(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") }

// readiness is about this gateway alone. Where the keys of an issuer cannot be
// fetched it says so and stays ready: every gateway that asks the issuer is as
// badly off, so that to take them all out of service would close the routes too
// that need no keys.
func (a *admin) readiness(w http.ResponseWriter, _ *http.Request) {
	if !a.Ready() {
		plain(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	text := "ready"
	for _, k := range a.Keys() {
		if k.Count == 0 && k.Err != nil {
			text += fmt.Sprintf("\ndegraded: no client of the scheme %q can be recognised", k.Name)
		}
	}
	plain(w, http.StatusOK, text)
}

func (a *admin) metrics() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), reloads{a.History}, keyMetrics(a.Keys), hostMetrics{a})
	registry.MustRegister(a.Collectors...)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(strings.TrimSpace(text) + "\n"))
}
