package pipeline_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// options are those of one standard resilience handler of .NET, at first its
// defaults. They are assigned one after the other, for some undo others.
type options struct {
	handler             string
	byAuthority, byPath bool

	limiter        limiter.Options
	total, attempt time.Duration
	retry          retry.Options
	randoms        []float64
	drawn          *atomic.Int64 // of randoms
	disabled       []string      // methods that are not repeated
	onlyStatus     []int         // nil: transient outcomes
	honoursHeader  bool
	generated      *time.Duration
	breaker        breaker.Polly
}

func (o *options) UnmarshalJSON(data []byte) error {
	*o = options{
		total: 30 * time.Second, attempt: 10 * time.Second, retry: retry.Defaults(), drawn: new(atomic.Int64), honoursHeader: true,
		breaker: breaker.Polly{FailureRatio: 0.1, MinimumThroughput: 100, SamplingDuration: 30 * time.Second, BreakDuration: 5 * time.Second},
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	_, _ = dec.Token()
	for dec.More() {
		name, _ := dec.Token()
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		if err := o.assign(name.(string), raw); err != nil {
			return fmt.Errorf("option %s: %w", name, err)
		}
	}
	return nil
}

func (o *options) assign(name string, raw json.RawMessage) error {
	into := func(v any) error { return json.Unmarshal(raw, v) }
	millis := func(d *time.Duration) error {
		var ms float64
		err := into(&ms)
		*d = time.Duration(ms * float64(time.Millisecond))
		return err
	}
	switch name {
	case "handler":
		return into(&o.handler)
	case "SelectPipelineByAuthority":
		return into(&o.byAuthority)
	case "SelectPipelineBy":
		return into(&o.byPath)
	case "RateLimiter.PermitLimit":
		return into(&o.limiter.PermitLimit)
	case "RateLimiter.QueueLimit":
		return into(&o.limiter.QueueLimit)
	case "RateLimiter.QueueProcessingOrder":
		if string(raw) == `"NewestFirst"` {
			o.limiter.QueueProcessingOrder = limiter.NewestFirst
		}
	case "TotalRequestTimeout.Timeout":
		return millis(&o.total)
	case "AttemptTimeout.Timeout":
		return millis(&o.attempt)
	case "Retry.MaxRetryAttempts":
		return into(&o.retry.MaxRetryAttempts)
	case "Retry.Delay":
		return millis(&o.retry.Delay)
	case "Retry.MaxDelay":
		o.retry.MaxDelay = new(time.Duration)
		return millis(o.retry.MaxDelay)
	case "Retry.BackoffType":
		o.retry.BackoffType = map[string]retry.BackoffType{`"Constant"`: retry.Constant, `"Linear"`: retry.Linear, `"Exponential"`: retry.Exponential}[string(raw)]
	case "Retry.UseJitter":
		return into(&o.retry.UseJitter)
	case "Retry.Random":
		return into(&o.randoms)
	case "Retry.ShouldRetryAfterHeader":
		o.generated = nil
		return into(&o.honoursHeader)
	case "Retry.DelayGenerator":
		o.generated, o.honoursHeader = new(time.Duration), false
		return millis(o.generated)
	case "Retry.ShouldHandle":
		o.disabled = nil
		return into(&o.onlyStatus)
	case "Retry.DisableFor":
		return into(&o.disabled)
	case "Retry.DisableForUnsafeHttpMethods":
		o.disabled = []string{http.MethodDelete, http.MethodPost, http.MethodPut, http.MethodConnect, http.MethodPatch}
	case "CircuitBreaker.FailureRatio":
		return into(&o.breaker.FailureRatio)
	case "CircuitBreaker.MinimumThroughput":
		return into(&o.breaker.MinimumThroughput)
	case "CircuitBreaker.SamplingDuration":
		return millis(&o.breaker.SamplingDuration)
	case "CircuitBreaker.BreakDuration":
		return millis(&o.breaker.BreakDuration)
	case "clientName", "viaClientDefaults", "metrics", "logs": // no part of what requests do
	default:
		if !o.forHedging(name) {
			return errors.New("unknown to the test")
		}
	}
	return nil
}

func (o *options) forHedging(name string) bool {
	return o.handler == "hedging" || name == "groups" || strings.HasPrefix(name, "Hedging.") || strings.HasPrefix(name, "Endpoint.")
}

// pipeline composes what AddStandardResilienceHandler builds.
func (o *options) pipeline(observer telemetry.Observer) *pipeline.Pipeline {
	start, recorded := time.Now(), time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	permits, err := limiter.New(o.limiter)
	must(err)
	if o.randoms != nil { // all pipelines draw from one source
		o.retry.Randomizer = func() float64 { return o.randoms[int(o.drawn.Add(1)-1)%len(o.randoms)] }
	}
	policy, err := retry.New(o.retry)
	must(err)
	s := pipeline.Strategies{
		Limiter:      permits,
		TotalTimeout: o.total,
		Retry:        policy,
		HTTP: retry.HTTP{
			Methods:          o.methods(),
			IgnoreRetryAfter: !o.honoursHeader,
			Now:              func() time.Time { return recorded.Add(time.Since(start)) },
		},
		RetryIf: o.retries,
		Classify: func(out pipeline.Outcome) breaker.Result {
			if transient(out) {
				return breaker.Failure
			}
			return breaker.Success
		},
		AttemptTimeout: o.attempt,
		Observer:       observer,
	}
	if o.generated != nil {
		s.RetryDelay = func(pipeline.Outcome) (time.Duration, bool) { return *o.generated, true }
	}
	s.Breaker = breaker.New(o.breaker, breaker.OnTransition(pipeline.Observe("", observer)))
	return pipeline.Compose(s)
}

// methods returns the methods that are repeated: all that the recordings use
// but the disabled ones.
func (o *options) methods() []string {
	all := []string{"GET", "HEAD", "OPTIONS", "TRACE", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "QUERY", "PROPFIND", "FOO", "post", "get"}
	return slices.DeleteFunc(all, func(m string) bool {
		return slices.ContainsFunc(o.disabled, func(d string) bool { return strings.EqualFold(d, m) })
	})
}

func (o *options) retries(out pipeline.Outcome) bool {
	if o.onlyStatus != nil {
		return out.Err == nil && slices.Contains(o.onlyStatus, out.Response().StatusCode)
	}
	thrown, _ := errors.AsType[exception](out.Err)
	return transient(out) || thrown == "ConnectTimeout"
}

// transient is HttpClientResiliencePredicates.IsTransient: what the breaker of
// the standard handler counts as a failure.
func transient(out pipeline.Outcome) bool {
	if out.Err == nil {
		return retry.IsTransient(out.Response().StatusCode)
	}
	if missed, ok := errors.AsType[*timeout.Error](out.Err); ok {
		return missed.Kind == timeout.Attempt
	}
	thrown, _ := errors.AsType[exception](out.Err)
	return thrown == "TimeoutRejectedException" || strings.HasPrefix(string(thrown), "HttpRequestException")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
