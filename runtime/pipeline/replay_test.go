package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/limiter"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/retry"
	"github.com/margay-dev/margay/runtime/telemetry"
	"github.com/margay-dev/margay/runtime/timeout"
)

// story is what happened, as sorted lines.
type story struct {
	attempts, outcomes, events, closed []string
}

func (s *story) sort() {
	for _, lines := range []*[]string{&s.attempts, &s.outcomes, &s.events, &s.closed} {
		slices.Sort(*lines)
	}
}

func (s story) diff(want story) string {
	var b strings.Builder
	for _, part := range []struct {
		name      string
		got, want []string
	}{{"attempts", s.attempts, want.attempts}, {"outcomes", s.outcomes, want.outcomes}, {"events", s.events, want.events}, {"closed", s.closed, want.closed}} {
		if !slices.Equal(part.got, part.want) {
			fmt.Fprintf(&b, "\n%s: got\n  %s\nwant\n  %s", part.name, strings.Join(part.got, "\n  "), strings.Join(part.want, "\n  "))
		}
	}
	return b.String()
}

// replay runs the trace through margay's pipelines under virtual time. It
// returns what happened, and what the breakers were asked and told.
func replay(t *testing.T, tr *trace) (s story, log []breakerEvent) {
	synctest.Test(t, func(t *testing.T) {
		tr.Scenario.Options.drawn.Store(0)
		r := &replayer{start: time.Now(), scenario: &tr.Scenario, options: tr.Scenario.Options, pipelines: map[string]*pipeline.Pipeline{}}
		var wg sync.WaitGroup
		for i, req := range tr.Scenario.Requests {
			wg.Go(func() {
				time.Sleep(time.Duration(req.At) * time.Millisecond)
				r.send(i, &req)
			})
		}
		wg.Wait()
		s, log = r.story, r.log
	})
	s.sort()
	return s, log
}

type replayer struct {
	start    time.Time
	scenario *scenario
	options  *options

	mu        sync.Mutex
	pipelines map[string]*pipeline.Pipeline // guarded by mu
	story     story                         // guarded by mu
	log       []breakerEvent                // guarded by mu
}

func (r *replayer) now() int64 { return time.Since(r.start).Milliseconds() }

func (r *replayer) note(list *[]string, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*list = append(*list, fmt.Sprintf(format, args...))
}

func (r *replayer) asked(e breakerEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.at = time.Since(r.start)
	r.log = append(r.log, e)
}

// callerLeft cancels as a caller whose time is over. Polly counts a caller that
// gives up as a success of the backend, margay ignores it: telling it that the
// caller's time was over lets Classify decide, and so the traces replay.
type callerLeft struct{}

func (callerLeft) Error() string { return "the caller left" }

func (callerLeft) Is(target error) bool { return target == context.DeadlineExceeded }

func (r *replayer) send(i int, rec *requestRecord) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if rec.CallerCancelsAt != nil {
		if wait := time.Duration(*rec.CallerCancelsAt-r.now()) * time.Millisecond; wait > 0 {
			stop := time.AfterFunc(wait, func() { cancel(callerLeft{}) })
			defer stop.Stop()
		} else {
			cancel(callerLeft{})
		}
	}
	req, err := http.NewRequestWithContext(ctx, orElse(rec.Method, "GET"), orElse(rec.URL, "http://svc-a/x"), body(rec))
	if err != nil {
		panic(err)
	}
	backend := &backend{replayer: r, request: i, script: rec.Script}
	resp, err := r.pipeline(req.URL).RoundTrip(req, backend)
	if err != nil {
		if errors.Is(err, breaker.ErrOpen) {
			r.asked(breakerEvent{pipeline: r.key(req.URL), rejected: true})
		}
		r.note(&r.story.outcomes, "#%d %s @%d", i, r.name(err), r.now())
		return
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	r.note(&r.story.outcomes, "#%d %d %s @%d", i, resp.StatusCode, text, r.now())
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func body(rec *requestRecord) io.Reader {
	if rec.ContentKind == "" {
		return nil
	}
	return io.MultiReader(strings.NewReader(rec.Body)) // a type that net/http cannot rewind by itself
}

// name says what an error is in .NET's words.
func (r *replayer) name(err error) string {
	if missed, ok := errors.AsType[*timeout.Error](err); ok {
		return fmt.Sprintf("TimeoutRejectedException(%d)", missed.Limit.Milliseconds())
	}
	if open, ok := errors.AsType[*breaker.OpenError](err); ok {
		return fmt.Sprintf("BrokenCircuitException(%d)", open.RetryAfter().Milliseconds())
	}
	thrown, ok := errors.AsType[exception](err)
	switch {
	case ok:
		return thrown.class()
	case errors.Is(err, limiter.ErrRejected):
		return "RateLimiterRejectedException"
	case errors.Is(err, retry.ErrDelayTooLong):
		return "ArgumentOutOfRangeException"
	case errors.Is(err, callerLeft{}):
		return "cancelled by the caller"
	}
	return err.Error()
}

// exception is what a transport of .NET throws.
type exception string

func (e exception) Error() string { return string(e) }

// Is says which exceptions are cancellations: those are of one kind there.
func (e exception) Is(target error) bool {
	return target == context.Canceled && strings.HasSuffix(e.class(), "CanceledException")
}

// class is the class of the exception. The timeout of a connection attempt is
// a cancellation inside .NET's client.
func (e exception) class() string {
	class, _, _ := strings.Cut(string(e), "(")
	if class == "ConnectTimeout" {
		return "TaskCanceledException"
	}
	return class
}

// key names the pipeline that serves u.
func (r *replayer) key(u *url.URL) (key string) {
	if r.options.byAuthority {
		port := orElse(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
		key = u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
	}
	if r.options.byPath {
		key, _, _ = strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	}
	return key
}

func (r *replayer) pipeline(u *url.URL) *pipeline.Pipeline {
	key := r.key(u)
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.pipelines[key]
	if p == nil {
		p = r.options.pipeline(telemetry.ObserverFunc(r.observe))
		r.pipelines[key] = p
	}
	return p
}

func (r *replayer) observe(_ context.Context, e telemetry.Event) {
	if e.Kind == telemetry.PipelineExecuted {
		return
	}
	rec := eventRecord{T: r.now(), Event: e.Kind.String(), Severity: e.Severity().String()}
	switch e.Kind {
	case telemetry.ExecutionAttempt:
		rec.Args.Attempt, rec.Args.Handled = &e.Attempt, &e.Handled
	case telemetry.OnRetry:
		rec.Args.Attempt = &e.Attempt
	}
	r.note(&r.story.events, "%s", rec)
}
