package emit

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
)

// footnotes numbers notes; the same text has one number.
type footnotes struct {
	texts []string
	known map[string]int
}

// mark returns the number of a note, as a superscript.
func (f *footnotes) mark(text string) string {
	n, ok := f.known[text]
	if !ok {
		if f.known == nil {
			f.known = map[string]int{}
		}
		f.texts = append(f.texts, text)
		n = len(f.texts)
		f.known[text] = n
	}
	return superscript(n)
}

func superscript(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	text := ""
	for ; n > 0; n /= 10 {
		text = string(digits[n%10]) + text
	}
	return text
}

// decidesBreaker and decidesOuter are the divergences that can change what
// stands in the columns of the breaker and in that of the outer timeout.
const (
	decidesBreaker = profile.MergeBeforeAlias | profile.ZeroThroughput | profile.NonpositiveRatio | profile.PollyRatioOne | profile.UnlistedGroup
	decidesOuter   = profile.AllDivergences &^ (profile.ZeroThroughput | profile.NonpositiveRatio | profile.PollyRatioOne)
)

// other words what the other side of a route's divergences gives it in one
// column; of the divergences it names those that can change that column.
func (r *Result) other(clause string, route *normalize.Route, decides profile.Divergences) string {
	who := "by the documentation it " + clause
	if r.Profile.Documented() {
		who = "Ocelot " + r.Profile.Number() + " itself " + clause
	}
	names := (route.Divergences & decides).Names()
	if len(names) == 0 {
		names = route.Divergences.Names()
	}
	return fmt.Sprintf("%s (%s): `margay explain %s`", who, strings.Join(names, ", "), names[0])
}

// opensClause words when a breaker opens, with its subject left out.
func opensClause(route *normalize.Route) string {
	if refused(route) {
		return "answers 500 to every request"
	}
	b := &route.Breaker
	switch b.Kind {
	case normalize.Consecutive:
		return "opens after " + plural(int64(b.MinimumThroughput.V), "failure") + " in a row"
	case normalize.Ratio, normalize.Polly:
		return fmt.Sprintf("opens when ≥ %s of ≥ %s calls in %s fail", percent(b.FailureRatio.V),
			grouped(int64(b.MinimumThroughput.V)), duration(int64(b.SamplingDuration.V)))
	case normalize.Expression:
		return "opens when its expression is true"
	}
	return "never opens"
}

func staysClause(route *normalize.Route) string {
	if route.Breaker.Kind == normalize.NoBreaker {
		return "never opens"
	}
	return "stays open for " + staysOpen(route)
}

func attemptClause(route *normalize.Route) string {
	if !route.AttemptTimeout.IsSet() {
		return "has no attempt timeout"
	}
	return "cuts an attempt off after " + attempt(route)
}

func outerClause(route *normalize.Route) string {
	switch ms := route.OuterTimeout.V; {
	case ms == normalize.Infinite:
		return "never cuts a request off"
	case ms < 0:
		return "answers 500 to every request"
	case ms == 0:
		return "answers 503 at once"
	}
	return "cuts the whole request off after " + outer(route)
}
