package upgrade

import (
	"math"
	"slices"
	"strings"

	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
)

// sign tells of which surprise a change of a route is: that where the way leads
// over a release and shows says so.
type sign struct {
	number  string
	release string
	shows   func(s *subject) bool
}

// day and never are numbers of milliseconds with a meaning of their own.
const (
	day   = 86_400_000
	never = math.MaxInt32
)

// signs are in the order of the numbers.
var signs = [...]sign{
	{"U01", "24.1.0", func(s *subject) bool { return s.qos() && s.fromGlobal() && !s.ownQoS() }},
	{"U02", "24.1.0", func(s *subject) bool { return s.qos() && s.fromGlobal() && s.ownQoS() }},
	{"U03", "24.1.0", func(s *subject) bool { return s.ratioMoves() }},
	{"U04", "24.1.0", func(s *subject) bool { return s.ratioMoves() }},
	{"U05", "24.1.0", func(s *subject) bool { return s.ratioMoves() }},
	{"U06", "24.1.0", func(s *subject) bool { return s.both() && s.has("breaker") && s.wrote(normalize.MinimumThroughput, 1) }},
	{"U07", "24.1.0", func(s *subject) bool { return s.both() && s.has("outerTimeout") && s.twoTimers() }},
	{"U08", "24.1.0", func(s *subject) bool { return s.kind == change.Dropped && s.causeWasUnread() }},
	{"U10", "24.1.0", func(s *subject) bool { return s.routeTimeoutWorks() && s.new.RouteTimeout.V < 1000 }},
	{"U11", "24.1.0", func(s *subject) bool { return s.routeTimeoutWorks() && s.new.RouteTimeout.V >= 1000 }},
	{"U13", "24.1.0", func(s *subject) bool { return s.limits() && s.wrote(normalize.Timeout, 10) }},
	{"U14", "24.1.0", func(s *subject) bool { return s.limits() && s.refusedBefore(normalize.Timeout, 1, 9) }},
	{"U15", "24.1.0", func(s *subject) bool { return s.limits() && s.wrote(normalize.Timeout, day) }},
	{"U16", "24.1.0", func(s *subject) bool { return s.limits() && s.wrote(normalize.Timeout, never) }},
	{"U17", "24.1.0", func(s *subject) bool { return s.limits() && s.wrote(normalize.Timeout, normalize.Infinite) }},
	{"U20", "24.1.0", func(s *subject) bool { return s.splits() }},
	{"U21", "24.1.0", func(s *subject) bool { return s.joins() && s.stickyType() == stickySessions }},
	{"U22", "24.1.0", func(s *subject) bool { return s.joins() && s.stickyType() != stickySessions }},
	{"U23", "24.1.0", func(s *subject) bool { return s.has("failures.timeouts") }},
	{"U24", "24.1.0", func(s *subject) bool { return s.qos() && s.new.Kind == normalize.Dynamic && s.ownQoS() }},
	{"U25", "24.1.0", func(s *subject) bool { return s.qos() && s.new.Kind != normalize.Static && s.grouped() }},
	{"U27", "24.1.0", func(s *subject) bool {
		return s.both() && s.new.Kind == normalize.Unlisted && s.has("outerTimeout", "failure") && s.new.OuterTimeout.V <= 0
	}},
	{"U28", "24.1.0", func(s *subject) bool { return s.qos() && s.globalNameWins() }},
	{"U30", "25.0.0", func(s *subject) bool { return s.both() && s.has("breaker") && s.ratioAlone() }},
	{"U32", "25.0.0", func(s *subject) bool {
		return s.both() && s.a.Provider == profile.Polly && s.b.Provider == profile.Builtin && s.change.Aspect == "breaker"
	}},
	{"U34", "23.3.0", func(s *subject) bool {
		return s.both() && s.has("failure") && s.refusedBefore(normalize.BreakDuration, math.MinInt32, 499)
	}},
	{"U35", "23.3.0", func(s *subject) bool {
		return s.both() && s.has("failure") && s.refusedBefore(normalize.MinimumThroughput, 1, 1)
	}},
	{"U36", "23.3.0", func(s *subject) bool {
		return s.both() && s.has("breaker.breakDuration") && s.wrote(normalize.BreakDuration, 500)
	}},
	{"U37", "23.3.0", func(s *subject) bool { return s.splits() && s.new.Base() != nil && s.new.Base().ServiceName.V != "" }},
	{"U38", "23.0.0", func(s *subject) bool {
		return s.both() && s.has("breaker") && s.old.Breaker.Kind == normalize.Consecutive && s.new.Breaker.Kind == normalize.Polly
	}},
	{"U39", "23.0.0", func(s *subject) bool { return s.both() && s.has("failure") && s.refusedNow(normalize.BreakDuration) }},
	{"U40", "23.0.0", func(s *subject) bool { return s.both() && s.has("failure") && s.refusedBefore(normalize.Timeout, 0, 0) }},
	{"U41", "23.0.0", func(s *subject) bool { return s.has("failures.timeouts") }},
}

// surprises are the numbers of all that explain the change.
func (s *subject) surprises() []string {
	found := []string{}
	for _, x := range s.shown {
		if x.shows(s) {
			found = append(found, x.number)
		}
	}
	return found
}

