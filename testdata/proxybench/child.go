package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/signal"
	stdruntime "runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/listen"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// child runs a role until it is interrupted.
func child(role, backend string, s settings) error {
	handler, err := handlerOf(role, backend, s)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	if s.profile != "" {
		f, err := os.Create(s.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	if role == "backend" || role == "bare" {
		go func() { _ = http.Serve(l, handler) }()
	} else {
		debug.SetGCPercent(200) // as serve does, and
		stdruntime.GOMAXPROCS((3*stdruntime.GOMAXPROCS(0) + 1) / 2)
		server := listen.New(l, handler, listen.Options{})
		go func() { _ = server.Serve() }()
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt)
	<-stop
	return nil
}

func handlerOf(role, backend string, s settings) (http.Handler, error) {
	switch role {
	case "backend":
		body := strings.Repeat("x", s.body)
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }), nil
	case "bare":
		return bare(backend), nil
	case "margay":
		return proxy.New(planOf(backend, s.routes, qos(time.Second)), proxy.Options{})
	case "margay-library":
		return proxy.New(planOf(backend, s.routes, qos(time.Second)), proxy.Options{Library: true})
	case "margay-noqos":
		return proxy.New(planOf(backend, s.routes, func(*plan.Route) {}), proxy.Options{})
	}
	return nil, fmt.Errorf("role %q is unknown", role)
}

// bare is the library's reverse proxy with a tuned transport.
func bare(backend string) http.Handler {
	target := &url.URL{Scheme: "http", Host: backend}
	return &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport: &http.Transport{MaxIdleConnsPerHost: 1024, DisableCompression: true},
	}
}

// planOf is a plan with as many routes as the load asks for.
func planOf(backend string, routes int, change func(*plan.Route)) *plan.Plan {
	host, port, _ := net.SplitHostPort(backend)
	number, _ := strconv.Atoi(port)
	p := &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}}
	for i := range routes {
		r := plan.Route{
			ID: fmt.Sprintf("GET /api/v1/resource%d/items/{id}", i), Name: fmt.Sprintf("resource%d", i),
			Match: plan.Match{Kind: plan.Static, Methods: []string{"GET"}, Path: fmt.Sprintf("/api/v1/resource%d/items/{id}", i), Priority: 1},
			Backend: plan.Backend{Scheme: "http", Hosts: []plan.Host{{Name: host, Port: number}},
				Path: fmt.Sprintf("/v1/resource%d/{id}", i)},
			Failures: plan.Failures{StatusCodes: []plan.StatusRange{{First: 500, Last: 508}}, TransportErrors: plan.Failure},
		}
		change(&r)
		p.Routes = append(p.Routes, r)
	}
	return p
}

// qos gives routes a breaker and both timeouts.
func qos(breakDuration time.Duration) func(*plan.Route) {
	return func(r *plan.Route) {
		r.OuterTimeout = new(plan.Millis(90000))
		r.AttemptTimeout = 5000
		r.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 10, BreakDuration: plan.Millis(breakDuration.Milliseconds())}
	}
}
