package guard_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/margay-dev/margay/runtime/guard"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
)

// A proxy with guards limits clients, and refuses what it cannot enforce.
func Example() {
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "orders") }))
	defer backend.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(backend.URL, "http://"), ":")
	number, _ := strconv.Atoi(port)

	to := func(path string) plan.Route {
		return plan.Route{ID: path, Name: path, Match: plan.Match{Kind: plan.Static, Path: path}, Failures: plan.Failures{TransportErrors: plan.Failure},
			Backend: plan.Backend{Scheme: "http", Path: "/", Hosts: []plan.Host{{Name: "127.0.0.1", Port: number}}}}
	}
	limited, private := to("/orders"), to("/private")
	limited.RateLimit = &plan.RateLimit{Limit: 1, Period: 60_000, PeriodText: "1m", ClientHeader: "Oc-Client", StatusCode: 429, Message: "{0} per {1}"}
	private.Authentication = &plan.Authentication{Schemes: []string{"Bearer"}}

	guards := guard.New(guard.Options{})
	gateway, err := proxy.New(&plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}, Routes: []plan.Route{limited, private}},
		proxy.Options{Guards: guards.Guards, Aggregates: guards.Aggregates})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer gateway.Close()
	for _, path := range []string{"/orders", "/orders", "/private"} {
		req := httptest.NewRequest("GET", path, nil)
		req.Header.Set("Oc-Client", "shop")
		answer := httptest.NewRecorder()
		gateway.ServeHTTP(answer, req)
		fmt.Println(path, answer.Code, strconv.Quote(answer.Body.String()))
	}
	for _, r := range gateway.Refused() {
		fmt.Println(r.ID, "is not served:", r.Unenforced[0].Reason)
	}
	// Output:
	// /orders 200 "orders"
	// /orders 429 "1 per 1m"
	// /private 503 ""
	// /private is not served: nothing says who signs the tokens of the scheme "Bearer"
}