// qos says whether the change is about the breaker, timeouts or a refused option
// of a route that both releases have.
func (s *subject) qos() bool {
	return s.both() && (s.change.Aspect == "breaker" || s.change.Aspect == "timeout" || s.change.Aspect == "failure") && !s.has("circuit")
}

// limits is qos for what the attempt timeout brings about.
func (s *subject) limits() bool {
	return s.both() && s.has("attemptTimeout", "outerTimeout", "failure")
}

// decisions returns how the options of the new release were decided.
func (s *subject) decisions() []normalize.Decision[int32] {
	o := &s.new.Options
	return []normalize.Decision[int32]{o.BreakDuration, o.MinimumThroughput, o.SamplingDuration, o.Timeout}
}

func (s *subject) fromGlobal() bool {
	isGlobal := func(p normalize.Place) bool { return p == normalize.GlobalNew || p == normalize.GlobalDeprecated }
	return s.new.Kind == normalize.Static && (isGlobal(s.new.Options.FailureRatio.From) ||
		slices.ContainsFunc(s.decisions(), func(d normalize.Decision[int32]) bool { return isGlobal(d.From) }))
}

// ownQoS says whether the route sets an option itself.
func (s *subject) ownQoS() bool {
	for o := normalize.BreakDuration; o <= normalize.Timeout; o++ {
		isOwn := func(c normalize.Candidate) bool {
			return c.Place == normalize.RouteNew || c.Place == normalize.RouteDeprecated
		}
		if slices.ContainsFunc(s.new.Candidates(o), isOwn) {
			return true
		}
	}
	return false
}

// ratioMoves says whether the numbers of Polly's breaker differ that nobody
// could write before 24.1.
func (s *subject) ratioMoves() bool {
	return s.both() && s.has("breaker.failureRatio", "breaker.samplingDuration") && s.old.Breaker.Kind == normalize.Polly && s.new.Breaker.Kind == normalize.Polly
}

// wrote says whether an option that decided in the old release is a number.
func (s *subject) wrote(o normalize.Option, n int32) bool {
	options := &s.old.Options
	v := map[normalize.Option]normalize.Decision[int32]{
		normalize.BreakDuration: options.BreakDuration, normalize.MinimumThroughput: options.MinimumThroughput, normalize.Timeout: options.Timeout,
	}[o]
	return v.IsSet() && v.V == n
}

// twoTimers says whether the old release ran one more timer of the same length
// around the attempt timeout.
func (s *subject) twoTimers() bool {
	t := s.old.Options.Timeout.V
	return t > 0 && t != never && s.old.OuterTimeout.V == int64(t)
}

func (s *subject) causeWasUnread() bool {
	for i := range s.to.Config.Dropped {
		at := s.to.Config.Files().Span(s.to.Config.Dropped[i].Reason.At.Origin)
		if place := s.change.At; place != nil && !at.IsZero() && at.Position().Line == place.Line && s.wasUnread(at) {
			return true
		}
	}
	return false
}

// routeTimeoutWorks says whether the Timeout of the route itself is in force now.
func (s *subject) routeTimeoutWorks() bool {
	return s.both() && s.has("outerTimeout", "failure") && s.new.RouteTimeout.From == normalize.RouteNew
}

// refusedBefore says whether the old release answered every request 500 because
// of an option between two numbers, both included.
func (s *subject) refusedBefore(o normalize.Option, least, most int32) bool {
	n, ok := refused(s.old, o)
	return ok && n >= least && n <= most
}

func (s *subject) refusedNow(o normalize.Option) bool {
	_, ok := refused(s.new, o)
	return ok
}

// splits and joins say that a circuit is shared no more, or now.
func (s *subject) splits() bool {
	return s.both() && s.has("circuit") && !slices.ContainsFunc(s.change.Fields, func(f change.Field) bool { return f.Name == "circuit" && f.New != nil })
}

func (s *subject) joins() bool { return s.both() && s.has("circuit") && !s.splits() }

const stickySessions = "CookieStickySessions"

// stickyType is the written type of a route's load balancer.
func (s *subject) stickyType() string {
	base := s.new.Base()
	if base == nil || base.LoadBalancerOptions == nil || !strings.EqualFold(base.LoadBalancerOptions.Type.V, stickySessions) {
		return stickySessions
	}
	return base.LoadBalancerOptions.Type.V
}

// grouped says whether the global section names routes.
func (s *subject) grouped() bool {
	o := s.to.Config.Global.QoSOptions
	return o != nil && o.RouteKeys.Len() > 0
}

// globalNameWins says whether a deprecated name of the global section beats a new
// name of the route.
func (s *subject) globalNameWins() bool {
	return slices.ContainsFunc(s.decisions(), func(d normalize.Decision[int32]) bool {
		return d.From == normalize.GlobalDeprecated && d.Beat.Has(normalize.RouteNew)
	})
}

// ratioAlone says whether FailureRatio alone makes QoS active.
func (s *subject) ratioAlone() bool { return ratioAlone(s.new) && !s.old.Active }

func ratioAlone(r *normalize.Route) bool {
	o := &r.Options
	return r.Active && o.FailureRatio.V > 0 && o.MinimumThroughput.V <= 0 && o.Timeout.V <= 0
}
