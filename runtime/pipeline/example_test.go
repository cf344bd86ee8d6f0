package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/retry"
)

// examplePlan is a plan as the compiler writes it, with one route.
const examplePlan = `{
  "version": "1.0",
  "profile": {"provider": "builtin"},
  "routes": [{
    "id": "GET /orders/{id}",
    "name": "/orders/{id}",
    "match": {"kind": "static", "methods": ["GET"], "path": "/orders/{id}"},
    "backend": {"hosts": [{"host": "orders", "port": 80}], "path": "/{id}"},
    "outerTimeout": 90000,
    "failures": {"statusCodes": ["500-508"], "transportErrors": "failure"},
    "breaker": {"kind": "consecutive", "minimumThroughput": 2, "breakDuration": 5000},
    "attemptTimeout": 2000
  }]
}`

// Load a plan, wrap a transport.
func ExampleLoad() {
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }))
	defer backend.Close()

	set, err := pipeline.Load(strings.NewReader(examplePlan), pipeline.Options{AnswerErrors: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := &http.Client{Transport: set.RoundTripper(nil)}

	for range 3 {
		resp, err := client.Get(backend.URL)
		if err != nil {
			fmt.Println(err)
			return
		}
		resp.Body.Close()
		fmt.Println(resp.Status, resp.Header["Retry-After"])
	}
	// Output:
	// 503 Service Unavailable []
	// 503 Service Unavailable []
	// 503 Service Unavailable [5]
}

// A plan is replaced while the program runs; an invalid one changes nothing.
func ExampleSet_Swap() {
	set, _ := pipeline.Load(strings.NewReader(examplePlan), pipeline.Options{})

	next, _ := plan.Decode(strings.NewReader(examplePlan))
	next.Routes[0].AttemptTimeout = 1000
	fmt.Println(set.Swap(next))

	bad, _ := plan.Decode(strings.NewReader(examplePlan))
	bad.Routes[0].Breaker = &plan.Breaker{Kind: plan.Expression, Expression: "NetworkErrorRatio() > half",
		CheckPeriod: 100, FallbackDuration: 1000, RecoveryDuration: 1000, ResponseCode: 503}
	fmt.Println(set.Swap(bad) != nil, set.Plan() == next)
	// Output:
	// <nil>
	// true true
}

// Functions go through the same strategies as requests.
func ExampleDo() {
	retries, _ := retry.New(retry.Options{MaxRetryAttempts: 2})
	p := pipeline.Compose(pipeline.Strategies{
		Retry:          retries,
		Breaker:        breaker.New(breaker.Consecutive{MinimumThroughput: 3}),
		AttemptTimeout: time.Second,
	})

	calls := 0
	price, err := pipeline.Do(context.Background(), p, func(context.Context) (int, error) {
		if calls++; calls < 3 {
			return 0, errors.New("try again")
		}
		return 42, nil
	})
	fmt.Println(price, err, calls)
	// Output: 42 <nil> 3
}

func ExampleAnswerTo() {
	answer := pipeline.AnswerTo(context.DeadlineExceeded, pipeline.Style{Name: "/orders/{id}", ProblemDetails: true})
	fmt.Println(answer.Status, answer.ContentType)

	answer = pipeline.AnswerTo(breaker.ErrIsolated, pipeline.Style{Name: "/orders/{id}", Provider: plan.Builtin})
	fmt.Println(answer.Status, answer.Body)
	// Output:
	// 504 application/problem+json
	// 503 Circuit breaker is open for route -> /orders/{id}
}

// New makes a pipeline of one route, here to look at its breaker.
func ExampleNew() {
	p, _ := plan.Decode(bytes.NewReader([]byte(examplePlan)))
	route, err := pipeline.New(p.Routes[0], pipeline.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	route.Breaker().Isolate()
	err = route.Run(context.Background(), func(context.Context) error { return nil })
	fmt.Println(err, route.Answer(err).Status)
	// Output: breaker: circuit is open: isolated by hand 503
}
