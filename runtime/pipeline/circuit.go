package pipeline

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/margay-dev/margay/runtime/breaker"
	"github.com/margay-dev/margay/runtime/expr"
	"github.com/margay-dev/margay/runtime/plan"
)

// circuit is a breaker in use, with what its successor in another plan is
// compared with.
type circuit struct {
	breaker  *breaker.Breaker
	numbers  *plan.Breaker
	failures plan.Failures
	last     *lastFailure
}

// fits reports whether the circuit can go on as that of r. (It does not keep its
// route: that is large, and belongs to a plan that may be gone.)
func (c *circuit) fits(r *plan.Route) bool {
	own := plan.Route{Breaker: c.numbers, Failures: c.failures}
	return own.SameBreaker(r)
}

// newCircuit returns a closed circuit for r, which has a breaker.
func newCircuit(r *plan.Route, o *Options) (*circuit, error) {
	config, err := breakerConfig(r.Breaker)
	if err != nil {
		return nil, err
	}
	e := newEmitter(r.ID, o.Observer, o.OnObserverPanic)
	var opts []breaker.Option
	if !e.silent {
		opts = append(opts, breaker.OnTransition(e.transition))
	}
	return &circuit{breaker: breaker.New(config, opts...), numbers: r.Breaker, failures: r.Failures, last: e.last}, nil
}

// grace is what a probe that its timeout ends may take to say so. Without it,
// its lease would be over at the very moment, and its failure no longer count
// (halfopen-probe-qos-timeout).
const grace = time.Second

// probeLease is how long a probe keeps others out at most: as long as it may
// take, and a little longer.
func probeLease(r *plan.Route) time.Duration {
	lease := r.AttemptTimeout.Duration()
	if lease == 0 && r.OuterTimeout != nil {
		lease = r.OuterTimeout.Duration()
	}
	if lease <= 0 {
		return 0
	}
	return lease + grace
}

func breakerConfig(b *plan.Breaker) (breaker.Config, error) {
	switch b.Kind {
	case plan.Consecutive:
		return breaker.Consecutive{MinimumThroughput: b.MinimumThroughput, BreakDuration: b.BreakDuration.Duration()}, nil
	case plan.Ratio:
		return breaker.Ratio{FailureRatio: b.FailureRatio, MinimumThroughput: b.MinimumThroughput,
			SamplingDuration: b.SamplingDuration.Duration(), BreakDuration: b.BreakDuration.Duration()}, nil
	case plan.PollyRatio:
		return breaker.Polly{FailureRatio: b.FailureRatio, MinimumThroughput: b.MinimumThroughput,
			SamplingDuration: b.SamplingDuration.Duration(), BreakDuration: b.BreakDuration.Duration()}, nil
	case plan.Expression:
		return expressionConfig(b)
	}
	return nil, fmt.Errorf("breaker kind %q is unknown", b.Kind)
}

func expressionConfig(b *plan.Breaker) (breaker.Config, error) {
	condition, err := expr.Parse(b.Expression)
	if err != nil {
		return nil, errors.New(explain(b.Expression, err))
	}
	return breaker.Expression{
		Condition:        condition,
		CheckPeriod:      b.CheckPeriod.Duration(),
		FallbackDuration: b.FallbackDuration.Duration(),
		RecoveryDuration: b.RecoveryDuration.Duration(),
	}, nil
}

// explain spells out the mistakes of an expression, each with the text and
// carets under what is wrong.
func explain(text string, err error) string {
	mistakes, ok := errors.AsType[expr.Errors](err)
	if !ok {
		return err.Error()
	}
	var b strings.Builder
	for i, m := range mistakes {
		if i > 0 {
			b.WriteByte('\n')
		}
		line, at, width := excerpt(text, m.Start, m.End)
		fmt.Fprintf(&b, "%s\n    %s\n    %s%s", m.Message, line, strings.Repeat(" ", at), strings.Repeat("^", width))
		if m.Help != "" {
			b.WriteString("\n    help: " + m.Help)
		}
	}
	return b.String()
}

// excerpt returns the line of text that holds start, and where in it, in
// characters, the carets begin and how many there are.
func excerpt(text string, start, end int) (line string, at, width int) {
	first := strings.LastIndexByte(text[:start], '\n') + 1
	line = text[first:]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	at = len([]rune(text[first:start]))
	width = len([]rune(text[start:min(end, first+len(line))]))
	return strings.ReplaceAll(line, "\t", " "), at, max(1, width)
}
