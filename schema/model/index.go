package model

// Index finds a member's place by its name faster than a map: it hashes a few
// letters of the name and compares once. The zero Index is empty.
type Index struct {
	names []string
	// slots holds places plus one; its length is a power of two.
	slots []uint8
}

// maxNames keeps places within a byte and slots at most half full.
const maxNames = 120

// NewIndex returns an index of names, which are ASCII and differ without
// regard to case. It panics on more than 120 names.
func NewIndex(names []string) Index {
	if len(names) > maxNames {
		panic("model: too many names for an index")
	}
	size := 8
	for size < 4*len(names) {
		size *= 2
	}
	x := Index{names: names, slots: make([]uint8, size)}
	for place, name := range names {
		at := hash(name) & uint32(size-1)
		for x.slots[at] != 0 {
			at = (at + 1) & uint32(size-1)
		}
		x.slots[at] = uint8(place + 1)
	}
	return x
}

// Find returns the place of a name, which is compared as .NET compares
// configuration keys; -1 if there is none.
func (x *Index) Find(name string) int {
	if name == "" || len(x.slots) == 0 {
		return -1
	}
	mask := uint32(len(x.slots) - 1)
	for at := hash(name) & mask; x.slots[at] != 0; at = (at + 1) & mask {
		place := int(x.slots[at]) - 1
		if known := x.names[place]; known == name || equalFold(known, name) {
			return place
		}
	}
	return -1
}

// hash mixes the length with letters from all over the name; bit 5 is what
// tells the cases of ASCII letters apart, so it is set.
func hash(name string) uint32 {
	n := len(name)
	h := uint32(n) * 0x9E3779B1
	h = (h ^ uint32(name[0]|0x20)) * 0x01000193
	h = (h ^ uint32(name[n-1]|0x20)) * 0x01000193
	h = (h ^ uint32(name[n/2]|0x20)) * 0x01000193
	h = (h ^ uint32(name[n/3]|0x20)) * 0x01000193
	return h ^ h>>15
}
