package source

import "unicode/utf8"

// ByteOffset returns the offset in Raw of the character at an offset in Text.
// The two differ by the byte order mark, in UTF-16 and UTF-32, and behind
// invalid bytes. Offsets outside of Text are moved to its nearest end.
func (f *File) ByteOffset(offset int) int {
	offset = min(max(offset, 0), len(f.Text))
	if f.plain() {
		return len(f.Encoding.Mark()) + offset
	}
	line, at := f.lines().at(offset)
	raw := f.bytes()[line]
	for at < offset {
		at, raw = f.step(at, raw)
	}
	return raw
}

// plain says whether Text is the end of the raw bytes as it stands.
func (f *File) plain() bool { return f.Encoding <= UTF8BOM && len(f.Invalid) == 0 }

// step moves one character on in Text and in the raw bytes.
func (f *File) step(at, raw int) (int, int) {
	r, size, _ := f.Encoding.next(f.raw[raw:])
	return at + utf8.RuneLen(r), raw + size
}

// indexBytes returns the offset in the raw bytes of every line.
func (f *File) indexBytes() []int {
	starts := lineStarts(f.Text)
	offsets := make([]int, 0, len(starts))
	at, raw := 0, len(f.Encoding.Mark())
	for _, start := range starts {
		for at < start {
			at, raw = f.step(at, raw)
		}
		offsets = append(offsets, raw)
	}
	return offsets
}
