package source

import (
	"bytes"
	"slices"
)

// lineIndex finds lines, counted from 0. \n, \r\n and a lone \r end a line, as in
// editors; .NET's own line numbers, in which a lone \r ends none, are computed
// by package syntax.
type lineIndex struct {
	text []byte
	// starts are where lines begin, of a text with carriage returns; else nil.
	starts []int
	// before are the numbers of line feeds before each chunk of the text, and
	// last in all of it.
	before []int
}

// lineChunk is how much of a text is counted at a time: the standard library
// counts many bytes at once, and few findings ask for a line.
const lineChunk = 1 << 13

func indexLines(text []byte) lineIndex {
	if bytes.IndexByte(text, '\r') >= 0 {
		return lineIndex{text: text, starts: lineStarts(text)}
	}
	before := make([]int, 1, len(text)/lineChunk+2)
	for part := range slices.Chunk(text, lineChunk) {
		before = append(before, before[len(before)-1]+bytes.Count(part, []byte{'\n'}))
	}
	return lineIndex{text: text, before: before}
}

func lineStarts(text []byte) []int {
	starts := make([]int, 1, bytes.Count(text, []byte{'\n'})+2)
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// count returns the number of lines.
func (x lineIndex) count() int {
	if x.starts != nil {
		return len(x.starts)
	}
	return x.before[len(x.before)-1] + 1
}

// at returns the line that an offset is in, and where it begins.
func (x lineIndex) at(offset int) (line, start int) {
	if x.starts != nil {
		line, found := slices.BinarySearch(x.starts, offset)
		if !found {
			line--
		}
		return line, x.starts[line]
	}
	chunk := offset / lineChunk
	before := x.text[chunk*lineChunk : offset]
	line = x.before[chunk] + bytes.Count(before, []byte{'\n'})
	if feed := bytes.LastIndexByte(before, '\n'); feed >= 0 {
		return line, chunk*lineChunk + feed + 1
	}
	return line, x.start(line) // it begins in a chunk before this one
}

// start returns where a line begins that exists.
func (x lineIndex) start(line int) int {
	if x.starts != nil {
		return x.starts[line]
	}
	if line == 0 {
		return 0
	}
	// The line begins behind the line feed with the number line, which is in
	// the last chunk with fewer before it.
	chunk, _ := slices.BinarySearch(x.before, line)
	at := (chunk - 1) * lineChunk
	for left := line - x.before[chunk-1]; left > 0; left-- {
		at += bytes.IndexByte(x.text[at:], '\n') + 1
	}
	return at
}
