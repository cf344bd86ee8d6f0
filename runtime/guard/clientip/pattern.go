package clientip

import (
	"net/netip"
	"strconv"
	"strings"
)

// parse reads the forms that Ocelot's IPAddressRange knows: an address, two
// addresses "a-b", an address and the last byte of another "10.0.0.1-9", a
// network "10.0.0.0/24", and an address with a mask "10.0.0.0/255.255.255.0".
// Blanks around the parts do not count.
func parse(text string) (span, bool) {
	text = strings.TrimSpace(text)
	if base, mask, ok := strings.Cut(text, "/"); ok {
		return parseNetwork(strings.TrimSpace(base), strings.TrimSpace(mask))
	}
	if first, last, ok := strings.Cut(strings.ReplaceAll(text, "–", "-"), "-"); ok {
		return parseRange(strings.TrimSpace(first), strings.TrimSpace(last))
	}
	a, ok := parseAddr(text)
	return span{a, a}, ok
}

// parseAddr reads an address; one of IPv4 in the form of IPv6 is one of IPv4.
func parseAddr(text string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(text)
	return a.Unmap().WithZone(""), err == nil
}

func parseRange(first, last string) (span, bool) {
	from, ok := parseAddr(first)
	if !ok {
		return span{}, false
	}
	to, ok := parseAddr(last)
	if !ok {
		to, ok = sameNetwork(from, last)
	}
	if !ok || from.Is4() != to.Is4() || to.Less(from) {
		return span{}, false
	}
	return span{from, to}, true
}

// sameNetwork returns the address that differs from a in its last byte.
func sameNetwork(a netip.Addr, lastByte string) (netip.Addr, bool) {
	n, err := strconv.ParseUint(lastByte, 10, 8)
	if err != nil || !a.Is4() {
		return netip.Addr{}, false
	}
	b := a.As4()
	b[3] = byte(n)
	return netip.AddrFrom4(b), true
}

// parseNetwork reads a length or a mask. The address may have bits behind it.
func parseNetwork(base, mask string) (span, bool) {
	a, err := netip.ParseAddr(base)
	if err != nil {
		return span{}, false
	}
	a = a.WithZone("")
	bits, ok := maskBits(a, mask)
	if !ok {
		return span{}, false
	}
	if a.Is4In6() && bits >= 96 {
		a, bits = a.Unmap(), bits-96
	}
	p, err := a.Prefix(bits)
	if err != nil {
		return span{}, false
	}
	return span{p.Addr(), lastOf(p)}, true
}

func maskBits(a netip.Addr, mask string) (int, bool) {
	if n, err := strconv.ParseUint(mask, 10, 8); err == nil {
		return int(n), true // Prefix refuses what is too long
	}
	m, err := netip.ParseAddr(mask)
	if err != nil || m.Is4() != a.Is4() {
		return 0, false
	}
	return leadingOnes(m.AsSlice())
}

// leadingOnes counts the ones of a mask, behind which only zeros may stand.
func leadingOnes(mask []byte) (int, bool) {
	ones, ended := 0, false
	for _, b := range mask {
		for bit := 7; bit >= 0; bit-- {
			switch set := b>>bit&1 == 1; {
			case set && ended:
				return 0, false
			case set:
				ones++
			default:
				ended = true
			}
		}
	}
	return ones, true
}

// lastOf returns the last address of a network.
func lastOf(p netip.Prefix) netip.Addr {
	b := p.Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 1 << (7 - i%8)
	}
	last, _ := netip.AddrFromSlice(b)
	return last
}
