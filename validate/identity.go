package validate

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
)

// AllRoutes is the Route of the subject of a finding that is made once for a
// gateway and shows the first of its routes: which one that is does not matter.
const AllRoutes = "*"

// Identity names a route independent of its place in the file: its verbs,
// sorted, its template and its host, or the service of a dynamic route.
func Identity(r *normalize.Route) string {
	switch r.Kind {
	case normalize.Static:
		return identity(r.Static.UpstreamHttpMethod, r.Static.UpstreamPathTemplate.V, r.Static.UpstreamHost.V)
	case normalize.Aggregate:
		return identity(r.Aggregate.UpstreamHttpMethod, r.Aggregate.UpstreamPathTemplate.V, r.Aggregate.UpstreamHost.V)
	case normalize.Dynamic:
		if ns := r.Dynamic.ServiceNamespace.V; ns != "" {
			return ns + "." + r.Dynamic.ServiceName.V
		}
		return r.Dynamic.ServiceName.V
	}
	return "*"
}

func identity(methods *config.List[string], template, host string) string {
	verbs := make([]string, 0, methods.Len())
	for _, m := range methods.All() {
		verbs = append(verbs, strings.ToUpper(m.V))
	}
	return identityOf(verbs, template, host)
}

// identityOf puts verbs in upper case, a template and a host together.
func identityOf(verbs []string, template, host string) string {
	slices.Sort(verbs)
	text := template
	if len(verbs) > 0 {
		text = strings.Join(slices.Compact(verbs), ",") + " " + template
	}
	if host != "" {
		text += " host=" + host
	}
	return text
}
