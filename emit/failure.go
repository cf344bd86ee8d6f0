package emit

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
)

// refused says whether Polly throws at every request of a route.
func refused(route *normalize.Route) bool {
	f := route.Failure()
	return f != nil && len(f.Refused) > 0
}

// refusalWords says what Polly throws over: "Polly takes no DurationOfBreak of
// 1 ms, which is Ocelot's default".
func refusalWords(route *normalize.Route, p names) string {
	var parts []string
	for _, o := range route.Failure().Refused {
		text := fmt.Sprintf("no %s of %s", p.of(o.Option), optionValue(o.Option, float64(o.Value.V)))
		if o.Value.Origin.Kind == config.Default {
			text += ", which is Ocelot's default"
		}
		parts = append(parts, text)
	}
	return "Polly takes " + strings.Join(parts, " and ")
}

// optionValue words the value of an option with its unit.
func optionValue(o normalize.Option, v float64) string {
	switch o {
	case normalize.BreakDuration, normalize.SamplingDuration, normalize.Timeout:
		return duration(int64(v))
	}
	return numeral(v)
}

// failureJSON is why every request of a route fails.
type failureJSON struct {
	Status    int           `json:"status"`
	Exception string        `json:"exception"`
	Message   string        `json:"message"`
	Options   []refusedJSON `json:"options"`
}

// refusedJSON is an option to blame, under the name that the release has.
type refusedJSON struct {
	Option string    `json:"option"`
	Value  number    `json:"value"`
	Span   *spanJSON `json:"span"`
}

// failureOf returns nil where requests do not fail.
func (r *Result) failureOf(route *normalize.Route) *failureJSON {
	f := route.Failure()
	if f == nil {
		return nil
	}
	j := &failureJSON{Status: 500, Exception: f.Exception, Message: f.Message, Options: []refusedJSON{}}
	for _, o := range f.Refused {
		j.Options = append(j.Options, refusedJSON{r.names().of(o.Option), number(o.Value.V), spanOf(r.span(o.Value.Origin))})
	}
	return j
}
