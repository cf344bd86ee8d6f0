package emit

import (
	"strconv"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/config"
)

// guards fills in what decides who may call, how often, and what is changed on
// the way.
func (l *lowering) guards(out *plan.Route, route *normalize.Route) {
	out.Unread = l.unread(route)
	out.Authentication = l.authentication(route)
	out.RateLimit = l.rateLimit(route)
	out.Cache = l.cache(route)
	if route.Kind != normalize.Static {
		return
	}
	s, g := route.Static, l.global
	out.RequestHeaders = transforms(s.UpstreamHeaderTransform, g.UpstreamHeaderTransform)
	out.ResponseHeaders = transforms(s.DownstreamHeaderTransform, g.DownstreamHeaderTransform)
	out.RequestIDHeader = orText(s.RequestIdKey.V, g.RequestIdKey.V)
	out.ClientIPs = clientIPs(s.SecurityOptions, g.SecurityOptions)
	out.Claims = claims(s)
	out.Handlers = namesOf(s.DelegatingHandlers)
}

// authentication merges AuthenticationOptions member by member; the deprecated
// single key comes first. Unlisted services are held to the global section
// whatever its RouteKeys are: a doubt never opens a door.
func (l *lowering) authentication(route *normalize.Route) *plan.Authentication {
	var own, global config.AuthenticationOptions
	if base := route.Base(); base != nil && base.AuthenticationOptions != nil {
		own = *base.AuthenticationOptions
	}
	if o := l.global.AuthenticationOptions; o != nil && (route.Kind == normalize.Unlisted || l.groups.has(&l.groups.authentication, route)) {
		global = o.AuthenticationOptions
	}
	if own.AllowAnonymous.Or(global.AllowAnonymous).V {
		return nil
	}
	var schemes []string
	if key := unlessBlank(own.AuthenticationProviderKey.V, global.AuthenticationProviderKey.V); strings.TrimSpace(key) != "" {
		schemes = append(schemes, key)
	}
	schemes = append(schemes, namesOf(unlessEmpty(own.AuthenticationProviderKeys, global.AuthenticationProviderKeys))...)
	if len(schemes) == 0 {
		return nil
	}
	return &plan.Authentication{Schemes: schemes, Scopes: namesOf(unlessEmpty(own.AllowedScopes, global.AllowedScopes))}
}

func unlessEmpty(list, other *config.List[string]) *config.List[string] {
	if list.Len() > 0 {
		return list
	}
	return other
}

// cache merges CacheOptions; on a static route the deprecated FileCacheOptions
// wins as a whole.
func (l *lowering) cache(route *normalize.Route) *plan.Cache {
	var own, global config.CacheOptions
	if base := route.Base(); base != nil && base.CacheOptions != nil {
		own = *base.CacheOptions
	}
	if route.Kind == normalize.Static && route.Static.FileCacheOptions != nil {
		own = *route.Static.FileCacheOptions
	}
	if l.groups.has(&l.groups.cache, route) {
		global = l.global.CacheOptions.CacheOptions
	}
	seconds := own.TtlSeconds.Or(global.TtlSeconds).V
	if seconds <= 0 {
		return nil
	}
	return &plan.Cache{
		TTL:         plan.Millis(seconds) * 1000,
		Region:      unlessBlank(unlessBlank(own.Region.V, global.Region.V), route.LoadBalancerKey()),
		Header:      unlessBlank(unlessBlank(own.Header.V, global.Header.V), "OC-Cache-Control"),
		HashContent: own.EnableContentHashing.Or(global.EnableContentHashing).V,
	}
}

// clientIPs takes the global list only where the route has none.
func clientIPs(own, global *config.SecurityOptions) *plan.ClientIPs {
	for _, o := range []*config.SecurityOptions{own, global} {
		if o != nil && o.IPAllowedList.Len()+o.IPBlockedList.Len() > 0 {
			return &plan.ClientIPs{
				Allowed: namesOf(o.IPAllowedList), Blocked: namesOf(o.IPBlockedList),
				AllowedBeatBlocked: o.ExcludeAllowedFromBlocked.V,
			}
		}
	}
	return nil
}

// transforms reads header transforms, those of the route first; it wins over
// the global section name by name. A text with a comma replaces one text
// inside the header by another.
func transforms(own, global *config.Dict) []plan.HeaderTransform {
	var list []plan.HeaderTransform
	add := func(e config.Entry) {
		if !e.Value.IsSet() {
			return
		}
		t := plan.HeaderTransform{Name: e.Key.V, Kind: plan.SetHeader, Value: e.Value.V}
		if parts := strings.Split(e.Value.V, ","); len(parts) > 1 {
			t.Kind, t.Find, t.Value = plan.ReplaceInside, parts[0], strings.TrimLeft(parts[1], " \t")
		}
		list = append(list, t)
	}
	for _, e := range own.All() {
		add(e)
	}
	for _, e := range global.All() {
		if _, taken := own.Get(e.Key.V); !taken {
			add(e)
		}
	}
	return list
}

func claims(s *config.Route) *plan.Claims {
	c := &plan.Claims{
		ToClaims: claimCopies(s.AddClaimsToRequest), ToHeaders: claimCopies(s.AddHeadersToRequest),
		ToQuery: claimCopies(s.AddQueriesToRequest), ToPath: claimCopies(s.ChangeDownstreamPathTemplate),
	}
	for _, e := range s.RouteClaimsRequirement.All() {
		c.Required = append(c.Required, plan.ClaimRequirement{Type: e.Key.V, Value: e.Value.V})
	}
	if c.Required == nil && c.ToClaims == nil && c.ToHeaders == nil && c.ToQuery == nil && c.ToPath == nil {
		return nil
	}
	return c
}

// claimCopies reads "Claims[type] > value[index] > delimiter" as Ocelot's
// ClaimToThingConfigurationParser does, which drops what it cannot read with a
// line on the level Debug.
func claimCopies(d *config.Dict) []plan.ClaimCopy {
	var list []plan.ClaimCopy
	for _, e := range d.All() {
		parts := strings.Split(e.Value.V, ">")
		claim, ok := bracketed(parts[0], "Claims")
		if len(parts) < 2 || !ok {
			continue
		}
		c := plan.ClaimCopy{Name: e.Key.V, Claim: claim}
		if index, ok := bracketed(parts[1], "value"); ok && len(parts) > 2 {
			n, err := strconv.Atoi(strings.TrimSpace(index))
			if err != nil {
				continue
			}
			c.Index, c.Delimiter = n, strings.TrimSpace(parts[2])
		}
		list = append(list, c)
	}
	return list
}

// bracketed returns what stands between brackets behind a word.
func bracketed(text, word string) (string, bool) {
	_, after, ok := strings.Cut(text, word+"[")
	inside, _, closed := strings.Cut(after, "]")
	return inside, ok && closed
}
