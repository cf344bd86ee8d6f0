package normalize

// ResolveUnder resolves with any set of divergences, so that tests can apply
// the definition of a named divergence literally.
var ResolveUnder = resolveUnder

// ByPolly says whether a route was resolved for Polly.
func (r *Route) ByPolly() bool { return r.by().provider == 1 }
