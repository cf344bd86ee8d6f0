package admin_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/admin"
	"github.com/margay-dev/margay/runtime/plan"
)

func TestStateFollowsTheCalls(t *testing.T) {
	f := newFixture(t, protected("/a"), unprotected("/b"))
	h := admin.New(f.options)
	f.ask("/a")
	f.turn("status=500")
	f.ask("/a")
	f.ask("/a")
	f.ask("/a")
	f.ask("/b")
	rows := rowsOf(t, h)
	a, b := rows["/a"], rows["/b"]
	if a.Circuit == nil || a.Circuit.State != "open" || a.Circuit.Until == "" || a.Circuit.Failures != 2 {
		t.Errorf("got circuit %+v, want it open after 2 failures", a.Circuit)
	}
	if a.Calls != 3 || a.Failures != 2 || a.Rejected != 1 || a.Opened != 1 {
		t.Errorf("got %+v, want 3 calls, 2 failed, 1 rejected, opened once", a)
	}
	if a.LastFailure == nil || a.LastFailure.Reason != "status" || a.LastFailure.Status != 500 {
		t.Errorf("got last failure %+v", a.LastFailure)
	}
	if b.Circuit != nil || b.Calls != 1 || b.Failures != 1 {
		t.Errorf("got %+v of a route without a breaker", b)
	}
}

func TestAttemptTimeoutsAreCounted(t *testing.T) {
	slow := protected("/slow")
	slow.AttemptTimeout = 50
	f := newFixture(t, slow)
	f.turn("hang-rate=1")
	f.ask("/slow")
	if got := rowsOf(t, admin.New(f.options))["/slow"]; got.AttemptTimeouts != 1 || got.LastFailure.Reason != "attempt-timeout" {
		t.Errorf("got %+v", got)
	}
}

