package startup

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/config"
)

// samePlaceholders is a rule of 23.2.0 alone: both templates of a route have to
// name the same placeholders.
func (v *validator) samePlaceholders(r *config.Route) {
	up, down := r.UpstreamPathTemplate, r.DownstreamPathTemplate
	if !v.profile.SamePlaceholders() || up.V == "" || down.V == "" || slices.Equal(namesIn(up.V), namesIn(down.V)) {
		return
	}
	v.fail("V23", "placeholder-mismatch", "UpstreamPathTemplate '"+up.V+"' doesn't contain the same placeholders in "+
		"DownstreamPathTemplate '"+down.V+"'", down.Origin, up.Origin)
}

// namesIn returns the placeholders of a template, sorted, each once.
func namesIn(template string) []string {
	var names []string
	for {
		_, rest, found := strings.Cut(template, "{")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			break
		}
		names, template = append(names, name), after
	}
	slices.Sort(names)
	return slices.Compact(names)
}
