package guard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// counting makes the backend answer with the number of the request.
func (g *gateway) counting(header ...string) {
	n := 0
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		n++
		for _, line := range header {
			name, value, _ := strings.Cut(line, ": ")
			w.Header().Add(name, value)
		}
		fmt.Fprint(w, n)
	}
}

func TestOutputCache(t *testing.T) {
	rule := &plan.Cache{TTL: 60_000, Header: "x-v"}
	g := start(t, testOptions(), nil, plan.Route{Cache: rule}, plan.Route{Cache: rule}, plan.Route{Cache: &plan.Cache{TTL: 60_000, HashContent: true}})
	g.counting("Set-Cookie: s=1", "X-A: 1")
	first := g.expect("/r0/1", 200, "1")
	second := g.expect("/r0/1", 200, "1")
	if first.Header.Get("Set-Cookie") != "s=1" || second.Header.Get("Set-Cookie") != "" || second.Header.Get("X-A") != "1" {
		t.Errorf("got %v, then %v", first.Header, second.Header)
	}
	g.expect("/r0/%31", 200, "1")
	g.expect("/r0/1?q=1", 200, "2")
	g.expect("/r0/2", 200, "3")
	g.expect("/r1/1", 200, "4")
	g.expect("/r0/1", 200, "5", "X-V: 1")
	g.expect("/r0/1", 200, "5", "X-V: 1")
	if _, body := g.do("POST", "/r0/1", "x"); body != "6" {
		t.Errorf("another method: got %q", body)
	}
	if _, body := g.do("POST", "/r0/1", "y"); body != "6" {
		t.Errorf("another body that does not count: got %q", body)
	}
	for i, tt := range []struct{ body, want string }{{"x", "7"}, {"y", "8"}, {"x", "7"}, {"", "9"}} {
		if _, body := g.do("POST", "/r2/1", tt.body); body != tt.want {
			t.Errorf("hashed content, %d: got %q, want %q", i, body, tt.want)
		}
	}
}

func TestTheBackendStillGetsHashedContent(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{Cache: &plan.Cache{TTL: 60_000, HashContent: true}})
	if _, body := g.do("POST", "/r0/1", "hello"); body != "POST /d/1 hello" {
		t.Errorf("got %q", body)
	}
}

// What one client gets is not given to another.
func TestAnswersToKnownClientsAreNotShared(t *testing.T) {
	rule := &plan.Cache{TTL: 60_000}
	g := start(t, testOptions(), nil,
		plan.Route{Cache: rule, Authentication: &plan.Authentication{Schemes: []string{"TestA"}}},
		plan.Route{Cache: rule},
		plan.Route{Cache: rule, Authentication: &plan.Authentication{Schemes: []string{"TestA"}},
			Claims: &plan.Claims{ToHeaders: []plan.ClaimCopy{{Name: "X-Sub", Claim: "sub"}}}})
	g.counting()
	g.expect("/r0/1", 200, "1", "Authorization: TestA u1")
	g.expect("/r0/1", 200, "2", "Authorization: TestA u2")
	g.expect("/r0/1", 401, "")
	g.expect("/r1/1", 200, "3", "Authorization: u1")
	g.expect("/r1/1", 200, "4", "Cookie: a=1")
	g.expect("/r1/1", 200, "5")
	g.expect("/r1/1", 200, "5")
	g.expect("/r1/1", 200, "5", "Cookie: a=1") // what everybody gets
	g.counting("Cache-Control: public")
	g.expect("/r0/2", 200, "1", "Authorization: TestA u1")
	g.expect("/r0/2", 200, "1", "Authorization: TestA u2")
	g.expect("/r2/2", 200, "2", "Authorization: TestA u1")
	g.expect("/r2/2", 200, "3", "Authorization: TestA u2")
}

// An answer for one client stays with it, though nothing in the request says who
// that is.
func TestPrivateAnswersAreNotShared(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{Cache: &plan.Cache{TTL: 60_000}})
	g.counting("Cache-Control: max-age=60, Private")
	g.expect("/r0/1", 200, "1")
	g.expect("/r0/1", 200, "2", "X-Api-Key: another")
	g.counting("Cache-Control: no-store") // the gateway's own setting counts
	g.expect("/r0/2", 200, "1")
	g.expect("/r0/2", 200, "1")
}

