package emit

import (
	"fmt"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
)

// outer explains the outer timeout.
func (e *explanation) outer() derived {
	r := e.route
	d := derived{option: "outer timeout", value: duration(r.OuterTimeout.V)}
	if !e.Profile.Facts().RouteTimeouts {
		return e.olderOuter(d)
	}
	candidates := r.Candidates(normalize.RouteTimeout)
	switch {
	case r.Resilience != nil && r.Resilience.TotalTimeout.IsSet():
		d.because = "TotalTimeout of ResilienceOptions, " + e.lineWords(r.Resilience.TotalTimeout.Origin)
	case r.RouteTimeout.From == normalize.Nowhere && len(candidates) == 0:
		d.because = "default; neither the route nor the global section sets Timeout"
	case r.RouteTimeout.From == normalize.Nowhere:
		d.because = "default"
	default:
		d.because = e.timeoutPlace(candidates)
	}
	for _, s := range r.Substitutions() {
		switch {
		case s.Why == normalize.ZeroTimeout && s.Effective.IsSet():
			d.because += fmt.Sprintf("; 0 and less count as %s s", numeral(s.Effective.V))
		case s.Why == normalize.ZeroTimeout:
			d.because += fmt.Sprintf("; the %s s in %s is not used", numeral(s.Written.V), e.lineWords(s.Written.Origin))
		case s.Option >= normalize.RouteTimeout:
			d.because += "; " + substitution(s)
		}
	}
	return d
}

// olderOuter explains the outer timeout of releases in which the option of the
// attempt timeout is that of the whole request too.
func (e *explanation) olderOuter(d derived) derived {
	name, ms := e.names().of(normalize.Timeout), e.route.OuterTimeout
	switch {
	case ms.Origin.Kind == config.Default:
		d.because = fmt.Sprintf("default: %s is 0", name)
	case ms.V == normalize.Infinite:
		d.value, d.because = none, name+" -1 switches it off"
	case ms.V < 0:
		d.because = fmt.Sprintf("%s is the timer of the whole request too, which can't be negative: every request fails with 500", name)
	default:
		d.because = fmt.Sprintf("%s is the timer of the whole request too", name)
	}
	if base := e.route.Base(); base != nil && base.Timeout.V != 0 {
		d.because += fmt.Sprintf("; Timeout %s s of the route, %s, has no effect", numeral(float64(base.Timeout.V)), e.lineWords(base.Timeout.Origin))
	}
	return d
}

// timeoutPlace names the timeout that decides and the one that it beats.
func (e *explanation) timeoutPlace(candidates []normalize.Candidate) string {
	text := ""
	for _, c := range candidates {
		if c.Place == e.route.RouteTimeout.From {
			text = fmt.Sprintf("Timeout %s s of the %s", numeral(c.Value.V), e.where(normalize.RouteTimeout, c))
		}
	}
	for _, c := range candidates {
		if c.Place != e.route.RouteTimeout.From {
			text += fmt.Sprintf("; beats %s s of the %s", numeral(c.Value.V), e.where(normalize.RouteTimeout, c))
		}
	}
	return text
}
