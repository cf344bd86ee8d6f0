package retry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/margay-dev/margay/runtime/budget"
	"github.com/margay-dev/margay/runtime/retry"
)

func ExampleDo() {
	policy, err := retry.New(retry.Options{MaxRetryAttempts: 5, Delay: time.Millisecond, BackoffType: retry.Exponential})
	if err != nil {
		fmt.Println(err)
		return
	}
	calls := 0
	text, err := retry.Do(context.Background(), policy, func(context.Context) (string, error) {
		if calls++; calls < 3 {
			return "", errors.New("busy")
		}
		return "done", nil
	})
	fmt.Println(text, err, calls)
	// Output: done <nil> 3
}

// An executor decides on results too, and tells what it does.
func ExampleExecutor() {
	policy, _ := retry.New(retry.Options{MaxRetryAttempts: 2})
	e := retry.Executor[int]{
		Policy:       policy,
		ShouldHandle: func(_ context.Context, a retry.Attempt[int]) bool { return a.Value < 2 },
		OnRetry: func(_ context.Context, a retry.Attempt[int], _ time.Duration) {
			fmt.Println("attempt", a.Number, "gave", a.Value)
		},
	}
	n := -1
	v, err := e.Do(context.Background(), func(context.Context) (int, error) { n++; return n, nil })
	fmt.Println(v, err)
	// Output:
	// attempt 0 gave 0
	// attempt 1 gave 1
	// 2 <nil>
}

// A client that repeats safe requests, as long as not more than a tenth of its
// requests are retries.
func ExampleNewTransport() {
	backend := func(*http.Request) (*http.Response, error) { // http.DefaultTransport in real life
		fmt.Println("called")
		return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: http.NoBody}, nil
	}
	policy, _ := retry.New(retry.Options{MaxRetryAttempts: 2})
	tenth, _ := budget.New(budget.Options{})
	client := &http.Client{Transport: retry.NewTransport(roundTripper(backend),
		retry.Executor[*http.Response]{Policy: policy, Budget: tenth},
		retry.HTTP{MaxRetryAfter: new(5 * time.Second)})}
	resp, err := client.Get("http://backend/")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.StatusCode)
	// Output:
	// called
	// called
	// called
	// 503
}

func ExamplePolicy_Next() {
	policy, _ := retry.New(retry.Options{Delay: time.Second, BackoffType: retry.Exponential, MaxDelay: new(3 * time.Second)})
	var s retry.State
	for !policy.Last(&s) {
		fmt.Println(policy.Next(&s))
	}
	// Output:
	// 1s
	// 2s
	// 3s
}
