package reach

import "strings"

// index finds the routes whose templates may fit a path, by its segments. It
// may name too many. It leaves out those whose dot has to stand for another
// character than a dot.
//
// Nodes live in one slice, and the step from a node by a segment in one map. A
// route goes no deeper than to the first node that is its own, which most find
// after one or two segments.
type index struct {
	nodes []node
	// steps leads on by the hash of a segment; two segments with one hash only
	// bring about candidates in vain.
	steps map[step]int32
	links []link
	// alike says whether two routes take the same requests: of those, lists
	// hold the last one that was added only.
	alike func(i, j int) bool
}

// node is a place between segments. Its lists are positions in links, 0 is the
// end.
type node struct {
	// segment is the node behind a segment with a placeholder; 0 is none.
	segment int32
	// ends are the templates that stop here, rest those that go on in a way
	// that segments do not tell.
	ends, rest int32
	// parent is the node before; that of the first node is itself.
	parent int32
	// inner says that a segment leads on from here.
	inner bool
}

// leaf is where the index holds a route. It is plain if the way there is
// nothing but segments that are text.
type leaf struct {
	node  int32
	plain bool
}

type step struct {
	node int32
	hash uint64
}

type link struct{ route, next int32 }

func newIndex(routes int, alike func(i, j int) bool) *index {
	return &index{
		nodes: make([]node, 1, routes+1), steps: make(map[step]int32, routes),
		links: make([]link, 1, routes+1), alike: alike,
	}
}

// metacharacters make a template a regular expression that need not respect
// segments. A question mark starts the query.
const metacharacters = `\*+()[]|^$`

// odd are the bytes that keep a template from being text and placeholders.
var odd = func() (table [256]bool) {
	for c := range table {
		table[c] = c <= ' ' || c >= 0x7f || c == '?' || strings.IndexByte(metacharacters, byte(c)) >= 0
	}
	return table
}()

func isOdd(template string) bool {
	for i := range len(template) {
		if odd[template[i]] {
			return true
		}
	}
	return false
}

func (x *index) add(i int, template string) leaf {
	path, query, plain := template, false, !isOdd(template)
	if !plain {
		path, _, query = strings.Cut(template, "?")
	}
	if !strings.HasPrefix(path, "/") || !plain && strings.ContainsAny(path, metacharacters) {
		x.link(&x.nodes[0].rest, i)
		return leaf{}
	}
	at := int32(0)
	for rest, more := path[1:], true; more; {
		s := nextSegment(rest)
		if more = s.end < len(rest); more {
			rest = rest[s.end+1:]
		}
		switch {
		case more && s.braces && isOneSegment(s.text):
			at, plain = x.placeholder(at), false
			continue
		case !more && s.text == "":
			x.link(&x.nodes[at].ends, i) // /a/ takes /a too
		case s.braces, !more && s.text[0] == '.':
			x.link(&x.nodes[at].rest, i)
			return leaf{at, plain}
		}
		next, isNew := x.child(at, s.hash)
		if at = next; isNew {
			x.link(&x.nodes[at].rest, i)
			return leaf{at, plain}
		}
	}
	x.link(&x.nodes[at].ends, i)
	if query {
		at, _ = x.child(at, hash("")) // /a?b takes /a/?b too
		x.link(&x.nodes[at].ends, i)
	}
	return leaf{at, plain}
}

// link puts a route at the head of a list. One that is alike goes, if it stands
// near the head: thousands of routes for one path do not make a long list.
func (x *index) link(head *int32, i int) {
	const near = 8
	for n, at := 0, head; n < near && *at != 0; n, at = n+1, &x.links[*at].next {
		if x.alike(i, int(x.links[*at].route)) {
			same := *at
			*at = x.links[same].next
			x.links[same] = link{int32(i), *head}
			*head = same
			return
		}
	}
	x.links = append(x.links, link{int32(i), *head})
	*head = int32(len(x.links) - 1)
}

func (x *index) placeholder(at int32) int32 {
	if x.nodes[at].segment == 0 {
		x.nodes[at].segment = x.node(at)
	}
	return x.nodes[at].segment
}

func (x *index) child(at int32, h uint64) (next int32, isNew bool) {
	next, ok := x.steps[step{at, h}]
	if !ok {
		next = x.node(at)
		x.nodes[at].inner = true
		x.steps[step{at, h}] = next
	}
	return next, !ok
}

func (x *index) node(parent int32) int32 {
	x.nodes = append(x.nodes, node{parent: parent})
	return int32(len(x.nodes) - 1)
}

// each calls f for the routes that may take target, list by list, those that were
// added last first. A list is left where f returns false.
func (x *index) each(target string, f func(i int) bool) {
	path, _, _ := strings.Cut(target, "?")
	x.walk(0, strings.TrimPrefix(path, "/"), false, f)
}

func (x *index) walk(at int32, path string, done bool, f func(i int) bool) {
	n := x.nodes[at]
	x.list(n.rest, f)
	if done {
		x.list(n.ends, f)
		return
	}
	segment, after, more := strings.Cut(path, "/")
	if next, ok := x.steps[step{at, hash(segment)}]; ok {
		x.walk(next, after, !more, f)
	}
	if n.segment != 0 && segment != "" {
		x.walk(n.segment, after, !more, f)
	}
}

func (x *index) list(at int32, f func(i int) bool) {
	for at != 0 && f(int(x.links[at].route)) {
		at = x.links[at].next
	}
}

// startsLike says whether a target starts with the fixed text at the start of a
// template. It is asked before anything is compiled.
func startsLike(template, target string) bool {
	fixed, sure := fixedStart(template)
	return !sure || len(target) >= len(fixed) && strings.EqualFold(target[:len(fixed)], fixed)
}

// fixedStart returns the text that every target of a template starts with; not
// sure where a metacharacter may take it back. A slash at its end may be missing.
func fixedStart(template string) (fixed string, sure bool) {
	end := strings.IndexAny(template, "{.?"+metacharacters)
	switch {
	case end < 0:
		end = len(template)
	case strings.ContainsAny(template[end:], metacharacters):
		return "", false
	}
	return strings.TrimSuffix(template[:end], "/"), true
}
