// Package clientip admits clients by the address of their connection.
//
// It reads the patterns of SecurityOptions and decides as Ocelot does
// (SecurityOptionsCreator, IPSecurityPolicy; recordings sec-*): who is blocked
// is turned away, and where a list of allowed clients exists, so is who is not
// in it. Two things differ, both in favour of the list: a pattern that cannot
// be read is an error, where Ocelot drops it and, if it was the only one,
// admits everybody; and ::ffff:10.0.0.1 is the client 10.0.0.1, however the
// server listens. A large network costs no more than a single address.
package clientip

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/margay-dev/margay/runtime/plan"
)

// Filter decides which clients are admitted. The zero value admits everybody;
// a Filter is safe for concurrent use.
type Filter struct {
	allowed, blocked ranges
	limited          bool // only the allowed ones are admitted
	allowedFirst     bool
}

// PatternError is a pattern that is no address, range or network.
type PatternError struct {
	// List is "IPAllowedList" or "IPBlockedList".
	List string
	// Pattern is the text as it is configured.
	Pattern string
}

// Error says which pattern of which list cannot be read.
func (e *PatternError) Error() string {
	return fmt.Sprintf("%s holds %q, which is no address, range or network", e.List, e.Pattern)
}

// New reads the lists of a route; nil admits everybody. The error joins a
// *PatternError for each pattern that cannot be read; the Filter then does
// without them, and turns everybody away where no allowed client is left.
func New(lists *plan.ClientIPs) (*Filter, error) {
	f := &Filter{}
	if lists == nil {
		return f, nil
	}
	var allowedErr, blockedErr error
	f.allowed, allowedErr = read("IPAllowedList", lists.Allowed)
	f.blocked, blockedErr = read("IPBlockedList", lists.Blocked)
	f.limited = len(lists.Allowed) > 0
	f.allowedFirst = lists.AllowedBeatBlocked
	return f, errors.Join(allowedErr, blockedErr)
}

// Admits reports whether a client may pass. An address that is not known, the
// zero Addr, passes only where there are no lists.
func (f *Filter) Admits(client netip.Addr) bool {
	if !f.limited && len(f.blocked) == 0 {
		return true
	}
	if !client.IsValid() {
		return false
	}
	client = client.Unmap().WithZone("")
	switch allowed := f.allowed.contain(client); {
	case allowed && f.allowedFirst:
		return true
	case f.blocked.contain(client):
		return false
	default:
		return allowed || !f.limited
	}
}

func read(list string, patterns []string) (ranges, error) {
	var out ranges
	var errs []error
	for _, text := range patterns {
		r, ok := parse(text)
		if !ok {
			errs = append(errs, &PatternError{List: list, Pattern: text})
			continue
		}
		out = append(out, r)
	}
	return out.merged(), errors.Join(errs...)
}
