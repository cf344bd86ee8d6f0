package rules

import (
	"fmt"
	"strconv"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/validate"
)

// duration returns milliseconds in words, in seconds where they are whole tenths of them.
func duration(ms float64) string {
	switch {
	case ms >= 86_400_000 && ms == float64(int64(ms/3_600_000))*3_600_000:
		return number(ms/3_600_000) + " h"
	case ms >= 1000 && ms == float64(int64(ms/100))*100:
		return number(ms/1000) + " s"
	}
	return number(ms) + " ms"
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// valueText is the value of an option as people read it.
func valueText(o normalize.Option, v float64) string {
	switch o {
	case normalize.BreakDuration, normalize.SamplingDuration, normalize.Timeout, normalize.OuterTimeout:
		return duration(v)
	case normalize.RouteTimeout:
		return number(v) + " s"
	}
	return number(v)
}

// option returns the path of a QoS option below a route or the global section.
func option(o normalize.Option) string {
	if o >= normalize.RouteTimeout {
		return "Timeout"
	}
	return "QoSOptions." + o.String()
}

// eachSubstitution calls f for every written value that is not what counts.
// Of routes that have nothing of their own, only those of leads are looked at.
func eachSubstitution(p *validate.Pass, f func(*normalize.Route, normalize.Substitution)) {
	for r := range p.Resolved {
		if r.Kind == normalize.Aggregate {
			continue
		}
		alone := r.Own != nil || r.Base() == nil || r.Base().Timeout.IsSet()
		if !alone && r.Global == nil {
			continue
		}
		found := r.Substitutions()
		if len(found) == 0 || !alone && !leads(p, r) {
			continue
		}
		for _, s := range found {
			f(r, s)
		}
	}
}

// counted returns "1 route" or "3 routes".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// routePlace returns the text that names a route: its upstream template, its
// service, or the whole element.
func routePlace(r *normalize.Route) config.Origin {
	switch {
	case r.Kind == normalize.Static && r.Static.UpstreamPathTemplate.IsSet():
		return r.Static.UpstreamPathTemplate.Origin
	case r.Kind == normalize.Dynamic && r.Dynamic.ServiceName.IsSet():
		return r.Dynamic.ServiceName.Origin
	}
	return r.Section().Origin
}
