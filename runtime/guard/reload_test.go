package guard_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// Counters and kept answers outlive a plan (reload-cache).
func TestAReloadForgetsNothing(t *testing.T) {
	g := start(t, testOptions(), nil,
		plan.Route{RateLimit: &plan.RateLimit{Limit: 1, Period: 3_600_000, ClientHeader: "Oc-Client", StatusCode: 429}},
		plan.Route{Cache: &plan.Cache{TTL: 60_000}})
	g.counting()
	g.expect("/r0/1", 200, "1", "Oc-Client: a")
	g.expect("/r1/1", 200, "2")
	next := *g.Plan()
	next.Routes = append([]plan.Route(nil), next.Routes...)
	next.Routes[0].RequestIDHeader = "X-Id"
	if err := g.Swap(&next); err != nil {
		t.Fatal(err)
	}
	g.expect("/r0/1", 429, "", "Oc-Client: a")
	g.expect("/r1/1", 200, "2")
}

// While plans are replaced and clients come from everywhere, a limit is never
// exceeded and nobody gets what another client's credentials brought.
func TestGuardsUnderReloads(t *testing.T) {
	g := start(t, testOptions(), nil, plan.Route{
		RateLimit:      &plan.RateLimit{Limit: 40, Period: 3_600_000, ClientHeader: "Oc-Client", StatusCode: 429, Headers: true},
		Authentication: &plan.Authentication{Schemes: []string{"TestA"}},
		Claims:         &plan.Claims{ToHeaders: []plan.ClaimCopy{{Name: "X-Sub", Claim: "sub"}}},
		Cache:          &plan.Cache{TTL: 60_000},
	})
	g.answer = func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("X-Sub")) }
	var admitted [4]atomic.Int32
	var wg sync.WaitGroup
	for client := range admitted {
		wg.Go(func() {
			name := fmt.Sprint("u", client)
			for range 60 {
				resp, body := g.do("GET", "/r0/1", "", "Oc-Client: "+name, "Authorization: TestA "+name)
				switch {
				case resp.StatusCode == 200 && body == name:
					admitted[client].Add(1)
				case resp.StatusCode != 429:
					t.Errorf("%s: got %d %q", name, resp.StatusCode, body)
				}
			}
		})
	}
	for i := range 50 {
		next := *g.Plan()
		next.Routes = append([]plan.Route(nil), next.Routes...)
		next.Routes[0].RequestIDHeader = fmt.Sprint("X-Id-", i%2)
		if err := g.Swap(&next); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
	for client := range admitted {
		if n := admitted[client].Load(); n != 40 {
			t.Errorf("client %d: %d requests were admitted, want 40", client, n)
		}
	}
}
