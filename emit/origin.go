package emit

import (
	"math"
	"path/filepath"
	"strconv"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
)

// slashed returns a path as machine formats print it.
func slashed(path string) string { return filepath.ToSlash(path) }

// originJSON says what decided a value.
type originJSON struct {
	// Kind is "explicit", "default", "derived" or "outside".
	Kind string `json:"kind"`
	// Span is the text that decided; null for a default.
	Span *spanJSON `json:"span"`
	// Path is the configuration key of that text; null for a default.
	Path *string `json:"path"`
	// Replaced are the written values that lost; null where none did.
	Replaced []replacedJSON `json:"replaced"`
}

// replacedJSON is a written value that is not the one in force.
type replacedJSON struct {
	Value number    `json:"value"`
	Path  string    `json:"path"`
	Span  *spanJSON `json:"span"`
}

// originsJSON has one member for each value of a route that is set.
type originsJSON struct {
	BreakDuration     *originJSON `json:"options.BreakDuration,omitempty"`
	MinimumThroughput *originJSON `json:"options.MinimumThroughput,omitempty"`
	FailureRatio      *originJSON `json:"options.FailureRatio,omitempty"`
	SamplingDuration  *originJSON `json:"options.SamplingDuration,omitempty"`
	Timeout           *originJSON `json:"options.Timeout,omitempty"`

	BreakerMinimumThroughput *originJSON `json:"breaker.minimumThroughput,omitempty"`
	BreakerFailureRatio      *originJSON `json:"breaker.failureRatio,omitempty"`
	BreakerSamplingDuration  *originJSON `json:"breaker.samplingDuration,omitempty"`
	BreakerBreakDuration     *originJSON `json:"breaker.breakDuration,omitempty"`

	AttemptTimeout *originJSON `json:"attemptTimeout,omitempty"`
	RouteTimeout   *originJSON `json:"routeTimeout,omitempty"`
	OuterTimeout   *originJSON `json:"outerTimeout,omitempty"`
}

func originKind(k config.OriginKind) string {
	return [...]string{"unset", "explicit", "default", "derived", "outside"}[k]
}

// originsOf collects the origins of a route.
func (r *Result) originsOf(route *normalize.Route) *originsJSON {
	o, b := &route.Options, &route.Breaker
	return &originsJSON{
		BreakDuration:     r.decided(route, normalize.BreakDuration, o.BreakDuration.Origin),
		MinimumThroughput: r.decided(route, normalize.MinimumThroughput, o.MinimumThroughput.Origin),
		FailureRatio:      r.decided(route, normalize.FailureRatio, o.FailureRatio.Origin),
		SamplingDuration:  r.decided(route, normalize.SamplingDuration, o.SamplingDuration.Origin),
		Timeout:           r.decided(route, normalize.Timeout, o.Timeout.Origin),

		BreakerMinimumThroughput: r.effective(route, normalize.MinimumThroughput, b.MinimumThroughput.Origin),
		BreakerFailureRatio:      r.effective(route, normalize.FailureRatio, b.FailureRatio.Origin),
		BreakerSamplingDuration:  r.effective(route, normalize.SamplingDuration, b.SamplingDuration.Origin),
		BreakerBreakDuration:     r.effective(route, normalize.BreakDuration, b.BreakDuration.Origin),

		AttemptTimeout: r.effective(route, normalize.Timeout, route.AttemptTimeout.Origin),
		RouteTimeout:   r.decided(route, normalize.RouteTimeout, route.RouteTimeout.Origin),
		OuterTimeout:   r.outerOrigin(route),
	}
}

// decided returns the origin of a value that won over other places; nil if it
// is not set.
func (r *Result) decided(route *normalize.Route, option normalize.Option, at config.Origin) *originJSON {
	if !at.IsSet() {
		return nil
	}
	o := &originJSON{Kind: originKind(at.Kind), Span: spanOf(r.span(at))}
	for _, c := range route.Candidates(option) {
		path := r.candidateKey(route, option, c.Place)
		if samePlace(c.Value.Origin, at) {
			o.Path = &path
			if at.Kind != config.Derived {
				continue
			}
		}
		o.Replaced = append(o.Replaced, replacedJSON{number(c.Value.V), path, spanOf(r.span(c.Value.Origin))})
	}
	return o
}

// effective returns the origin of a value that a provider uses; nil if it is
// not set.
func (r *Result) effective(route *normalize.Route, option normalize.Option, at config.Origin) *originJSON {
	if at.Kind == config.Explicit {
		return r.plainOrigin(route, option, at)
	}
	return r.decided(route, option, at)
}

// plainOrigin is that of a written value in force; what it beat stands with
// the option.
func (r *Result) plainOrigin(route *normalize.Route, option normalize.Option, at config.Origin) *originJSON {
	o := &originJSON{Kind: originKind(at.Kind), Span: spanOf(r.span(at))}
	for _, c := range route.Candidates(option) {
		if samePlace(c.Value.Origin, at) {
			path := r.candidateKey(route, option, c.Place)
			o.Path = &path
		}
	}
	return o
}

// outerOrigin is that of the route's timeout, of TotalTimeout, or of the
// attempt timeout that is doubled.
func (r *Result) outerOrigin(route *normalize.Route) *originJSON {
	at := route.OuterTimeout.Origin
	switch {
	case !at.IsSet():
		return nil
	case route.OuterDoubled, !r.Profile.Facts().RouteTimeouts:
		return r.decided(route, normalize.Timeout, at)
	case route.Resilience != nil && route.Resilience.TotalTimeout.IsSet():
		path := r.keyOf(route) + ":ResilienceOptions:TotalTimeout"
		if base := route.Base(); base == nil || base.Resilience == nil || !base.Resilience.TotalTimeout.IsSet() {
			path = r.globalKey() + ":ResilienceOptions:TotalTimeout"
		}
		return &originJSON{Kind: originKind(at.Kind), Span: spanOf(r.span(at)), Path: &path}
	}
	return r.effective(route, normalize.RouteTimeout, at)
}

// number is a number in JSON; NaN and the infinities, which JSON has no
// numbers for, are strings.
type number float64

// MarshalJSON implements json.Marshaler.
func (n number) MarshalJSON() ([]byte, error) {
	f := float64(n)
	switch {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Infinity"`), nil
	case f == math.Trunc(f) && math.Abs(f) < 1e15:
		return strconv.AppendFloat(nil, f, 'f', -1, 64), nil
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64), nil
}
