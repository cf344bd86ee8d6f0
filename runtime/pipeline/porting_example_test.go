package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/budget"
	"github.com/margay-dev/margay/runtime/fallback"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// The code of runtime/PORTING.md stands in these examples, word for word; a test
// compares them.

// flakyServer answers with a status the first times and with pong after that.
func flakyServer(failTimes int32, status int) *httptest.Server {
	var requests atomic.Int32
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) <= failTimes {
			w.WriteHeader(status)
			return
		}
		fmt.Fprint(w, "pong")
	}))
}

// slowServer answers after the client has given up.
func slowServer() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
	}))
}

func show(resp *http.Response, err error) {
	if err != nil {
		fmt.Println("received an error:", errors.Unwrap(err)) // without the address of the test's server
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(strings.TrimSpace(fmt.Sprintln("received", resp.StatusCode, string(body))))
}

// gobreaker's example: http.Get inside a breaker.
func Example_portingGobreaker() {
	cb := breaker.New(breaker.Ratio{MinimumThroughput: 3, FailureRatio: 0.6})

	Get := func(url string) (body []byte, err error) {
		err = cb.Do(func() error {
			resp, err := http.Get(url)
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			body, err = io.ReadAll(resp.Body)
			return err
		})
		return body, err
	}

	server := flakyServer(0, 0)
	defer server.Close()
	body, err := Get(server.URL)
	fmt.Println(string(body), err)
	// Output: pong <nil>
}

// gobreaker's TwoStepCircuitBreaker.
func Example_portingTwoStep() {
	cb := breaker.New(breaker.Consecutive{MinimumThroughput: 6})
	call := func() error { return nil }

	handle := func() error {
		permit, err := cb.Acquire()
		if err != nil {
			return err
		}
		defer permit.Failure() // if call panics; else a result was reported before
		if err := call(); err != nil {
			permit.Failure()
			return err
		}
		permit.Success()
		return nil
	}

	fmt.Println(handle())
	// Output: <nil>
}

// gobreaker's IsSuccessful, IsExcluded and OnStateChange.
func Example_portingSettings() {
	errNotFound := errors.New("not found")
	cb := breaker.New(
		breaker.Consecutive{MinimumThroughput: 1, BreakDuration: 60 * time.Second},
		breaker.ClassifyWith(func(err error) breaker.Result {
			switch {
			case err == nil, errors.Is(err, errNotFound): // IsSuccessful
				return breaker.Success
			case errors.Is(err, context.Canceled): // IsExcluded
				return breaker.Ignored
			}
			return breaker.Failure
		}),
		breaker.OnTransition(func(t breaker.Transition) { // OnStateChange
			fmt.Println("from", t.From, "to", t.To)
		}),
	)

	_ = cb.Do(func() error { return errNotFound })
	_ = cb.Do(func() error { return context.Canceled })
	_ = cb.Do(func() error { return errors.New("down") })
	err := cb.Do(func() error { return nil })
	fmt.Println(errors.Is(err, breaker.ErrOpen))
	// Output:
	// from closed to open
	// true
}

// failsafe-go's TestHttpWithRetryPolicy, "with failsafe round tripper".
func Example_portingRetryRoundTripper() {
	server := flakyServer(2, 429)
	defer server.Close()

	retries, _ := retry.New(retry.Options{MaxRetryAttempts: 2})
	roundTripper := pipeline.Compose(pipeline.Strategies{Retry: retries}).RoundTripper(nil)
	client := &http.Client{Transport: roundTripper}

	req, _ := http.NewRequest(http.MethodGet, server.URL, strings.NewReader("ping"))
	resp, err := client.Do(req)
	show(resp, err)
	// Output: received 200 pong
}

// failsafe-go's TestHttpWithRetryPolicy, "with failsafe execution".
func Example_portingRetryExecution() {
	server := flakyServer(2, 429)
	defer server.Close()

	retries, _ := retry.New(retry.Options{MaxRetryAttempts: 2})
	retryPolicy := pipeline.Compose(pipeline.Strategies{
		Retry:   retries,
		RetryIf: func(o pipeline.Outcome) bool { return o.Err != nil || retry.IsTransient(o.Response().StatusCode) },
	})

	resp, err := pipeline.Do(context.Background(), retryPolicy, func(ctx context.Context) (*http.Response, error) {
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, strings.NewReader("ping"))
		return http.DefaultClient.Do(req)
	})
	show(resp, err)
	// Output: received 200 pong
}

