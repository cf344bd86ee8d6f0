package emit

import (
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
)

// names gives options the names that they have in a release.
type names struct{ facts *profile.Facts }

func namesOfRelease(p profile.Profile) names { return names{p.Facts()} }

func (r *Result) names() names { return namesOfRelease(r.Profile) }

func (n names) of(o normalize.Option) string { return o.In(n.facts) }