func TestMovingBreakers(t *testing.T) {
	f := newFixture(t, protected("/a"), unprotected("/b"))
	var log bytes.Buffer
	f.options.Logger = slog.New(slog.NewTextHandler(&log, nil))
	h := admin.New(f.options)
	bearer := []string{"Authorization", "Bearer " + token}
	for _, step := range []struct {
		target string
		header []string
		want   int
		then   int
	}{
		{"/api/isolate" + query("/a"), nil, 401, 200},
		{"/api/isolate" + query("/a"), []string{"Authorization", "Bearer wrong"}, 401, 200},
		{"/api/isolate" + query("/a"), []string{"Authorization", "Basic " + token}, 401, 200},
		{"/api/isolate" + query("/b"), bearer, 404, 200},
		{"/api/isolate" + query("/a"), append([]string{"Sec-Fetch-Site", "cross-site"}, bearer...), 403, 200},
		{"/api/isolate" + query("/a"), append([]string{"Origin", "http://127.0.0.1:9"}, bearer...), 403, 200},
		{"/api/isolate" + query("/a"), append([]string{"Origin", "http://127.0.0.1:8081"}, bearer...), 200, 503},
		{"/api/reset" + query("/a"), bearer, 200, 200},
	} {
		if status, body := do(h, "POST", step.target, step.header...); status != step.want {
			t.Errorf("%s with %q: got %d %s, want %d", step.target, step.header, status, body, step.want)
		}
		if got := f.ask("/a"); got != step.then {
			t.Errorf("after %s with %q: the route answers %d, want %d", step.target, step.header, got, step.then)
		}
	}
	if !strings.Contains(log.String(), `msg="circuit isolated by hand" route=/a`) || strings.Contains(log.String(), token) {
		t.Errorf("got the log %s", &log)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	r := protected("/a")
	r.RequestHeaders = []plan.HeaderTransform{
		{Name: "X-Api-Key", Kind: plan.SetHeader, Value: "hunter2"}, {Name: "X-Id", Kind: plan.SetHeader, Value: "visible hunter3"},
		{Name: "Authorization", Kind: plan.SetHeader, Value: "{RemoteIpAddress}"},
	}
	r.RateLimit = &plan.RateLimit{Limit: 1, Period: 1000, StatusCode: 429, ExemptClients: []string{"hunter4"}}
	r.Match.Headers = []plan.HeaderMatch{{Name: "X-Api-Key", Template: "hunter5"}}
	f := newFixture(t, r)
	f.options.Mask = strings.NewReplacer("hunter3", "***").Replace
	h := admin.New(f.options)
	for _, target := range []string{"/api/plan", "/api/route?id=/a"} {
		status, body := do(h, "GET", target)
		if status != 200 || strings.Contains(body, "hunter") || !strings.Contains(body, "visible ***") || !strings.Contains(body, "{RemoteIpAddress}") {
			t.Errorf("%s: got %d %s", target, status, body)
		}
	}
	if got := f.proxy.Plan().Routes[0].RequestHeaders[0].Value; got != "hunter2" {
		t.Errorf("masking changed the plan: %q", got)
	}
}

func TestRefusedRoutesSayWhy(t *testing.T) {
	r := protected("/a")
	r.Authentication = &plan.Authentication{Schemes: []string{"Bearer"}}
	f := newFixture(t, r, protected("/b"))
	rows := rowsOf(t, admin.New(f.options))
	if !strings.Contains(rows["/a"].Refused, "authentication") || rows["/b"].Refused != "" {
		t.Errorf("got %q and %q", rows["/a"].Refused, rows["/b"].Refused)
	}
}

// TestReadiness is 503 while the gateway stops.
func TestReadiness(t *testing.T) {
	f := newFixture(t, protected("/a"))
	ready := true
	f.options.Ready = func() bool { return ready }
	h := admin.New(f.options)
	if status, _ := do(h, "GET", "/readyz"); status != 200 {
		t.Errorf("got %d", status)
	}
	ready = false
	if status, _ := do(h, "GET", "/readyz"); status != 503 {
		t.Errorf("got %d want 503", status)
	}
	if status, _ := do(h, "GET", "/healthz"); status != 200 {
		t.Errorf("health: got %d", status)
	}
}

// TestServicesAreCountedApart although one route stands for all that are not
// listed. Clients may invent them, so their number is bounded.
func TestServicesAreCountedApart(t *testing.T) {
	all := protected("*")
	all.Match = plan.Match{Kind: plan.Unlisted}
	f := newFixture(t, all)
	f.options.Logger = slog.New(slog.DiscardHandler)
	call := func(service string, err error) {
		_ = f.proxy.Pipelines().Service(service).Run(t.Context(), func(context.Context) error { return err })
	}
	call("orders", nil)
	call("orders", errBroken)
	call("stock", nil)
	call("b\xff", nil)
	h := admin.New(f.options)
	rows := rowsOf(t, h)
	if o, s := rows["service orders"], rows["service stock"]; o.Calls != 2 || o.Failures != 1 || s.Calls != 1 || s.Failures != 0 {
		t.Errorf("got %+v and %+v", o, s)
	}
	if b := rows["service b\uFFFD"]; b.Calls != 1 || b.Kind != "service" {
		t.Errorf("a name that is no text: got %+v", b)
	}
	if status, body := do(h, "POST", "/api/isolate"+query("service orders"), "Authorization", "Bearer "+token); status != 200 {
		t.Errorf("got %d %s", status, body)
	}
	for i := range 3000 {
		call(fmt.Sprint("invented", i), nil)
	}
	if rows := rowsOf(t, h); len(rows) != 1001 || rows["service invented2999"].Calls != 1 {
		t.Errorf("got %d rows, want the route and 1000 services", len(rows))
	}
}

func TestReloadsShow(t *testing.T) {
	f := newFixture(t, protected("/a"))
	h := admin.New(f.options)
	f.history.Failed(errBroken)
	if _, body := do(h, "GET", "/api/state"); !strings.Contains(body, errBroken.Error()) {
		t.Errorf("got %s", body)
	}
	if _, body := do(h, "GET", "/metrics"); !strings.Contains(body, "margay_reload_last_successful 0") || !strings.Contains(body, "margay_reload_failures_total 1") {
		t.Errorf("got %s", body)
	}
	f.history.Succeeded()
	if _, body := do(h, "GET", "/api/state"); strings.Contains(body, errBroken.Error()) {
		t.Errorf("got %s", body)
	}
}

func BenchmarkState(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			routes := make([]plan.Route, n)
			for i := range routes {
				routes[i] = protected(fmt.Sprint("/r", i))
			}
			f := newFixture(b, routes...)
			h := admin.New(f.options)
			b.ReportAllocs()
			for b.Loop() {
				do(h, "GET", "/api/state")
			}
		})
	}
}
