package normalize

import (
	"math"
	"strconv"

	"github.com/margay-dev/margay/schema/config"
)

// limitNames replaces the deprecated names of RateLimitOptions.
type limitNames struct {
	*rewriter
	global *config.RateLimitByHeaderRule // nil if none
	routes []*config.RateLimitByHeaderRule
}

// limitRename is a deprecated name of RateLimitOptions and what replaced it in
// 24.1.
type limitRename struct {
	deprecated, current string
	isSet               func(*config.RateLimitByHeaderRule) (deprecated, current bool)
	// value returns the value under the new name; nil where it stays. It reports
	// false where the new name has no such value.
	value func(*config.RateLimitByHeaderRule) (text string, ok bool)
}

var limitRenames = [...]limitRename{
	{"HttpStatusCode", "StatusCode", func(o *config.RateLimitByHeaderRule) (bool, bool) {
		return o.HttpStatusCode.IsSet(), o.StatusCode.IsSet()
	}, nil},
	{"QuotaExceededMessage", "QuotaMessage", func(o *config.RateLimitByHeaderRule) (bool, bool) {
		return o.QuotaExceededMessage.IsSet(), o.QuotaMessage.IsSet()
	}, nil},
	{"RateLimitCounterPrefix", "KeyPrefix", func(o *config.RateLimitByHeaderRule) (bool, bool) {
		return o.RateLimitCounterPrefix.IsSet(), o.KeyPrefix.IsSet()
	}, nil},
	{"DisableRateLimitHeaders", "EnableHeaders", func(o *config.RateLimitByHeaderRule) (bool, bool) {
		return o.DisableRateLimitHeaders.IsSet(), o.EnableHeaders.IsSet()
	}, func(o *config.RateLimitByHeaderRule) (string, bool) {
		return strconv.FormatBool(!o.DisableRateLimitHeaders.V), true
	}},
	{"PeriodTimespan", "Wait", func(o *config.RateLimitByHeaderRule) (bool, bool) {
		return o.PeriodTimespan.IsSet(), o.Wait.IsSet()
	}, func(o *config.RateLimitByHeaderRule) (string, bool) {
		return waitText(o.PeriodTimespan.V)
	}},
}

// waitText writes seconds as Wait has them. Ocelot takes no negative time and
// rounds parts of a millisecond.
func waitText(seconds float64) (string, bool) {
	ms := seconds * 1000
	if !(ms >= 0 && ms <= math.MaxInt32) || ms != math.Trunc(ms) {
		return "", false
	}
	if seconds == math.Trunc(seconds) {
		return strconv.Quote(strconv.FormatFloat(seconds, 'f', -1, 64) + "s"), true
	}
	return strconv.Quote(strconv.FormatFloat(ms, 'f', -1, 64) + "ms"), true
}

func (l *limitNames) rename() {
	for i := range limitRenames {
		l.name(&limitRenames[i])
	}
}

// name replaces one name everywhere. A deprecated name of the global section
// beats a route's new one, as with QoSOptions, so that all are replaced or none.
func (l *limitNames) name(n *limitRename) {
	why := l.obstacle(n)
	if l.global != nil {
		l.one(n, l.global, why)
	}
	for _, o := range l.routes {
		l.one(n, o, why)
	}
}

// obstacle says why nothing can be replaced; 0 where each section is by itself.
func (l *limitNames) obstacle(n *limitRename) KeptWhy {
	if l.global == nil || !l.texts.has(l.global.Node, n.deprecated) {
		return 0
	}
	if l.keeps(n, l.global) != 0 {
		return GlobalStays
	}
	for _, o := range l.routes {
		if deprecated, current := n.isSet(o); current && !deprecated {
			return Mixed
		}
		if l.texts.has(o.Node, n.deprecated) && l.keeps(n, o) != 0 {
			return GlobalStays
		}
	}
	return 0
}

// keeps says why one section keeps its deprecated name.
func (l *limitNames) keeps(n *limitRename, o *config.RateLimitByHeaderRule) KeptWhy {
	if !l.texts.plain(o.Node) {
		return Scattered
	}
	if deprecated, _ := n.isSet(o); deprecated && n.value != nil {
		if _, ok := n.value(o); !ok {
			return Unwritable
		}
	}
	return 0
}

func (l *limitNames) one(n *limitRename, o *config.RateLimitByHeaderRule, why KeptWhy) {
	member := l.texts.member(o.Node, n.deprecated)
	if member == 0 {
		return
	}
	if own := l.keeps(n, o); own != 0 {
		why = own
	}
	if why != 0 {
		l.keepMember(member, why)
		return
	}
	deprecated, _ := n.isSet(o)
	switch {
	case !l.texts.has(o.Node, n.current):
	case deprecated:
		l.texts.remove(o.Node, n.current)
	default:
		l.texts.remove(o.Node, n.deprecated)
		return
	}
	l.texts.rename(o.Node, n.deprecated, n.current)
	if deprecated && n.value != nil {
		text, _ := n.value(o)
		l.texts.write(o.Node, n.deprecated, text)
	}
	l.result.Renamed++
}
