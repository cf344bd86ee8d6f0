package route_test

import (
	"fmt"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/route"
)

func Example() {
	table, err := route.New(&plan.Plan{Routes: []plan.Route{
		{
			ID:      "GET /orders/{id}",
			Match:   plan.Match{Kind: plan.Static, Path: "/orders/{id}", Methods: []string{"GET"}, Priority: 1},
			Backend: plan.Backend{Path: "/api/v2/orders/{id}"},
		},
		{
			ID:      "/{everything}",
			Match:   plan.Match{Kind: plan.Static, Path: "/{everything}"},
			Backend: plan.Backend{Path: "/{everything}"},
		},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	target, err := route.ParseTarget("/orders/a%20b?page=2")
	if err != nil {
		fmt.Println(err)
		return
	}
	request := route.Request{Method: "GET", Host: "gateway.example", Target: target}
	match, err := table.Match(&request)
	if err != nil {
		fmt.Println(err)
		return
	}
	backend, err := match.BackendTarget(target)
	fmt.Println(match.Route().ID, "->", backend, err)
	for name, value := range match.Values() {
		fmt.Println(name, "=", value)
	}
	for _, c := range table.Explain(&request) {
		fmt.Println(c.Route.ID, c.Verdict)
	}
	// Output:
	// GET /orders/{id} -> /api/v2/orders/a%20b?page=2 <nil>
	// id = a%20b
	// GET /orders/{id} taken
	// /{everything} beaten
}
