package route

import (
	"strings"
	"unicode/utf8"
)

// span is a piece of a text.
type span struct{ from, to int }

// fitting is one comparison of a text with a pattern. It finds what a
// backtracking engine with greedy placeholders would find, in time that grows
// with the length of the text times the number of tokens.
type fitting struct {
	*pattern
	text string
	// split is where the query starts. An ampersand ends a value only there
	// (difference ampersand-cut).
	split int
	// values are the places of the placeholders; nil when nobody asks.
	values []span
	// lowest holds, for every unsure token and every place up to which it
	// reaches, the lowest end that was tried; 0 is none. Without it, patterns
	// with several unsure tokens would take polynomial time.
	lowest []int32
	// reached remembers, by kind, the last place that was asked and how far a
	// token reaches from there. Every place between gets the same answer.
	reached [queryStart]span
}

// fits reports whether p fits text, and puts the places of the values into
// values unless that is nil.
func (p *pattern) fits(text string, split int, values []span) bool {
	f := fitting{pattern: p, text: text, split: split, values: values}
	return f.from(0, 0)
}

// from compares the tokens from i on with the text from at on.
func (f *fitting) from(i, at int) bool {
	for ; i < len(f.tokens); i++ {
		t := &f.tokens[i]
		switch t.kind {
		case literal:
			if !hasAt(f.text, at, t.text, f.fold) {
				return false
			}
			at += len(t.text)
		case anyChar:
			if at >= len(f.text) {
				return false
			}
			at += width(f.text, at)
		default:
			end := f.end(t.kind, at)
			if end < at+t.kind.least() {
				return false
			}
			if !t.sure {
				return f.shorten(i, at, end)
			}
			f.keep(t, at, end)
			at = end
		}
	}
	return f.open || at == len(f.text)
}

// shorten tries values of token i from the longest to the shortest.
func (f *fitting) shorten(i, at, end int) bool {
	t := &f.tokens[i]
	tried := f.tried(i, end)
	high := end
	if tried != nil && *tried > 0 {
		high = int(*tried) - 2 // stored plus one
	}
	for e := high; e >= at+t.kind.least(); e-- {
		if tried != nil {
			*tried = int32(e) + 1
		}
		if isBorder(f.text, e) && f.from(i+1, e) {
			f.keep(t, at, e)
			return true
		}
	}
	return false
}

// shortText is how long a text may be for two unsure tokens to try every pair
// of places without a memory: some ten thousand steps at most.
const shortText = 256

// tried returns the cell of lowest for a token that reaches up to end, or nil
// when it is cheaper to try again.
func (f *fitting) tried(i, end int) *int32 {
	if f.unsure < 2 || f.unsure == 2 && len(f.text) <= shortText {
		return nil
	}
	if f.lowest == nil {
		f.lowest = make([]int32, f.unsure*(len(f.text)+1))
	}
	return &f.lowest[int(f.tokens[i].order)*(len(f.text)+1)+end]
}

// end returns how far a token can go.
func (f *fitting) end(k kind, at int) int {
	last := &f.reached[k]
	if at < last.from || at > last.to || last.to == 0 {
		*last = span{at, f.reach(k, at)}
	}
	return last.to
}

func (f *fitting) reach(k kind, at int) int {
	switch k {
	case rest, some:
		return len(f.text)
	case segment:
		return until(f.text, at, len(f.text), "/")
	case part:
		if end := until(f.text, at, f.split, "/|"); end < f.split {
			return end
		}
		return until(f.text, max(at, f.split), len(f.text), "/|&")
	default: // tail
		return until(f.text, max(at, f.split), len(f.text), "&")
	}
}

// until returns the first place of one of the stops in text[from:to], or to.
func until(text string, from, to int, stops string) int {
	if from >= to {
		return from
	}
	if i := strings.IndexAny(text[from:to], stops); i >= 0 {
		return from + i
	}
	return to
}

func (f *fitting) keep(t *token, from, to int) {
	if f.values != nil {
		f.values[t.slot] = span{from, to}
	}
}

// isBorder reports whether a character may start at a place.
func isBorder(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

// width is the length of the character at a place.
func width(text string, at int) int {
	if text[at] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(text[at:])
	return n
}
