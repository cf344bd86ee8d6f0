package change

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/prose"
)

// program is what a release of Ocelot does with a route that no plan holds.
type program struct {
	// failure is why every request is answered 500; "" where it is not.
	failure string
	// timeouts says what an attempt timeout is to the breaker: "counted",
	// "uncounted" or "raced"; "" without both.
	timeouts string
	// endless says that there is no outer timeout at all.
	endless bool
}

func programOf(r *normalize.Route, p profile.Profile) program {
	out := program{failure: failureText(r, p), endless: r.OuterTimeout.V == normalize.Infinite}
	if r.AttemptTimeout.IsSet() && r.Breaker.Kind != normalize.NoBreaker && r.Breaker.Kind != normalize.Expression {
		out.timeouts = "counted"
		if p.Provider == profile.Polly {
			out.timeouts = [...]string{profile.Counted: "counted", profile.Uncounted: "uncounted", profile.Raced: "raced"}[p.Facts().Timeouts]
		}
	}
	return out
}

// programOfPlan returns what a plan itself says of its timeouts.
func programOfPlan(r *plan.Route) (out program) {
	switch {
	case r.Breaker == nil || r.Breaker.Kind == plan.Expression:
	case r.Failures.Timeouts == plan.Success:
		out.timeouts = "uncounted"
	default:
		out.timeouts = "counted"
	}
	return out
}

// failureText says in a few words why every request of a route fails, with the
// names that the release has.
func failureText(r *normalize.Route, p profile.Profile) string {
	f := r.Failure()
	switch {
	case f == nil:
		return ""
	case len(f.Refused) == 0:
		return "the outer timeout comes to " + prose.Duration(r.OuterTimeout.V)
	}
	var parts []string
	for _, o := range f.Refused {
		text := fmt.Sprintf("%s %d", o.Option.In(p.Facts()), o.Value.V)
		if o.Value.Origin.IsSet() && !isWritten(r, o.Option) {
			text += " (Ocelot's own default)"
		}
		parts = append(parts, text)
	}
	return "Polly refuses " + strings.Join(parts, " and ")
}

func isWritten(r *normalize.Route, o normalize.Option) bool { return len(r.Candidates(o)) > 0 }

// fields returns the members in which two programs differ.
func (p program) fields(o program) []Field {
	var fields []Field
	if p.failure != o.failure {
		fields = append(fields, Field{Name: "failure", Old: textOrNull(p.failure), New: textOrNull(o.failure)})
	}
	if p.timeouts != o.timeouts && p.timeouts != "" && o.timeouts != "" {
		fields = append(fields, Field{Name: "failures.timeouts", Old: p.timeouts, New: o.timeouts})
	}
	return fields
}

func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// program words that every request fails, or that none does any more, and what
// timeouts are to the breaker.
func (w *wording) program() {
	a, b := w.old.program, w.new.program
	if fields := w.take("failure"); len(fields) > 0 {
		if b.failure != "" {
			// What else differs comes to nothing.
			fields = append(fields, w.take("outerTimeout", "attemptTimeout", "breaker", "failures", "circuit")...)
		}
		switch {
		case b.failure == "":
			w.say("failure", fields, "requests work again: every one was answered 500, because "+a.failure)
		case a.failure == "":
			w.say("failure", fields, "every request is answered 500: "+b.failure)
		default:
			w.say("failure", fields, "every request is answered 500, because "+b.failure+"; it was because "+a.failure)
		}
		w.blame()
	}
	w.timeoutsCounted()
}

// blame sets the place of the change that was said last to the number that fails
// every request, in the side where it does.
func (w *wording) blame() {
	side, at, e := w.comparison.new, newSide, w.new
	if e.program.failure == "" {
		side, at, e = w.comparison.old, oldSide, w.old
		if w.sameText {
			at = newSide
		}
	}
	origin := e.source.OuterTimeout.Origin
	if f := e.source.Failure(); len(f.Refused) > 0 {
		origin = f.Refused[0].Value.Origin
	}
	if place := spanPlace(at, side.result.Config.Files().Span(origin)); place != nil {
		w.out[len(w.out)-1].At = place
	}
}

func (w *wording) timeoutsCounted() {
	a, b := w.old.program, w.new.program
	if fields := w.take("failures.timeouts"); len(fields) > 0 {
		words := map[string]string{
			"counted": "timeouts open the circuit", "uncounted": "timeouts do not open the circuit",
			"raced": "timeouts open the circuit unless the outer timer of the same length comes first",
		}
		w.say("breaker", fields, words[b.timeouts]+"; before, "+words[a.timeouts])
	}
}
