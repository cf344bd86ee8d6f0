package unified

import (
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// line is a line of one text or of both.
type line struct {
	mark byte // ' ', '-' or '+'
	text string
}

// compare returns the lines of both texts in order. Lines that each text has
// once, in the same order, are the same line: the library compares only what
// lies between them, because its time grows with the square of what differs.
func compare(oldText, newText string) []line {
	c := comparison{old: split(oldText), new: split(newText)}
	i, j := 0, 0
	for _, a := range c.anchors() {
		c.between(i, a.old, j, a.new)
		c.out = append(c.out, line{' ', c.old[a.old]})
		i, j = a.old+1, a.new+1
	}
	c.between(i, len(c.old), j, len(c.new))
	return c.out
}

// split returns the lines of a text with their ends.
func split(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		return lines[:last]
	}
	return lines
}

// comparison collects the lines of two texts.
type comparison struct {
	old, new []string
	out      []line
}

// anchor is a line of both texts, by its places.
type anchor struct{ old, new int }

// anchors returns the longest run of lines that both texts have once and in the
// same order.
func (c *comparison) anchors() []anchor {
	places := make(map[string]anchor, len(c.new))
	const twice = -2
	for j, text := range c.new {
		at := anchor{-1, j}
		if _, seen := places[text]; seen {
			at.new = twice
		}
		places[text] = at
	}
	for i, text := range c.old {
		at, ok := places[text]
		switch {
		case !ok:
		case at.old >= 0:
			places[text] = anchor{i, twice}
		default:
			places[text] = anchor{i, at.new}
		}
	}
	var once []anchor
	for i, text := range c.old {
		if at, ok := places[text]; ok && at.old == i && at.new >= 0 {
			once = append(once, at)
		}
	}
	return increasing(once)
}

// increasing returns the longest subsequence of anchors that grows in the new
// text, too; they are given in the order of the old one.
func increasing(all []anchor) []anchor {
	var tails []int                 // for each length the anchor that ends it lowest
	before := make([]int, len(all)) // the one that stands in front of each; -1: none
	for i, a := range all {
		at, _ := slices.BinarySearchFunc(tails, a.new, func(tail, j int) int { return all[tail].new - j })
		before[i] = -1
		if at > 0 {
			before[i] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, i)
			continue
		}
		tails[at] = i
	}
	out := make([]anchor, len(tails))
	if len(tails) == 0 {
		return out
	}
	for n, i := len(tails)-1, tails[len(tails)-1]; n >= 0; n, i = n-1, before[i] {
		out[n] = all[i]
	}
	return out
}

// between compares lines i to iEnd of the old text with j to jEnd of the new one.
func (c *comparison) between(i, iEnd, j, jEnd int) {
	for i < iEnd && j < jEnd && c.old[i] == c.new[j] {
		c.out = append(c.out, line{' ', c.old[i]})
		i, j = i+1, j+1
	}
	end := 0
	for iEnd-end > i && jEnd-end > j && c.old[iEnd-end-1] == c.new[jEnd-end-1] {
		end++
	}
	c.apart(c.old[i:iEnd-end], c.new[j:jEnd-end])
	for _, text := range c.old[iEnd-end : iEnd] {
		c.out = append(c.out, line{' ', text})
	}
}

// differ compares lines with the library.
func (c *comparison) differ(old, changed []string) {
	if len(old)+len(changed) == 0 {
		return
	}
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // a difference that depends on the clock is not the same twice
	a, b, all := dmp.DiffLinesToRunes(strings.Join(old, ""), strings.Join(changed, ""))
	for _, d := range dmp.DiffMainRunes(a, b, false) {
		mark := map[diffmatchpatch.Operation]byte{diffmatchpatch.DiffEqual: ' ', diffmatchpatch.DiffDelete: '-', diffmatchpatch.DiffInsert: '+'}[d.Type]
		for _, text := range dmp.DiffCharsToLines([]diffmatchpatch.Diff{d}, all) {
			for _, part := range split(text.Text) {
				c.out = append(c.out, line{mark, part})
			}
		}
	}
}
