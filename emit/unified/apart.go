package unified

import "slices"

// Bounds of what is given to the library at once, and of the search for the next
// equal lines.
const (
	mostLines = 1000 // of both texts
	window    = 100  // how far ahead equal lines are looked for, in both texts
	meeting   = 3    // how many equal lines end a difference, so that it is not by chance
)

// apart compares lines that begin and end differently. Where the anchors have
// left very many, as in a file of routes that are all alike, the differences are
// found one after the other, each up to the next equal lines.
func (c *comparison) apart(old, changed []string) {
	for len(old)+len(changed) > mostLines {
		i, j, met := meet(old, changed)
		if met {
			c.differ(old[:i], changed[:j])
		} else {
			c.replace(old[:i], changed[:j])
		}
		for old, changed = old[i:], changed[j:]; len(old) > 0 && len(changed) > 0 && old[0] == changed[0]; {
			c.out = append(c.out, line{' ', old[0]})
			old, changed = old[1:], changed[1:]
		}
	}
	c.differ(old, changed)
}

// meet returns how many lines of each text stand before the next equal lines,
// as few as possible; or, where there are none near, those that have been looked
// at.
func meet(old, changed []string) (i, j int, met bool) {
	for sum := 1; sum <= window; sum++ {
		for i := max(0, sum-len(changed)); i <= min(sum, len(old)); i++ {
			enough := meeting
			if i == sum-i {
				enough = 1 // as many lines have changed, one by one
			}
			if equalLines(old[i:], changed[sum-i:], enough) {
				return i, sum - i, true
			}
		}
	}
	return min(window/2, len(old)), min(window/2, len(changed)), false
}

// equalLines says whether two texts go on with enough equal lines.
func equalLines(old, changed []string, enough int) bool {
	return len(old) >= enough && len(changed) >= enough && slices.Equal(old[:enough], changed[:enough])
}

// replace takes all lines of one text out and puts those of the other in.
func (c *comparison) replace(old, changed []string) {
	for _, text := range old {
		c.out = append(c.out, line{'-', text})
	}
	for _, text := range changed {
		c.out = append(c.out, line{'+', text})
	}
}
