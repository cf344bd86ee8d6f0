package rules

import (
	"fmt"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/startup"
)

// tellMember names the key of an aggregate that V21 fails for, where the
// failure points at one.
func tellMember(p *validate.Pass, f *startup.Failure, d *diag.Diagnostic) {
	key, found := memberKeyAt(p, f.At)
	if !found {
		return
	}
	keys := staticKeys(p)
	same := keys.routes[key]
	if len(same) == 0 {
		d.Message, d.Help = fmt.Sprintf("no static route has the Key %q", key), "give the route that is meant this Key"
		keys.suggest(p, d, key)
		return
	}
	d.Message, d.Help = fmt.Sprintf("%d routes have the Key %q, and a member of an aggregate is one", len(same), key), "give each route a Key of its own"
	for _, r := range same {
		d.Related = append(d.Related, diag.Related{Span: p.Span(r.Key.Origin), Message: "this route's Key"})
	}
}
