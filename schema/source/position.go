package source

// Position is a place in a file as editors count: Line and Column start at 1,
// Column counts code points, Column16 UTF-16 units.
type Position struct{ Offset, Line, Column, Column16 int }

// Position returns the place of an offset in Text. Offsets outside of Text are
// moved to its nearest end.
func (f *File) Position(offset int) Position {
	offset = min(max(offset, 0), len(f.Text))
	line, start := f.lines().at(offset)
	c := f.between(start, offset)
	return Position{Offset: offset, Line: line + 1, Column: c.points + 1, Column16: c.units + 1}
}

// count is a length in code points and in UTF-16 units.
type count struct{ points, units int }

// stride is the distance of marks: without them, every finding in a minified
// file of one line would count through the whole file.
const stride = 4096

// between returns the length of a part of the text.
func (f *File) between(from, to int) count {
	if to-from <= stride {
		return length(f.Text[from:to])
	}
	marks := f.marks()
	a, b := marks[from/stride], marks[to/stride]
	before, after := length(f.Text[from/stride*stride:from]), length(f.Text[to/stride*stride:to])
	return count{b.points - a.points + after.points - before.points, b.units - a.units + after.units - before.units}
}

// indexMarks returns the length of the text up to every multiple of stride.
func (f *File) indexMarks() []count {
	var marks []count
	var sum count
	for at := 0; ; at += stride {
		marks = append(marks, sum)
		if at+stride > len(f.Text) {
			return marks
		}
		c := length(f.Text[at : at+stride])
		sum.points, sum.units = sum.points+c.points, sum.units+c.units
	}
}

// length counts the characters that begin in valid UTF-8, by their first
// bytes, so that a part may begin and end anywhere.
func length(text []byte) count {
	var c count
	for _, b := range text {
		if b&0xC0 != 0x80 {
			c.points++
			c.units++
		}
		if b >= 0xF0 {
			c.units++
		}
	}
	return c
}
