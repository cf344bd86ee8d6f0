package rules

import (
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/validate"
)

// reaches says whether a global section with these RouteKeys is for a route:
// no keys are for every route, and keys are compared with regard to case.
func reaches(p *validate.Pass, keys *config.List[string], base *config.RouteBase) bool {
	if keys.Len() == 0 {
		return true
	}
	key := memberKey{base.Key.V, base.Key.IsSet()}
	if keys.Len() > fewKeys {
		return membersOf(p, keys)[key]
	}
	for _, k := range keys.All() {
		if (memberKey{k.V, k.IsSet()}) == key {
			return true
		}
	}
	return false
}

// fewKeys is up to how many keys comparing each beats a set of them.
const fewKeys = 8

// memberKey is a key of a group; one that is null stands for routes without.
type memberKey struct {
	text string
	set  bool
}

type membersKey struct{ keys *config.List[string] }

func membersOf(p *validate.Pass, keys *config.List[string]) map[memberKey]bool {
	return validate.Share(p.Input, membersKey{keys}, func() map[memberKey]bool {
		members := make(map[memberKey]bool, keys.Len())
		for _, k := range keys.All() {
			members[memberKey{k.V, k.IsSet()}] = true
		}
		return members
	})
}

// protection is who may call a route.
type protection struct {
	schemes []string
	claims  int
}

// protectionOf merges AuthenticationOptions member by member (auth-glob): a
// route is authenticated if a scheme is left and AllowAnonymous is not true.
func protectionOf(p *validate.Pass, base *config.RouteBase) protection {
	var own, global config.AuthenticationOptions
	if o := base.AuthenticationOptions; o != nil {
		own = *o
	}
	if o := p.Config.Global.AuthenticationOptions; o != nil && reaches(p, o.RouteKeys, base) {
		global = o.AuthenticationOptions
	}
	if own.AllowAnonymous.Or(global.AllowAnonymous).V {
		return protection{}
	}
	return protection{schemes: schemesOf(&own, &global)}
}

func schemesOf(own, global *config.AuthenticationOptions) []string {
	var schemes []string
	if key := unlessBlank(own.AuthenticationProviderKey.V, global.AuthenticationProviderKey.V); key != "" {
		schemes = append(schemes, key)
	}
	keys := own.AuthenticationProviderKeys
	if keys.Len() == 0 {
		keys = global.AuthenticationProviderKeys
	}
	for _, k := range keys.All() {
		schemes = append(schemes, k.V)
	}
	return schemes
}

func unlessBlank(s, other string) string {
	if strings.TrimSpace(s) == "" {
		return strings.TrimSpace(other)
	}
	return s
}

// protectionOfStatic adds the claims that a static route wants.
func protectionOfStatic(p *validate.Pass, r *config.Route) protection {
	found := protectionOf(p, &r.RouteBase)
	found.claims = len(r.RouteClaimsRequirement.All())
	return found
}

func (a protection) none() bool { return len(a.schemes) == 0 && a.claims == 0 }

// String names what protects, for messages.
func (a protection) String() string {
	switch {
	case a.none():
		return "no authentication"
	case len(a.schemes) == 0:
		return "claims"
	case a.claims == 0:
		return "authentication"
	}
	return "authentication and claims"
}

// weakerThan says whether a request that a demands to be authenticated, or to
// have claims, needs neither on the other side.
func (a protection) weakerThan(b protection) bool {
	return len(a.schemes) == 0 && len(b.schemes) > 0 || a.claims == 0 && b.claims > 0
}

// cacheOf returns the section and the options that decide how long answers of a
// route are kept; ttl is in seconds. A static route's deprecated FileCacheOptions
// wins as a whole.
func cacheOf(p *validate.Pass, r *normalize.Route) (at config.Origin, ttl int32, header string) {
	var own, global config.CacheOptions
	if o := r.Base().CacheOptions; o != nil {
		own = *o
	}
	if r.Kind == normalize.Static && r.Static.FileCacheOptions != nil {
		own = *r.Static.FileCacheOptions
	}
	if o := p.Config.Global.CacheOptions; o != nil && reaches(p, o.RouteKeys, r.Base()) {
		global = o.CacheOptions
	}
	seconds := own.TtlSeconds.Or(global.TtlSeconds)
	return seconds.Origin, seconds.V, unlessBlank(own.Header.V, global.Header.V)
}
