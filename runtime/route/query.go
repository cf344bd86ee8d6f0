package route

import "strings"

// parameter is one name=value of a query, decoded. Parameters of one name form
// a chain.
type parameter struct {
	name, value string
	// next is the place of the next parameter of the name; 0 is none.
	next int
	// follows says that a chain leads here.
	follows bool
}

// appendClientQuery appends the query of the request to a backend's path
// without a query of its own. Without placeholders it passes as it is.
// Otherwise Ocelot parses and writes it anew, without the parameters that are
// called like a placeholder: names that differ in case only are one name,
// spelled as the first of them, and their values stand together (q-none, q-ph).
func appendClientQuery(to []byte, query string, m *Match) []byte {
	if query == "" || m.count() == 0 {
		return appendQuery(to, query)
	}
	var few [8]parameter
	list := few[:0]
	for pair := range strings.SplitSeq(normalQuery(query), "&") {
		if pair != "" {
			name, value, _ := strings.Cut(pair, "=")
			list = append(list, parameter{name: unescape(name), value: unescape(value)})
		}
	}
	link(list)
	mark := byte('?')
	for i := range list {
		if list[i].follows || m.hasName(list[i].name, equalNames) {
			continue
		}
		for j := i; ; j = list[j].next {
			to = appendName(to, mark, list[i].name)
			to, mark = appendEscaped(to, list[j].value), '&'
			if list[j].next == 0 {
				break
			}
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
	mark := byte('?')
	for i := range mine {
		if !mine[i].follows && mine[i].name != "" {
			to, mark = appendChain(to, mark, mine, i), '&'
		}
	}
	theirs := parseForm(normalQuery(client))
	for i := range theirs {
		q := &theirs[i]
		if !q.follows && q.name != "" && !heads(mine, q.name) && !m.hasName(q.name, sameNames) {
			to, mark = appendChain(to, mark, theirs, i), '&'
		}
	}
	return to
}

// heads reports whether a chain starts with a name.
func heads(list []parameter, name string) bool {
	for i := range list {
		if !list[i].follows && list[i].name == name {
			return true
		}
	}
	return false
}

// appendChain appends a parameter with all of its values.
func appendChain(to []byte, mark byte, list []parameter, i int) []byte {
	to = appendEscaped(appendName(to, mark, list[i].name), list[i].value)
	for list[i].next != 0 {
		i = list[i].next
		to = appendEscaped(append(to, ','), list[i].value)
	}
	return to
}

func appendName(to []byte, mark byte, name string) []byte {
	return append(appendEscaped(append(to, mark), name), '=')
}

// hasName reports whether a placeholder is called like a parameter.
func (m *Match) hasName(name string, equal func(a, b string) bool) bool {
	for i := range m.values() {
		if equal(m.entry.names[i], name) {
			return true
		}
	}
	for i := range m.set {
		if equal(m.set[i].name, name) {
			return true
		}
	}
	return false
}

func sameNames(a, b string) bool { return a == b }

// parseForm reads a query as HttpUtility.ParseQueryString does.
func parseForm(query string) []parameter {
	var list []parameter
	for pair := range strings.SplitSeq(query, "&") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			list = append(list, parameter{name: unescapeForm(name), value: unescapeForm(value)})
		}
	}
	link(list)
	return list
}

// linkedByPairs is how many parameters are compared with each other; more are
// put into a map, so that a long query costs no quadratic time.
const linkedByPairs = 16

// link chains the parameters of one name.
func link(list []parameter) {
	if len(list) > linkedByPairs {
		linkByMap(list)
		return
	}
	for i := range list {
		if list[i].follows {
			continue
		}
		last := i
		for j := i + 1; j < len(list); j++ {
			if !list[j].follows && equalNames(list[i].name, list[j].name) {
				list[last].next, list[j].follows = j, true
				last = j
			}
		}
	}
}

func linkByMap(list []parameter) {
	last := make(map[string]int, len(list))
	for j := range list {
		name := foldName(list[j].name)
		if i, ok := last[name]; ok {
			list[i].next, list[j].follows = j, true
		}
		last[name] = j
	}
}
