package guard_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/plan"
)

func known(name string) *plan.Authentication { return &plan.Authentication{Schemes: []string{name}} }

func TestNamesWhatItCannotEnforce(t *testing.T) {
	claim := &plan.Claims{Required: []plan.ClaimRequirement{{Type: "a", Value: "b"}}}
	for name, tt := range map[string]struct {
		route plan.Route
		want  string // settings, and a piece of the first reason
		why   string
	}{
		"a scheme":               {plan.Route{Authentication: known("Other")}, "authentication", `"Other"`},
		"one of two schemes":     {plan.Route{Authentication: &plan.Authentication{Schemes: []string{"TestA", "testa"}}}, "authentication", `"testa"`},
		"claims of nobody":       {plan.Route{Authentication: known("Other"), Claims: claim}, "authentication claims", `"Other"`},
		"handlers":               {plan.Route{Handlers: []string{"H1", "H2"}}, "handlers", `"H1", "H2"`},
		"a balancer":             {plan.Route{LoadBalancer: plan.LoadBalancer{Type: "roundrobin"}}, "load-balancer", `"roundrobin"`},
		"an address":             {plan.Route{ClientIPs: &plan.ClientIPs{Allowed: []string{"abc"}}}, "client-ips", `IPAllowedList holds "abc"`},
		"a scheme that is known": {plan.Route{Authentication: known("TestA"), Claims: claim}, "", ""},
		"claims without schemes": {plan.Route{Claims: claim}, "", ""},
		"Ocelot's balancers":     {plan.Route{LoadBalancer: plan.LoadBalancer{Type: "LeastConnection"}}, "", ""},
		"nothing":                {plan.Route{}, "", ""},
	} {
		_, missing, err := guard.New(testOptions()).Guards(&plan.Plan{}, &tt.route)
		if err != nil {
			t.Fatal(err)
		}
		var settings []string
		for _, m := range missing {
			settings = append(settings, m.Setting)
		}
		if got := strings.Join(settings, " "); got != tt.want || got != "" && !strings.Contains(missing[0].Reason, tt.why) {
			t.Errorf("%s: got %q, %v", name, got, missing)
		}
	}
}

// A route that is refused keeps its requests: no other route takes them, not
// one that would let everybody in.
func TestARefusedRouteIsNotServedByAnother(t *testing.T) {
	routes := func() []plan.Route {
		return []plan.Route{
			{Match: plan.Match{Path: "/secret/{x}", Priority: 1}, Authentication: known("Other")},
			{Match: plan.Match{Path: "/{all}"}, Backend: plan.Backend{Path: "/{all}"}},
		}
	}
	g := start(t, testOptions(), nil, routes()...)
	g.expect("/secret/1", 503, "", "Authorization: Other u")
	g.expect("/open", 200, "")
	if n := g.asked.Load(); n != 1 {
		t.Errorf("%d requests reached the backend", n)
	}
	refused := g.Refused()
	if len(refused) != 1 || refused[0].ID != "/secret/{x}" || refused[0].Unenforced[0].Setting != "authentication" {
		t.Errorf("got %+v", refused)
	}
	lifted := start(t, testOptions(), []string{"authentication"}, routes()...)
	lifted.expect("/secret/1", 200, "")
	if len(lifted.Refused()) != 0 {
		t.Errorf("got %+v", lifted.Refused())
	}
	other := start(t, testOptions(), []string{"claims", "handlers"}, routes()...)
	other.expect("/secret/1", 503, "")
}

// A setting that is written so that nothing can read it was meant to keep
// somebody out.
func TestWhatCannotBeReadIsNotServed(t *testing.T) {
	unread := plan.Route{Unread: []plan.Unread{{Setting: "client-ips", Name: "IPAllowedList", At: "ocelot.json:9:40"}}}
	g := start(t, testOptions(), nil, unread)
	g.expect("/r0/1", 503, "")
	const want = "IPAllowedList at ocelot.json:9:40 cannot be read, so that the route would be more open than it was meant"
	if got := g.Refused()[0].Unenforced[0]; got.Setting != "client-ips" || got.Reason != want {
		t.Errorf("got %+v", got)
	}
	start(t, testOptions(), []string{"client-ips"}, unread).expect("/r0/1", 200, "")
}

// Whoever lifts one setting still has the others enforced.
func TestLiftingOneSettingKeepsTheOthers(t *testing.T) {
	g := start(t, testOptions(), []string{"handlers", "authentication"},
		plan.Route{Handlers: []string{"H"}, ClientIPs: &plan.ClientIPs{Blocked: []string{"127.0.0.1"}}},
		plan.Route{Authentication: &plan.Authentication{Schemes: []string{"Other", "TestA"}}},
		plan.Route{Authentication: known("Other"), Claims: &plan.Claims{Required: []plan.ClaimRequirement{{Type: "a", Value: "b"}}}})
	g.expect("/r0/1", 403, "")
	g.expect("/r1/1", 401, "", "Authorization: Other u")
	g.expect("/r1/1", 200, "", "Authorization: TestA u")
	g.expect("/r2/1", 503, "")
}

func TestAggregatesFailClosed(t *testing.T) {
	for name, change := range map[string]func(*plan.Plan){
		"a member that is refused": func(p *plan.Plan) { p.Routes[1].Authentication = known("Other") },
		"shared cookies":           func(p *plan.Plan) { p.Routes[1].Backend.Handler.Cookies = true },
		"an aggregator":            func(p *plan.Plan) { p.Aggregates[0].Aggregator = "Mine" },
		"a JSONPath": func(p *plan.Plan) {
			p.Aggregates[0].Members[1].JSONPath = "$["
			p.Aggregates[0].Members[1].Parameter = "x"
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := aggregated(t, testOptions(), change)
			g.expect("/a/1", 503, "")
			if n := g.asked.Load(); n != 0 {
				t.Errorf("%d requests reached the backend", n)
			}
			last := g.Refused()[len(g.Refused())-1]
			if last.ID != "/a/{x}" {
				t.Errorf("got %+v", g.Refused())
			}
		})
	}
}

// No difference has two names, and each says what both do.
func TestDifferences(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range guard.Differences() {
		if seen[d.ID] || d.Ocelot == "" || d.Margay == "" {
			t.Errorf("%+v", d)
		}
		seen[d.ID] = true
	}
}
