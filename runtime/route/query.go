package route

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// parameter is a name with its values, decoded.
type parameter struct {
	name   string
	values []string
}

// parameters are the parameters of a query, grouped by name without regard to
// case under the first spelling, in the order of their first occurrence.
type parameters struct {
	list []parameter
	at   map[string]int // by folded name
}

func (p *parameters) add(name, value string) {
	if p.at == nil {
		p.at = map[string]int{}
	}
	key := foldName(name)
	if i, ok := p.at[key]; ok {
		p.list[i].values = append(p.list[i].values, value)
		return
	}
	p.at[key] = len(p.list)
	p.list = append(p.list, parameter{name: name, values: []string{value}})
}

// appendClientQuery appends the query of the request to a backend's path
// without a query of its own. Without placeholders it passes as it is.
// Otherwise Ocelot parses and writes it anew, without the parameters that are
// called like a placeholder (q-none, q-ph).
func appendClientQuery(to []byte, query string, m *Match) []byte {
	if query == "" || m.count() == 0 {
		return appendQuery(to, query)
	}
	var p parameters
	for pair := range strings.SplitSeq(normalQuery(query), "&") {
		if pair != "" {
			name, value, _ := strings.Cut(pair, "=")
			p.add(unescape(name), unescape(value))
		}
	}
	mark := byte('?')
	for _, q := range p.list {
		if m.names(func(name string) bool { return foldName(name) == foldName(q.name) }) {
			continue
		}
		for _, value := range q.values {
			to, mark = appendParameter(to, mark, q.name, value), '&'
		}
	}
	return to
}

// appendMerged appends the query of the backend's template, and those
// parameters of the request which it does not hold and which no placeholder is
// called like, both with regard to case here. Several values are joined by
// commas; a parameter without "=" is dropped (q-down-*).
func appendMerged(to []byte, own, client string, m *Match) []byte {
	mine := parseForm(strings.ReplaceAll(own, "?", "&"))
	theirs := parseForm(normalQuery(client))
	mark := byte('?')
	taken := map[string]bool{}
	for _, q := range mine.list {
		if q.name != "" {
			taken[q.name] = true
			to, mark = appendParameter(to, mark, q.name, strings.Join(q.values, ",")), '&'
		}
	}
	for _, q := range theirs.list {
		if q.name == "" || taken[q.name] || m.names(func(name string) bool { return name == q.name }) {
			continue
		}
		to, mark = appendParameter(to, mark, q.name, strings.Join(q.values, ",")), '&'
	}
	return to
}

// names reports whether one of the placeholders is called as is says.
func (m *Match) names(is func(string) bool) bool {
	for name := range m.Values() {
		if is(name) {
			return true
		}
	}
	return false
}

// normalQuery returns a query as System.Uri holds it, without the question mark.
func normalQuery(query string) string {
	return strings.TrimPrefix(string(appendQuery(nil, query)), "?")
}

// parseForm reads a query as HttpUtility.ParseQueryString does.
func parseForm(query string) parameters {
	var p parameters
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			p.add(unescapeForm(name), unescapeForm(value))
		}
	}
	return p
}

// unescape decodes as QueryHelpers does: what is no valid UTF-8 stays encoded.
func unescape(text string) string {
	text = strings.ReplaceAll(text, "+", " ")
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		decoded, size := decodeRune(text[i:])
		if size == 0 {
			decoded, size = text[i:i+1], 1
		}
		b.WriteString(decoded)
		i += size
	}
	return b.String()
}

// unescapeForm decodes as HttpUtility does: %uXXXX counts, and what is no valid
// UTF-8 becomes U+FFFD.
func unescapeForm(text string) string {
	text = strings.ReplaceAll(text, "+", " ")
	if !strings.Contains(text, "%") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if c, ok := decodeByte(text[i:]); ok {
			out = append(out, c)
			i += 3
		} else if strings.HasPrefix(text[i:], "%u") && isHex(text, i+2, 4) {
			out = utf8.AppendRune(out, decodeUnit(text[i+2:]))
			i += 6
		} else {
			out = append(out, text[i])
			i++
		}
	}
	return strings.ToValidUTF8(string(out), "\ufffd")
}

// decodeUnit reads four hexadecimal digits. Halves of a pair become U+FFFD.
func decodeUnit(text string) rune {
	var r rune
	for i := range 4 {
		digit, _ := unhex(text[i])
		r = r<<4 | rune(digit)
	}
	if utf16.IsSurrogate(r) {
		return utf8.RuneError
	}
	return r
}

func appendParameter(to []byte, mark byte, name, value string) []byte {
	to = append(to, mark)
	to = appendEscaped(to, name)
	to = append(to, '=')
	return appendEscaped(to, value)
}

// appendEscaped encodes as UrlEncoder.Default does.
func appendEscaped(to []byte, text string) []byte {
	const digits = "0123456789ABCDEF"
	for i := range len(text) {
		if c := text[i]; isUnreserved(c) || strings.IndexByte("!$()*,;@", c) >= 0 {
			to = append(to, c)
		} else {
			to = append(to, '%', digits[c>>4], digits[c&15])
		}
	}
	return to
}

// foldName maps names that are equal without regard to case to one text. No
// other letter is equal to one of ASCII.
func foldName(name string) string {
	return strings.Map(func(r rune) rune {
		if up := unicode.ToUpper(r); up >= utf8.RuneSelf || r < utf8.RuneSelf {
			return up
		}
		return r
	}, name)
}
