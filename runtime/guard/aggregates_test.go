package guard_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/plan"
)

// aggregated serves /a/{x} with the answers of routes that lead to /m1/{x},
// /m2/{x} and so on, and are called K1, K2, …
func aggregated(t testing.TB, o guard.Options, change func(*plan.Plan)) *gateway {
	t.Helper()
	p := plan.Plan{Aggregates: []plan.Aggregate{{ID: "/a/{x}", Match: plan.Match{Kind: plan.Static, Path: "/a/{x}"}}}}
	for i := range 3 {
		name := fmt.Sprintf("/m%d/{x}", i+1)
		p.Routes = append(p.Routes, plan.Route{Match: plan.Match{Path: name}, Backend: plan.Backend{Path: name}})
		p.Aggregates[0].Members = append(p.Aggregates[0].Members, plan.Member{Route: name, Key: fmt.Sprint("K", i+1)})
	}
	p.Aggregates[0].Members = p.Aggregates[0].Members[:2]
	if change != nil {
		change(&p)
	}
	return startPlan(t, o, nil, p)
}

// byPath makes the backend answer by path; a status may stand in front.
func (g *gateway) byPath(answers map[string]string) {
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		text := answers[r.URL.Path]
		var status int
		if n, _ := fmt.Sscanf(text, "%d:", &status); n == 1 && status >= 100 {
			_, text, _ = strings.Cut(text, ":")
			w.WriteHeader(status)
		}
		if text == "abort" {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, text)
	}
}

func TestAggregate(t *testing.T) {
	g := aggregated(t, testOptions(), nil)
	for _, tt := range []struct {
		first, second string
		status        int
		want          string
	}{
		{`{"a":1}`, `[2]`, 200, `{"K1":{"a":1},"K2":[2]}`},
		{"plain", "", 200, `{"K1":"plain","K2":null}`},
		{"404:nf", `500:{"e":1}`, 200, `{"K1":{"title":"Not Found","status":404,"detail":"nf"},"K2":{"e":1}}`},
		{"1", "abort", 502, ""},
	} {
		g.byPath(map[string]string{"/m1/1": tt.first, "/m2/1": tt.second})
		resp := g.expect("/a/1", tt.status, tt.want)
		if tt.status == 200 && resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("got %v", resp.Header)
		}
	}
	if resp, _ := g.do("POST", "/none", ""); resp.StatusCode != 404 {
		t.Errorf("got %d", resp.StatusCode)
	}
}

func TestMembersAreCalledAtTheSameTime(t *testing.T) {
	g := aggregated(t, testOptions(), nil)
	var both sync.WaitGroup
	both.Add(2)
	g.answer = func(w http.ResponseWriter, _ *http.Request) {
		both.Done()
		both.Wait() // for ever, were they called one after the other
		fmt.Fprint(w, 1)
	}
	done := time.AfterFunc(time.Minute, func() { panic("the members are called one after the other") })
	defer done.Stop()
	g.expect("/a/1", 200, `{"K1":1,"K2":1}`)
}

func TestEveryMemberGetsTheBody(t *testing.T) {
	g := aggregated(t, testOptions(), nil)
	large := strings.Repeat("x", 300_000)
	for _, body := range []string{"hello", large} {
		var got sync.Map
		g.answer = func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, 1) }
		g.bodies = &got
		// A body of unknown length comes in chunks.
		req, err := http.NewRequestWithContext(t.Context(), "POST", g.front.URL+"/a/1", io.MultiReader(strings.NewReader(body)))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		for _, path := range []string{"/m1/1", "/m2/1"} {
			if v, _ := got.Load(path); v != body {
				t.Errorf("%s got %.20q", path, v)
			}
		}
	}
}

func TestABodyThatIsTooLargeForMembers(t *testing.T) {
	o := testOptions()
	o.MaxBufferedBody = 10
	g := aggregated(t, o, nil)
	if resp, _ := g.do("POST", "/a/1", "more than ten bytes"); resp.StatusCode != 413 || g.asked.Load() != 0 {
		t.Errorf("got %d", resp.StatusCode)
	}
}

func TestMembersKeepTheirGuards(t *testing.T) {
	g := aggregated(t, testOptions(), func(p *plan.Plan) {
		p.Routes[0].Authentication = &plan.Authentication{Schemes: []string{"TestA"}}
		p.Routes[1].RateLimit = &plan.RateLimit{Limit: 2, Period: 30_000, ClientHeader: "Oc-Client", StatusCode: 429, Message: "quota", Headers: true}
	})
	g.byPath(map[string]string{"/m1/1": "1", "/m2/1": "2"})
	g.expect("/a/1", 401, "", "Oc-Client: a")
	ok := g.expect("/a/1", 200, `{"K1":1,"K2":2}`, "Oc-Client: a", "Authorization: TestA u")
	if ok.Header.Get("X-RateLimit-Limit") != "2" || ok.Header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("got %v", ok.Header)
	}
	if over := g.expect("/a/1", 429, "quota", "Oc-Client: a", "Authorization: TestA u"); over.Header.Get("Retry-After") != "" {
		t.Errorf("got %v", over.Header)
	}
}

