package change

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/prose"
)

// breaker words when the circuit opens, for how long, and what counts.
func (w *wording) breaker() {
	a, b := w.old.route.Breaker, w.new.route.Breaker
	circuit := w.take("circuit")
	switch fields := w.take("breaker"); {
	case len(fields) == 0:
	case a == nil:
		w.sayf("breaker", fields, "has a breaker now: %s; stays open %s", opensText(b), staysText(b))
	case b == nil:
		w.sayf("breaker", fields, "no breaker any more (it %s)", openedText(a))
	default:
		w.bothBreakers(fields, a, b)
	}
	if fields := w.take("failures.statusCodes"); len(fields) > 0 && (a != nil || b != nil) {
		w.sayf("breaker", fields, "counts status %s as failures instead of %s", statusText(w.new.route.Failures.StatusCodes), statusText(w.old.route.Failures.StatusCodes))
	}
	if fields := w.take("failures.transportErrors"); len(fields) > 0 && (a != nil || b != nil) {
		w.sayf("breaker", fields, "counts no connection as a %s instead of a %s", w.new.route.Failures.TransportErrors, w.old.route.Failures.TransportErrors)
	}
	if len(circuit) > 0 && a != nil && b != nil {
		w.circuit(circuit)
	}
}

func (w *wording) circuit(fields []Field) {
	from, to := w.old.route.Circuit, w.new.route.Circuit
	switch {
	case to == "":
		w.say("breaker", fields, "has a circuit of its own, no longer one together with others")
	case to == w.new.id:
		w.say("breaker", fields, "shares its circuit with other routes, which use its options")
	case from == "":
		w.sayf("breaker", fields, "shares the circuit of %s, whose options count", to)
	default:
		w.sayf("breaker", fields, "shares the circuit of %s instead of that of %s", to, from)
	}
}

// bothBreakers words what differs between two breakers; each number with the
// line that decides it.
func (w *wording) bothBreakers(fields []Field, a, b *plan.Breaker) {
	var opening, other []Field
	for _, f := range fields {
		switch f.Name {
		case "breaker.kind", "breaker.minimumThroughput", "breaker.failureRatio", "breaker.samplingDuration", "breaker.expression":
			opening = append(opening, f)
		default:
			other = append(other, f)
		}
	}
	switch {
	case len(opening) == 1 && opening[0].Name == "breaker.kind" && a.Kind != plan.Expression && b.Kind != plan.Expression:
		w.sayf("breaker", opening, "counts calls in %s instead of in %s", windowText(b), windowText(a))
	case len(opening) > 0:
		w.sayf("breaker", numbersFirst(opening), "%s instead of %s", opensText(b), insteadText(a, b))
	}
	expressions := a.Kind == plan.Expression && b.Kind == plan.Expression
	for _, f := range other {
		own := []Field{f}
		switch f.Name {
		case "breaker.breakDuration":
			if a.Kind != plan.Expression && b.Kind != plan.Expression {
				w.sayf("breaker", own, "stays open %s instead of %s", staysText(b), staysText(a))
			}
			continue
		}
		if !expressions {
			continue // the kind decides which numbers count
		}
		switch f.Name {
		case "breaker.fallbackDuration":
			w.sayf("breaker", own, "stays open %s instead of %s", staysText(b), staysText(a))
		case "breaker.recoveryDuration":
			w.sayf("breaker", own, "lets more and more through over %s instead of %s", millis(b.RecoveryDuration), millis(a.RecoveryDuration))
		case "breaker.checkPeriod":
			w.sayf("breaker", own, "looks at its expression every %s instead of %s", millis(b.CheckPeriod), millis(a.CheckPeriod))
		case "breaker.responseCode":
			w.sayf("breaker", own, "answers %d instead of %d while it is open", b.ResponseCode, a.ResponseCode)
		}
	}
	if (a.Kind == plan.Expression) != (b.Kind == plan.Expression) {
		w.sayf("breaker", other, "stays open %s instead of %s", staysText(b), staysText(a))
	}
}

// numbersFirst puts the kind of a breaker, which is written nowhere, behind the
// numbers that decide it.
func numbersFirst(fields []Field) []Field {
	if len(fields) > 1 && fields[0].Name == "breaker.kind" {
		return append(fields[1:len(fields):len(fields)], fields[0])
	}
	return fields
}