func TestAnswersForSomeAddressesStayWithTheirRoute(t *testing.T) {
	rule := &plan.Cache{TTL: 60_000}
	inside := plan.Route{Match: plan.Match{Path: "/{x}", Headers: []plan.HeaderMatch{{Name: "X-Inside", Template: "yes"}}}, Cache: rule,
		ClientIPs: &plan.ClientIPs{Allowed: []string{"127.0.0.1"}}}
	g := start(t, testOptions(), nil, inside, plan.Route{Match: plan.Match{Path: "/{all}"}, Backend: plan.Backend{Path: "/{all}"}, Cache: rule})
	g.counting()
	g.expect("/1", 200, "1", "X-Inside: yes")
	g.expect("/1", 200, "1", "X-Inside: yes")
	g.expect("/1", 200, "2")
}

func TestAnswersThatVaryAreKeptApart(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{Cache: &plan.Cache{TTL: 60_000}})
	g.counting("Vary: Accept-Language")
	g.expect("/r0/1", 200, "1", "Accept-Language: de")
	g.expect("/r0/1", 200, "2", "Accept-Language: en")
	g.expect("/r0/1", 200, "1", "Accept-Language: de")
	g.expect("/r0/1", 200, "2", "Accept-Language: en")
}

func TestPartsAreNotKept(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{Cache: &plan.Cache{TTL: 60_000}})
	g.counting()
	g.expect("/r0/1", 200, "1", "Range: bytes=0-0")
	g.expect("/r0/1", 200, "2", "If-None-Match: x")
	g.expect("/r0/1", 200, "3")
	g.expect("/r0/1", 200, "3", "Range: bytes=0-0")
}

func TestAnswersOfAnOpenCircuitAreNotKept(t *testing.T) {
	for name, fallback := range map[string]*plan.Fallback{"without": nil, "with a fallback": {StatusCode: 503, Body: "sorry"}} {
		t.Run(name, func(t *testing.T) {
			g := start(t, testOptions(), nil, plan.Route{Cache: &plan.Cache{TTL: 60_000}, Fallback: fallback,
				Breaker: &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 60_000}})
			g.answer = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }
			for i := range 3 {
				g.do("GET", fmt.Sprintf("/r0/%d", i), "")
			}
			if n := g.asked.Load(); n != 2 {
				t.Fatalf("the backend was asked %d times: the circuit should be open", n)
			}
			g.Pipelines().Pipeline("/r0/{x}").Breaker().ForceClose()
			g.counting()
			g.expect("/r0/2", 200, "1")
			g.expect("/r0/2", 200, "1")
			if fallback != nil { // what it said in place of the first answer
				g.expect("/r0/0", 200, "2")
			}
		})
	}
}

func TestATransformSeesTheBackendOfAKeptAnswer(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{Cache: &plan.Cache{TTL: 60_000}, ResponseHeaders: []plan.HeaderTransform{
		{Name: "Location", Kind: plan.ReplaceInside, Find: "{DownstreamBaseUrl}", Value: "https://pub.example"}}})
	g.answer = func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Location", "http://"+r.Host+"/new") }
	for range 2 {
		if got := g.expect("/r0/1", 200, "").Header.Get("Location"); got != "https://pub.example/new" {
			t.Errorf("got %q", got)
		}
	}
	if n := g.asked.Load(); n != 1 {
		t.Errorf("the backend was asked %d times", n)
	}
}

func TestABodyThatBreaksOff(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{Cache: &plan.Cache{TTL: 60_000}})
	g.answer = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		_, _ = w.Write([]byte("half"))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	g.expect("/r0/1", 500, "")
	g.counting()
	g.expect("/r0/1", 200, "1")
}

// TestRoutesKeepTheirOwnAnswers: routes may share a URL, as those that differ in
// a header do, and the members of an aggregate.
func TestRoutesKeepTheirOwnAnswers(t *testing.T) {
	rule := &plan.Cache{TTL: 60_000}
	g := aggregated(t, testOptions(), func(p *plan.Plan) {
		p.Routes[0].Cache, p.Routes[1].Cache = rule, rule
		p.Aggregates[0].Members = p.Aggregates[0].Members[:2]
	})
	g.byPath(map[string]string{"/m1/1": "1", "/m2/1": "2"})
	for range 2 {
		g.expect("/a/1", 200, `{"K1":1,"K2":2}`)
	}
	if n := g.asked.Load(); n != 2 {
		t.Errorf("%d requests reached the backend", n)
	}
}