// failsafe-go's TestHttpWithCustomRetryPolicy.
func Example_portingCustomRetry() {
	server := flakyServer(2, 500)
	defer server.Close()

	maxDelay := 10 * time.Second
	retries, _ := retry.New(retry.Options{
		Delay: time.Millisecond, BackoffType: retry.Exponential, MaxDelay: &maxDelay,
	})
	roundTripper := pipeline.Compose(pipeline.Strategies{
		Retry: retries,
		RetryIf: func(o pipeline.Outcome) bool {
			return o.Response() != nil && o.Response().StatusCode == 500
		},
	}).RoundTripper(nil)
	client := &http.Client{Transport: roundTripper}

	resp, err := client.Get(server.URL)
	show(resp, err)
	// Output: received 200 pong
}

// failsafe-go's TestHttpWithCircuitBreaker.
func Example_portingCircuitBreaker() {
	server := flakyServer(1, 429)
	defer server.Close()

	circuitBreaker := breaker.New(
		breaker.Consecutive{MinimumThroughput: 1, BreakDuration: time.Minute},
		breaker.OnTransition(func(t breaker.Transition) { fmt.Println("from", t.From, "to", t.To) }),
	)
	roundTripper := pipeline.Compose(pipeline.Strategies{
		Breaker: circuitBreaker,
		Classify: func(o pipeline.Outcome) breaker.Result {
			if o.Response() != nil && o.Response().StatusCode == 429 {
				return breaker.Failure
			}
			return breaker.Success
		},
	}).RoundTripper(nil)
	client := &http.Client{Transport: roundTripper}
	sleep := func(time.Duration) { circuitBreaker.ForceClose() } // for the example's sake

	resp, err := client.Get(server.URL) // fails with 429, the circuit opens
	show(resp, err)
	_, err = client.Get(server.URL) // is rejected
	if rejected, ok := errors.AsType[*breaker.OpenError](err); ok {
		sleep(rejected.RetryAfter())
	}
	resp, err = client.Get(server.URL) // succeeds
	show(resp, err)
	// Output:
	// from closed to open
	// received 429
	// from open to closed
	// received 200 pong
}

// failsafe-go's TestHttpWithTimeout.
func Example_portingTimeout() {
	server := slowServer()
	defer server.Close()

	roundTripper := pipeline.Compose(pipeline.Strategies{AttemptTimeout: 10 * time.Millisecond}).RoundTripper(nil)
	client := &http.Client{Transport: roundTripper}

	resp, err := client.Get(server.URL)
	show(resp, err)
	// Output: received an error: attempt timeout of 10ms exceeded
}

// failsafe-go's composition: failsafe.With(fallback, retryPolicy,
// circuitBreaker).Get(fn), and what else there is in one place.
func Example_portingComposition() {
	connect := func(context.Context) (string, error) { return "", errors.New("refused") }

	retries, _ := retry.New(retry.Options{MaxRetryAttempts: 3, Delay: time.Millisecond})
	tokens, _ := budget.New(budget.Options{})
	bulkhead, _ := limiter.New(limiter.Options{PermitLimit: 10})
	p := pipeline.Compose(pipeline.Strategies{
		Limiter:        bulkhead,
		TotalTimeout:   10 * time.Second,
		Retry:          retries,
		Budget:         tokens,
		Breaker:        breaker.New(breaker.Consecutive{MinimumThroughput: 3}),
		AttemptTimeout: time.Second,
	})
	backup := fallback.Fallback[string]{
		Action: func(_ context.Context, _ string, err error) (string, error) {
			return "backup after: " + err.Error(), nil
		},
	}

	connection, err := backup.Do(context.Background(), func(ctx context.Context) (string, error) {
		return pipeline.Do(ctx, p, connect)
	})
	fmt.Println(connection, err)
	// Output: backup after: breaker: circuit is open <nil>
}

// Each strategy alone, without a pipeline.
func Example_portingStandalone() {
	ctx := context.Background()
	send := func(context.Context) (string, error) { return "sent", nil }

	retries, _ := retry.New(retry.Options{})
	fmt.Println(retry.Do(ctx, retries, send))
	fmt.Println(timeout.Do(ctx, time.Second, send))
	bulkhead, _ := limiter.New(limiter.Options{PermitLimit: 10})
	fmt.Println(limiter.Do(ctx, bulkhead, send))
	// Output:
	// sent <nil>
	// sent <nil>
	// sent <nil>
}