func TestOneMemberIsPassedThrough(t *testing.T) {
	g := aggregated(t, testOptions(), func(p *plan.Plan) { p.Aggregates[0].Members = p.Aggregates[0].Members[:1] })
	g.answer = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-A", "1")
		w.WriteHeader(201)
		fmt.Fprint(w, "one")
	}
	if resp := g.expect("/a/1", 201, "one"); resp.Header.Get("X-A") != "1" {
		t.Errorf("got %v", resp.Header)
	}
}

func staged(p *plan.Plan) {
	p.Routes[1].Match.Path, p.Routes[1].Backend.Path = "/m2/{id}", "/m2/{id}"
	p.Routes[2].Match.Path, p.Routes[2].Backend.Path = "/m3/{oid}", "/m3/{oid}"
	p.Aggregates[0].Members = []plan.Member{{Route: "/m1/{x}", Key: "K1"},
		{Route: "/m2/{id}", Key: "K2", JSONPath: "$[*].id", Parameter: "id"},
		{Route: "/m3/{oid}", Key: "K3", JSONPath: "$[*].other", Parameter: "oid"}}
}

func TestAnswersSayWhatIsCalledNext(t *testing.T) {
	for _, tt := range []struct {
		recorded, first string
		status          int
		want            string
		calls           int32
	}{
		{"ag-cfg/001", `[{"id":1,"other":"a"},{"id":2,"other":"b"},{"id":1}]`, 200,
			`{"K1":[{"id":1,"other":"a"},{"id":2,"other":"b"},{"id":1}],"K2":["/m2/1","/m2/2"],"K3":["/m3/a","/m3/b"]}`, 5},
		{"ag-cfg/002", `[]`, 200, `[]`, 1},
		{"ag-cfg/003", "not json", 500, "", 1},
		{"ag-cfg/004", "abort", 500, "", 1},
		{"ag-cfg/007", `[{"id":"a b/c"},{"id":null}]`, 200, `{"K1":[{"id":"a b/c"},{"id":null}],"K2":["/m2/a b/c","/m2"]}`, 3},
		{"one value", `[{"id":7}]`, 200, `{"K1":[{"id":7}],"K2":"/m2/7"}`, 2},
	} {
		g := aggregated(t, testOptions(), staged)
		var next atomic.Int32 // calls behind the first
		g.answer = func(w http.ResponseWriter, r *http.Request) {
			switch {
			case !strings.HasPrefix(r.URL.Path, "/m1"):
				next.Add(1)
				fmt.Fprint(w, r.URL.Path)
			case tt.first == "abort":
				panic(http.ErrAbortHandler)
			default:
				fmt.Fprint(w, tt.first)
			}
		}
		g.expect("/a/1", tt.status, tt.want)
		if n := next.Load() + 1; n != tt.calls {
			t.Errorf("%s: got %d calls, want %d", tt.recorded, n, tt.calls)
		}
	}
}

func TestAnAnswerCannotCauseCallsWithoutEnd(t *testing.T) {
	g := aggregated(t, testOptions(), staged)
	g.answer = func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "[")
		for i := range 5000 {
			fmt.Fprintf(w, `{"id":%d},`, i)
		}
		fmt.Fprint(w, `{}]`)
	}
	g.expect("/a/1", 500, "")
	if n := g.asked.Load(); n != 1 {
		t.Errorf("got %d calls", n)
	}
}

// The words of an open circuit are a part of the answer where they are a
// response in Ocelot, and take its place where they are an error.
func TestAnOpenCircuitOfAMember(t *testing.T) {
	for provider, want := range map[plan.Provider]struct {
		status int
		body   string
	}{
		plan.Builtin: {200, `{"K1":{"title":"Service Unavailable","status":503,"detail":"Circuit breaker is open for route -> /m1/{x}"},"K2":2}`},
		plan.Polly:   {503, ""},
	} {
		g := aggregated(t, testOptions(), func(p *plan.Plan) {
			p.Profile.Provider = provider
			p.Routes[0].Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 2, BreakDuration: 60_000}
		})
		var asked atomic.Int32
		g.answer = func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/m1") {
				asked.Add(1)
				w.WriteHeader(500)
				fmt.Fprint(w, "boom")
				return
			}
			fmt.Fprint(w, "2")
		}
		for range 2 {
			g.expect("/a/1", 200, `{"K1":{"title":"Internal Server Error","status":500,"detail":"boom"},"K2":2}`)
		}
		g.expect("/a/1", want.status, want.body)
		if asked.Load() != 2 {
			t.Errorf("%s: the member was asked %d times", provider, asked.Load())
		}
	}
}
