package plan_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
)

func ExampleDecode() {
	_, err := plan.Decode(strings.NewReader(`{
		"version": "1.0",
		"profile": {"provider": "builtin"},
		"routes": [{
			"id": "GET /orders/{id}",
			"match": {"kind": "static", "methods": ["GET"], "path": "/orders/{id}"},
			"backend": {"hosts": [{"host": "orders", "port": 80}], "path": "/{id}"},
			"failures": {"statusCodes": ["500-508"], "transportErrors": "failure"},
			"breaker": {"kind": "consecutive", "minimumThroughput": 0, "breakDuraton": 5000}
		}]
	}`))
	fmt.Println(err)
	// Output:
	// invalid plan, 3 problems:
	//   routes[0].breaker.breakDuraton: unknown member in version 1.0
	//   routes[0].breaker.minimumThroughput: got 0, expected 1 to 2147483647
	//   routes[0].breaker.breakDuration: got 0, expected 1 to 9223372036854
}

func ExamplePlan_Encode() {
	p := &plan.Plan{
		Version: plan.Version,
		Profile: plan.Profile{Provider: plan.Builtin},
		Routes: []plan.Route{{
			ID:      "GET /orders",
			Match:   plan.Match{Kind: plan.Static, Methods: []string{"GET"}, Path: "/orders"},
			Backend: plan.Backend{Hosts: []plan.Host{{Name: "orders", Port: 80}}, Path: "/"},
			Failures: plan.Failures{
				StatusCodes:     []plan.StatusRange{{First: 500, Last: 508}},
				TransportErrors: plan.Failure,
			},
			Breaker: &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 3, BreakDuration: 5000},
		}},
	}
	if err := p.Encode(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {
	//   "version": "1.0",
	//   "profile": {
	//     "provider": "builtin"
	//   },
	//   "routes": [
	//     {
	//       "id": "GET /orders",
	//       "match": {
	//         "kind": "static",
	//         "methods": [
	//           "GET"
	//         ],
	//         "path": "/orders"
	//       },
	//       "backend": {
	//         "hosts": [
	//           {
	//             "host": "orders",
	//             "port": 80
	//           }
	//         ],
	//         "path": "/"
	//       },
	//       "failures": {
	//         "statusCodes": [
	//           "500-508"
	//         ],
	//         "transportErrors": "failure"
	//       },
	//       "breaker": {
	//         "kind": "consecutive",
	//         "minimumThroughput": 3,
	//         "breakDuration": 5000
	//       }
	//     }
	//   ]
	// }
}
