package route

import "unicode"

// forms writes a template as the list of the texts that fit it, each a
// sequence without alternatives:
//
//   - a slash at the end may be missing;
//   - a last segment that starts with a placeholder or a dot may be missing,
//     with its slash, which is how /orders/{id} takes /orders;
//   - the start of the query is (/$|/\?|\?|$).
func forms(tokens []token) [][]token {
	out := [][]token{}
	for _, variant := range endings(tokens) {
		out = append(out, queries(variant)...)
	}
	return out
}

// endings returns the template with and without what may be missing at its end.
func endings(tokens []token) [][]token {
	slash := lastSlash(tokens)
	if slash < 0 || len(tokens) == 1 {
		return [][]token{tokens}
	}
	if slash+1 == len(tokens) || startsWithDot(tokens[slash+1]) {
		return [][]token{tokens[:slash], tokens}
	}
	return [][]token{tokens}
}

// startsWithDot tells which tokens begin with a dot in a regular expression.
func startsWithDot(t token) bool { return t.kind == anyChar || t.kind == rest }

// lastSlash returns the place of the last slash if it stands in the text of
// the template. The start of a query and [^/]+ hold slashes too, which nothing
// optional follows.
func lastSlash(tokens []token) int {
	for i := len(tokens) - 1; i >= 0; i-- {
		switch t := tokens[i]; {
		case t.kind == queryStart || t.kind == segment:
			return -1
		case t.kind == literal && t.text == "/":
			return i
		}
	}
	return -1
}

// queries expands the starts of queries. The alternatives with an end demand
// that nothing has to follow.
func queries(tokens []token) [][]token {
	for i, t := range tokens {
		if t.kind != queryStart {
			continue
		}
		before, after := tokens[:i:i], tokens[i+1:]
		out := queries(with(before, "/?", after))
		out = append(out, queries(with(before, "?", after))...)
		if canBeEmpty(after) {
			out = append(out, with(before, "/", nil), with(before, "", nil))
		}
		return out
	}
	return [][]token{tokens}
}

func with(before []token, text string, after []token) []token {
	return append(append(before, token{kind: literal, text: text}), after...)
}

// canBeEmpty reports whether tokens fit the empty text. A start of a query
// does.
func canBeEmpty(tokens []token) bool {
	for _, t := range tokens {
		if t.kind != rest && t.kind != queryStart {
			return false
		}
	}
	return true
}

func isWordRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Mn, unicode.Nd, unicode.Pc) || r == '\u200d' || r == '\u200c'
}

// isNumber accepts the numbers of groups: no zero in front, within 32 bits.
func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s[0] != '0' && (len(s) < 10 || len(s) == 10 && s <= "2147483647")
}
