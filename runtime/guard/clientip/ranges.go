package clientip

import (
	"net/netip"
	"slices"
)

// span is a range of addresses of one family, both ends included.
type span struct{ first, last netip.Addr }

// ranges are spans in the order of their addresses, which do not overlap.
type ranges []span

// merged sorts spans and joins those that overlap.
func (r ranges) merged() ranges {
	slices.SortFunc(r, func(a, b span) int { return a.first.Compare(b.first) })
	var out ranges
	for _, s := range r {
		if n := len(out); n > 0 && s.first.Compare(out[n-1].last) <= 0 {
			if s.last.Compare(out[n-1].last) > 0 {
				out[n-1].last = s.last
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

func (r ranges) contain(a netip.Addr) bool {
	i, found := slices.BinarySearchFunc(r, a, func(s span, a netip.Addr) int { return s.first.Compare(a) })
	return found || i > 0 && a.Compare(r[i-1].last) <= 0
}
