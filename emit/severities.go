package emit

import (
	"maps"

	"github.com/margay-dev/margay/schema/diag"
)

// notOcelot is the rule about files that hold nothing of Ocelot's.
const notOcelot = "not-ocelot"

// severities are those of the options. A file that a pattern found may well be
// something else than a gateway: nobody said that it is one.
func (r *Result) severities(opts Options) map[string]diag.Severity {
	if _, set := opts.Severities[notOcelot]; set || !r.Input.Globbed {
		return opts.Severities
	}
	out := maps.Clone(opts.Severities)
	if out == nil {
		out = map[string]diag.Severity{}
	}
	out[notOcelot] = diag.Info
	return out
}
