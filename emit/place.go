package emit

import (
	"strconv"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

// span returns the place of an origin; the zero Span where it has none.
func (r *Result) span(o config.Origin) source.Span { return r.Config.Files().Span(o) }

// keyOf returns the configuration key of a route as .NET names it, such as
// "Routes:2"; that of the global section for unlisted services.
func (r *Result) keyOf(route *normalize.Route) string {
	list := [...]string{
		normalize.Static: "Routes", normalize.Aggregate: "Aggregates",
		normalize.Dynamic: "DynamicRoutes", normalize.Unlisted: "GlobalConfiguration",
	}[route.Kind]
	if section := r.Loaded.Section; section != "" {
		list = section + ":" + list
	}
	if route.Kind == normalize.Unlisted {
		return list
	}
	return list + ":" + strconv.Itoa(route.Index)
}

func (r *Result) globalKey() string {
	if section := r.Loaded.Section; section != "" {
		return section + ":GlobalConfiguration"
	}
	return "GlobalConfiguration"
}

// candidateKey returns the configuration key of a place where an option of a
// route is written.
func (r *Result) candidateKey(route *normalize.Route, option normalize.Option, at normalize.Place) string {
	key := r.globalKey()
	if at == normalize.RouteNew || at == normalize.RouteDeprecated {
		key = r.keyOf(route)
	}
	if option < normalize.RouteTimeout {
		key += ":QoSOptions"
	}
	return key + ":" + writtenName(option, at)
}

// writtenName returns the name with which an option is written at a place.
func writtenName(option normalize.Option, at normalize.Place) string {
	if at != normalize.RouteDeprecated && at != normalize.GlobalDeprecated {
		return option.String()
	}
	return option.Deprecated()
}

// spanJSON is a place for other programs, as the reports write it.
type spanJSON = report.Span

func spanOf(s source.Span) *spanJSON { return report.SpanOf(s) }

// samePlace says whether two origins are the same text, whatever became of it.
func samePlace(a, b config.Origin) bool {
	return a.File == b.File && a.Start == b.Start && a.End == b.End && (a.Kind == config.Outside) == (b.Kind == config.Outside) && b.Kind != config.Default
}
