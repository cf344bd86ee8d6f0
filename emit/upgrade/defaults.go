package upgrade

import (
	"fmt"
	"slices"

	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/schema/prose"
)

// proxyAspect is the aspect of the one item about UseProxy.
const proxyAspect = "proxy"

// proxyField is the member of plans that UseProxy decides.
const proxyField = "backend.handler.proxy"

// gatherProxies takes the other default of UseProxy out of the routes, nearly all
// of which it concerns, and says it once.
func (r *Report) gatherProxies() {
	count := 0
	on := false
	for i := range r.Routes {
		route := &r.Routes[i]
		route.Changes = slices.DeleteFunc(route.Changes, func(item Item) bool {
			isProxy := len(item.Fields) == 1 && item.Fields[0].Name == proxyField
			if isProxy {
				count++
				on = item.Fields[0].New == true
			}
			return isProxy
		})
		if len(route.Changes) > 0 {
			route.Danger = route.Changes[0].Danger
		}
	}
	if count == 0 {
		return
	}
	r.Routes = slices.DeleteFunc(r.Routes, func(route Route) bool { return len(route.Changes) == 0 })
	now, value := "no longer through", "false"
	if on {
		now, value = "now through", "true"
	}
	r.Gateway = append(r.Gateway, Item{Danger: Other, Aspect: proxyAspect, Text: fmt.Sprintf("requests of %s go %s the proxy that HTTP_PROXY and HTTPS_PROXY name: UseProxy of HttpHandlerOptions is %s where nobody writes it",
		prose.Plural(int64(count), "route"), now, value),
		Surprises: []string{}, Fields: []change.Field{}})
}
