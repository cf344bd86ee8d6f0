package plan

import (
	"cmp"
	"slices"
)

// SameBreaker reports whether r and other have breakers with the same numbers
// and the same idea of a failure, so that the state of one can go on in the
// other. Two routes without breaker have the same one.
func (r *Route) SameBreaker(other *Route) bool {
	if (r.Breaker == nil) != (other.Breaker == nil) || !r.Failures.equal(other.Failures) {
		return false
	}
	return r.Breaker == nil || *r.Breaker == *other.Breaker
}

func (f Failures) equal(other Failures) bool {
	return f.TransportErrors == other.TransportErrors && cmp.Or(f.Timeouts, Failure) == cmp.Or(other.Timeouts, Failure) &&
		slices.Equal(f.StatusCodes, other.StatusCodes)
}