func millis(m plan.Millis) string { return prose.Duration(int64(m)) }

// opensText words when a breaker opens: "opens after 3 failures in a row".
func opensText(b *plan.Breaker) string {
	switch b.Kind {
	case plan.Consecutive:
		return "opens after " + prose.Plural(int64(b.MinimumThroughput), "failure") + " in a row"
	case plan.Expression:
		return "opens when " + prose.Printable(b.Expression)
	}
	return fmt.Sprintf("opens when ≥ %s of ≥ %s in %s fail", prose.Percent(b.FailureRatio),
		prose.Plural(int64(b.MinimumThroughput), "call"), millis(b.SamplingDuration))
}

func windowText(b *plan.Breaker) string {
	if b.Kind == plan.PollyRatio {
		return "Polly's ten slices of the window"
	}
	return "a sliding window"
}

// insteadText words when a breaker opened, next to opensText of another.
func insteadText(a, b *plan.Breaker) string {
	if a.Kind == plan.Consecutive && b.Kind == plan.Consecutive {
		return prose.Grouped(int64(a.MinimumThroughput))
	}
	if a.Kind != plan.Consecutive && b.Kind != plan.Consecutive && a.Kind != plan.Expression {
		return fmt.Sprintf("≥ %s of ≥ %s in %s", prose.Percent(a.FailureRatio), prose.Grouped(int64(a.MinimumThroughput)), millis(a.SamplingDuration))
	}
	return strings.TrimPrefix(opensText(a), "opens ")
}

func openedText(b *plan.Breaker) string {
	return strings.Replace(opensText(b), "opens ", "opened ", 1) + " and stayed open " + staysText(b)
}

func staysText(b *plan.Breaker) string {
	if b.Kind == plan.Expression {
		return millis(b.FallbackDuration)
	}
	return millis(b.BreakDuration)
}

func statusText(ranges []plan.StatusRange) string {
	var parts []string
	for _, r := range ranges {
		text := fmt.Sprint(r.First)
		if r.Last != r.First {
			text += fmt.Sprintf("–%d", r.Last)
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// timeouts words how long a call may take.
func (w *wording) timeouts() {
	a, b := w.old.route, w.new.route
	hang := ""
	if x, y := hangs(a), hangs(b); x != y && x > 0 && y > 0 {
		hang = fmt.Sprintf("a hanging service is now cut off after %s instead of %s", millis(y), millis(x))
	}
	if fields := w.take("attemptTimeout"); len(fields) > 0 {
		text := fmt.Sprintf("an attempt is cut off after %s instead of %s", millis(b.AttemptTimeout), millis(a.AttemptTimeout))
		switch {
		case a.AttemptTimeout == 0:
			text = "an attempt is cut off after " + millis(b.AttemptTimeout) + "; there was no attempt timeout"
		case b.AttemptTimeout == 0:
			text = "no attempt timeout any more (was " + millis(a.AttemptTimeout) + ")"
		default:
			hang = ""
		}
		w.say("timeout", fields, text).Detail = hang
	}
	if fields := w.take("outerTimeout"); len(fields) > 0 {
		w.say("timeout", fields, outerText(a.OuterTimeout, b.OuterTimeout))
	}
}

// hangs is how long a caller of a hanging service waits; 0 is no limit, or none
// that works.
func hangs(r *plan.Route) plan.Millis {
	limit := r.AttemptTimeout
	if r.Retry != nil || limit == 0 {
		limit = 0
	}
	if outer := r.OuterTimeout; outer != nil && *outer > 0 && (limit == 0 || *outer < limit) {
		limit = *outer
	}
	return limit
}

func outerText(a, b *plan.Millis) string {
	what := func(m *plan.Millis) string {
		switch {
		case m == nil:
			return "never"
		case *m < 0:
			return "with 500 at once, every one"
		case *m == 0:
			return "with 503 at once"
		}
		return "after " + millis(*m)
	}
	switch {
	case b != nil && *b < 0:
		return fmt.Sprintf("every request is answered 500: the outer timeout comes to %s; requests were cut off %s", millis(*b), what(a))
	case b != nil && *b == 0:
		return fmt.Sprintf("requests are answered 503 at once: the outer timeout comes to 0 ms; they were cut off %s", what(a))
	}
	return fmt.Sprintf("the whole request is cut off %s instead of %s", what(b), what(a))
}
