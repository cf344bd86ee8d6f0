package upgrade

import (
	"slices"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/known"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
)

// crossing is the way from one release to another.
type crossing struct {
	from, to *emit.Result
	a, b     profile.Profile
	// releases are those of a and b.
	releases [2]profile.Release
	// shown are the signs of the releases on the way.
	shown []*sign
	// unread are the places of what the old release does not read and the new
	// one does.
	unread      []source.Span
	unreadNodes map[syntax.ID]bool
}

func newCrossing(from, to *emit.Result) *crossing {
	c := &crossing{from: from, to: to, a: from.Profile, b: to.Profile, unreadNodes: map[syntax.ID]bool{},
		releases: [2]profile.Release{from.Profile.Release(), to.Profile.Release()}}
	for i := range signs {
		if x := &signs[i]; c.over(x.release) {
			c.shown = append(c.shown, x)
		}
	}
	tree := to.Loaded.Tree
	older, newer := known.Of(tree, to.Loaded.Bound, c.a), known.Of(tree, to.Loaded.Bound, c.b)
	for id := range older {
		if older.Is(id, profile.Unread) && !newer.Is(id, profile.Unread) {
			c.unread = append(c.unread, tree.Span(id))
			c.unreadNodes[id] = true
		}
	}
	return c
}

// over says whether a release lies on the way: it is newer than the old one, and
// not newer than the new one.
func (c *crossing) over(release string) bool {
	at, _ := profile.ParseRelease(release)
	return c.releases[0].Before(at) && !c.releases[1].Before(at)
}

// wasUnread says whether a place lies in something that the old release does not
// read.
func (c *crossing) wasUnread(at source.Span) bool {
	return !at.IsZero() && slices.ContainsFunc(c.unread, func(s source.Span) bool {
		return s.File == at.File && s.Start <= at.Start && at.End <= s.End
	})
}

// services says whether requests are routed by the name of a service.
func (c *crossing) services() bool { return c.to.Gateway.Finder == normalize.Discovery }

// subject is one change of one route.
type subject struct {
	*crossing
	kind   change.Kind
	change *change.Change
	// old and new are the route in both releases; nil where it is not there.
	old, new *normalize.Route
}

// has says whether one of the given members of a plan, or one inside of it,
// differs.
func (s *subject) has(names ...string) bool {
	return slices.ContainsFunc(s.change.Fields, func(f change.Field) bool { return f.Under(names...) })
}

// both says whether both releases have the route.
func (s *subject) both() bool { return s.old != nil && s.new != nil }

// refused says whether the old release answers every request 500 because of an
// option, and with which number.
func refused(r *normalize.Route, o normalize.Option) (int32, bool) {
	f := r.Failure()
	if f == nil {
		return 0, false
	}
	for _, x := range f.Refused {
		if x.Option == o {
			return x.Value.V, true
		}
	}
	return 0, false
}

func (s *subject) failsBefore() bool { return s.old != nil && s.old.Failure() != nil }
func (s *subject) failsNow() bool    { return s.new != nil && s.new.Failure() != nil }

// danger is how bad the change is.
func (s *subject) danger() Danger {
	switch {
	case s.kind == change.Removed, s.kind == change.Dropped:
		return Fails
	case s.change.LessProtected:
		return Protection
	case s.failsBefore() && s.failsNow():
		return Note
	case s.has("failure") && s.failsNow(), s.both() && s.has("outerTimeout") && s.new.OuterTimeout.V == 0:
		return Fails
	case s.has("failure"):
		return Opening
	case s.change.Aspect == "rateLimit":
		return s.limitDanger()
	case s.has("breaker") && s.new.Breaker.Kind == normalize.NoBreaker && s.new.Failure() == nil:
		return Protection
	case s.has("circuit"):
		return Sharing
	case s.change.Aspect == "breaker":
		return Opening
	case s.change.Aspect == "timeout":
		return Time
	}
	return Other
}

// limitDanger is how bad a change of a rate limit is: requests without the header
// that tells clients apart are answered 503, and one that is gone protects no
// more.
func (s *subject) limitDanger() Danger {
	whole := slices.IndexFunc(s.change.Fields, func(f change.Field) bool { return f.Name == "rateLimit" })
	switch {
	case whole >= 0 && s.change.Fields[whole].New == nil:
		return Protection
	case whole >= 0, s.has("rateLimit.clientHeader"):
		return Fails
	}
	return Other
}
