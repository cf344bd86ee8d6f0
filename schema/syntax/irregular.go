package syntax

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
)

// nameSet finds objects with duplicate names or colons in names. It looks at
// every name of a file once, eight bytes at a time, and compares names only
// in an object in which two hashes are equal or a name is out of the ordinary.
type nameSet struct {
	// hashes of the names of all open objects, innermost last.
	hashes []uint32
	namesFrame
}

// namesFrame is what is known about the names of the innermost object.
type namesFrame struct {
	base  int  // where its hashes start
	odd   bool // a name has an escape or is not ASCII: its hash is of no use
	colon bool
}

// enter starts an object and returns what was known of the one around it.
func (s *nameSet) enter() (outer namesFrame) {
	outer = s.namesFrame
	s.namesFrame = namesFrame{base: len(s.hashes)}
	return outer
}

// add takes in a name of the innermost object.
func (s *nameSet) add(p *parser, n name) {
	start, end := int(n.start), int(n.end)
	if start < end && p.text[start] == '"' {
		start, end = start+1, max(start+1, end-1)
	}
	h, seen, colons := foldHash(p.text, start, end)
	s.hashes = append(s.hashes, h)
	s.odd = s.odd || n.flags&KeyEscaped != 0 || seen&highs != 0
	s.colon = s.colon || colons != 0
}

// leave ends an object and says whether it is irregular.
func (s *nameSet) leave(p *parser, outer namesFrame, id ID) bool {
	irregular := s.colon
	if !irregular && (s.odd || hasEqual(s.hashes[s.base:])) {
		irregular = p.duplicates(id)
	}
	s.hashes = s.hashes[:s.base]
	s.namesFrame = outer
	return irregular
}

// foldHash hashes text[start:end] with the bit cleared in which ASCII's upper
// and lower case differ. Equal names have equal hashes; some unequal ones,
// such as "[" and "{", have too. seen is the union of all bytes; colons is not
// zero where there is a colon.
func foldHash(text []byte, start, end int) (hash uint32, seen, colons uint64) {
	const caseBit = ones * 0x20
	h := uint64(end-start) * 0x9E3779B97F4A7C15
	for start < end {
		w := word(text, start, end)
		folded := w | caseBit
		seen |= w
		colons |= zeroBytes(folded ^ ones*':')
		h = (h ^ folded) * 0xD6E8FEB86659FD93
		h ^= h >> 32
		start += 8
	}
	return uint32(h), seen, colons
}

// word returns up to eight bytes of text[start:end], the first one lowest.
func word(text []byte, start, end int) uint64 {
	if start+8 > len(text) {
		var tail [8]byte
		copy(tail[:], text[start:end])
		return binary.LittleEndian.Uint64(tail[:])
	}
	w := binary.LittleEndian.Uint64(text[start:])
	if n := end - start; n < 8 {
		w &= 1<<(8*n) - 1
	}
	return w
}

// few is how many hashes are compared each with each other; above it sorting
// is faster.
const few = 24

func hasEqual(hashes []uint32) bool {
	if len(hashes) > few {
		slices.Sort(hashes)
		for i := 1; i < len(hashes); i++ {
			if hashes[i] == hashes[i-1] {
				return true
			}
		}
		return false
	}
	for i, h := range hashes {
		if slices.Contains(hashes[:i], h) {
			return true
		}
	}
	return false
}

// duplicates compares the names of an object as .NET configuration does, and
// looks for colons that are written as escapes.
func (p *parser) duplicates(id ID) bool {
	var names []string
	for c := p.nodes[id].First; c != 0; c = p.nodes[c].Next {
		n := &p.nodes[c]
		key := unquote(p.text[n.KeyStart:n.KeyEnd], n.Flags&KeyEscaped != 0)
		if strings.Contains(key, ":") {
			return true
		}
		names = append(names, key)
	}
	slices.SortFunc(names, ordinal.Compare)
	for i := 1; i < len(names); i++ {
		if ordinal.Compare(names[i-1], names[i]) == 0 {
			return true
		}
	}
	return false
}
