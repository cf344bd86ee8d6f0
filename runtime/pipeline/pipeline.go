// Package pipeline composes resilience strategies around calls, in one fixed
// order, outermost first:
//
//	fallback → concurrency limiter → total timeout → retry with budget →
//	circuit breaker → attempt timeout → chaos → transport
//
// There are three ways in. [Load] reads a plan and gives a [Set] with one
// pipeline per route, whose RoundTripper serves any http.Client. [New] makes
// the pipeline of one route of a plan. [Compose] needs no plan: it takes the
// strategies themselves, and [Do] puts any function through them.
//
// An outcome is decided when the headers are here. It is a success, a failure,
// or ignored: who cancels a call or sends a broken request says nothing about
// the backend and can neither open a circuit nor close it. A body that breaks
// off later is an event of [telemetry], not an outcome. Every admission is
// answered for, also when the transport panics or ends its goroutine.
package pipeline

import (
	"net/http"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/budget"
	"github.com/margay-dev/margay/runtime/chaos"
	"github.com/margay-dev/margay/runtime/health"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// Strategies are what a pipeline consists of. A strategy that is not set is
// left out: the zero value passes every call through. Limiter, Budget and
// Breaker may serve several pipelines.
type Strategies struct {
	// Name stands in events and answers; for a route of a plan it is its ID.
	Name string

	// Fallback answers requests in place of failures. It has no part in Do: see
	// fallback.Fallback for functions.
	Fallback Fallback

	// Limiter bounds the calls in flight. A permit is held until the headers are
	// here, retries and waits included.
	Limiter *limiter.Limiter
	// TotalTimeout bounds the call behind the limiter, retries and waits
	// included, until the headers are here. 0: no bound.
	TotalTimeout time.Duration

	// Retry says how often and after which delays attempts are repeated. Never
	// repeated are rejections by the breaker, the end of TotalTimeout, and calls
	// whose caller gave up or sent a broken request.
	Retry *retry.Policy
	// HTTP says which requests are repeated and on which outcomes. It has no
	// part in Do.
	HTTP retry.HTTP
	// RetryIf decides in place of HTTP on what is repeated; the method and the
	// body of a request must still allow it. Nil: HTTP decides; in Do every
	// failure is repeated.
	RetryIf func(Outcome) bool
	// RetryDelay returns a wait in place of Retry's and of the Retry-After
	// header, or false for theirs.
	RetryDelay func(Outcome) (time.Duration, bool)
	// Budget is what retries are taken from. Nil: they are free.
	Budget *budget.Budget

	// Breaker rejects attempts while the backend is failing.
	Breaker *breaker.Breaker
	// Classify says what an outcome is to the breaker, where it is the backend's:
	// it is not asked about callers that gave up and their broken requests. Nil:
	// the statuses 500 to 508 are failures, and every error is, except
	// context.Canceled in Do.
	Classify func(Outcome) breaker.Result

	// AttemptTimeout bounds each attempt until its headers are here. 0: no bound.
	AttemptTimeout time.Duration
	// Chaos makes attempts fail on purpose. In Do its Outcome has no part. Nil:
	// nothing does.
	Chaos *chaos.Chaos[*http.Response]

	// Observer is told what happens. A panic in it is dropped. Nil: nobody.
	Observer telemetry.Observer
}

// Fallback takes the outcome of a request and returns what its client gets: the
// outcome itself, or an answer in its place. *fallback.HTTP is one.
type Fallback = interface {
	Finish(req *http.Request, resp *http.Response, err error) (*http.Response, error)
}

// Pipeline puts calls through strategies. It is safe for concurrent use; make
// one with New or Compose.
type Pipeline struct {
	fallback   Fallback
	limiter    *limiter.Limiter
	timeouts   *timeout.Strategy
	retry      *retry.Policy
	http       *retry.HTTP
	retryIf    func(Outcome) bool
	retryDelay func(Outcome) (time.Duration, bool)
	budget     *budget.Budget
	breaker    *breaker.Breaker
	chaos      *chaos.Chaos[*http.Response]
	hosts      *health.Hosts // nil: nobody asks for the health of hosts
	judge      judge
	events     emitter
	style      Style
	hopeless   error // what every call gets; nil in a pipeline that works

	clocked      bool // something looks at the time
	timesBreaker bool // the breaker does
}

// Compose returns a pipeline of the given strategies.
func Compose(s Strategies) *Pipeline {
	http := s.HTTP
	p := &Pipeline{
		fallback:   s.Fallback,
		limiter:    s.Limiter,
		retry:      s.Retry,
		http:       &http,
		retryIf:    s.RetryIf,
		retryDelay: s.RetryDelay,
		budget:     s.Budget,
		breaker:    s.Breaker,
		chaos:      s.Chaos,
		judge:      defaultJudge(),
		events:     newEmitter(s.Name, s.Observer, nil),
		style:      Style{Name: s.Name},
	}
	p.judge.custom = s.Classify
	p.bound(s.TotalTimeout, s.AttemptTimeout)
	return p
}

// bound sets the timeouts and, with that, all that looks at the clock.
func (p *Pipeline) bound(total, attempt time.Duration) {
	p.timeouts = timeout.New(timeout.Options{Attempt: attempt, Total: total, OnTimeout: p.events.timeout})
	p.timesBreaker = p.breaker != nil && p.breaker.WantsLatency()
	p.clocked = total > 0 || attempt > 0 || p.budget != nil || p.timesBreaker || !p.events.silent
}

// Breaker returns the pipeline's circuit breaker, to look at it or to move it
// by hand; nil if it has none.
func (p *Pipeline) Breaker() *breaker.Breaker { return p.breaker }

// Hosts returns what is known of the hosts of the route, for whoever chooses
// among them; nil where the route does not ask for passive health. It is the
// transport that sends to hosts: see HostTransport.
func (p *Pipeline) Hosts() *health.Hosts { return p.hosts }

// Answer returns what the client of a gateway gets for err, the error of a call
// through this pipeline.
func (p *Pipeline) Answer(err error) Answer { return AnswerTo(err, p.style) }

// Style returns how answers to errors of p are worded.
func (p *Pipeline) Style() Style { return p.style }
