package pipeline_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
)

// TestNothingIsLostUnderLoad sends from 64 goroutines through one pipeline,
// whose backend succeeds, fails, panics and is given up in turn. At the end every
// call was told of once, and every permit is back.
func TestNothingIsLostUnderLoad(t *testing.T) {
	const workers, calls = 64, 200
	permits, err := limiter.New(limiter.Options{PermitLimit: 16, QueueLimit: workers})
	if err != nil {
		t.Fatal(err)
	}
	retries, err := retry.New(retry.Options{MaxRetryAttempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	var executed, attempts, reached, rejected atomic.Int64
	observer := telemetry.ObserverFunc(func(_ context.Context, e telemetry.Event) {
		switch e.Kind {
		case telemetry.PipelineExecuted:
			executed.Add(1)
		case telemetry.ExecutionAttempt:
			attempts.Add(1)
			if errors.Is(e.Err, breaker.ErrOpen) {
				rejected.Add(1)
			}
		}
	})
	p := pipeline.Compose(pipeline.Strategies{
		Limiter:  permits,
		Retry:    retries,
		HTTP:     retry.HTTP{Methods: []string{http.MethodPost}},
		Breaker:  breaker.New(breaker.Ratio{MinimumThroughput: 10, FailureRatio: 0.9, BreakDuration: 1}),
		Observer: observer,
	})
	var panics atomic.Int64
	next := roundTripper(func(req *http.Request) (*http.Response, error) {
		switch reached.Add(1) % 5 {
		case 0:
			return refuse(req)
		case 1:
			panics.Add(1)
			panic("transport")
		case 2:
			return nil, context.Canceled
		}
		return answer(200)(req)
	})
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range calls {
				func() {
					defer func() { _ = recover() }()
					_, _ = p.RoundTrip(request(t, t.Context(), strings.NewReader("body")), next)
				}()
			}
		})
	}
	wg.Wait()
	if got := executed.Load(); got != workers*calls {
		t.Errorf("got %d calls told of, want %d", got, workers*calls)
	}
	if got, want := attempts.Load()+panics.Load(), reached.Load()+rejected.Load(); got != want {
		t.Errorf("got %d attempts and panics, want the %d that reached the backend or the open circuit", got, want)
	}
	if got := permits.State(); got != (limiter.State{}) {
		t.Errorf("got %+v, want every permit back", got)
	}
	if got := p.Breaker().Snapshot(); got.ProbeInFlight {
		t.Errorf("got %+v, want no probe out", got)
	}
}
