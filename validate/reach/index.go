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
}

// node is a place between segments. Its lists are positions in links, 0 is the
// end.
type node struct {
	// segment is the node behind a placeholder that is a whole segment; 0 is
	// none.
	segment int32
	// ends are the templates that stop here, rest those that go on in a way
	// that segments do not tell.
	ends, rest int32
}

type step struct {
	node int32
	hash uint64
}

type link struct{ route, next int32 }

func newIndex(routes int) *index {
	return &index{nodes: make([]node, 1, routes+1), steps: make(map[step]int32, routes), links: make([]link, 1, routes+1)}
}

// metacharacters make a template a regular expression that need not respect
// segments. A question mark starts the query.
const metacharacters = `\*+()[]|^$`

func (x *index) add(i int, template string) {
	path, _, query := strings.Cut(template, "?")
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, metacharacters) {
		x.link(&x.nodes[0].rest, i)
		return
	}
	at := int32(0)
	for rest, more := path[1:], true; more; {
		var s string
		s, rest, more = strings.Cut(rest, "/")
		switch {
		case more && isPlaceholder(s):
			at = x.placeholder(at)
			continue
		case !more && s == "":
			x.link(&x.nodes[at].ends, i) // /a/ takes /a too
		case strings.ContainsAny(s, "{}"), !more && s[0] == '.':
			x.link(&x.nodes[at].rest, i)
			return
		}
		next, isNew := x.child(at, hash(s))
		if at = next; isNew {
			x.link(&x.nodes[at].rest, i)
			return
		}
	}
	x.link(&x.nodes[at].ends, i)
	if query {
		at, _ = x.child(at, hash("")) // /a?b takes /a/?b too
		x.link(&x.nodes[at].ends, i)
	}
}

func (x *index) link(head *int32, i int) {
	x.links = append(x.links, link{int32(i), *head})
	*head = int32(len(x.links) - 1)
}

func (x *index) placeholder(at int32) int32 {
	if x.nodes[at].segment == 0 {
		x.nodes = append(x.nodes, node{})
		x.nodes[at].segment = int32(len(x.nodes) - 1)
	}
	return x.nodes[at].segment
}

func (x *index) child(at int32, h uint64) (next int32, isNew bool) {
	next, ok := x.steps[step{at, h}]
	if !ok {
		x.nodes = append(x.nodes, node{})
		next = int32(len(x.nodes) - 1)
		x.steps[step{at, h}] = next
	}
	return next, !ok
}

// hash is FNV-1a of a segment without regard to the case of ASCII letters.
func hash(segment string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(segment) {
		c := segment[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

func isPlaceholder(s string) bool {
	return len(s) >= 2 && s[0] == '{' && strings.IndexByte(s, '}') == len(s)-1
}

// each calls f for every route that may take target.
func (x *index) each(target string, f func(i int)) {
	path, _, _ := strings.Cut(target, "?")
	x.walk(0, strings.TrimPrefix(path, "/"), false, f)
}

func (x *index) walk(at int32, path string, done bool, f func(i int)) {
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

func (x *index) list(at int32, f func(i int)) {
	for ; at != 0; at = x.links[at].next {
		f(int(x.links[at].route))
	}
}

// startsLike says whether a target starts with the fixed text at the start of a
// template, which may lack a slash at its end. It is asked before anything is
// compiled.
func startsLike(template, target string) bool {
	end := strings.IndexAny(template, "{.?"+metacharacters)
	switch {
	case end < 0:
		end = len(template)
	case strings.ContainsAny(template[end:], metacharacters):
		return true
	}
	fixed := strings.TrimSuffix(template[:end], "/")
	return len(target) >= len(fixed) && strings.EqualFold(target[:len(fixed)], fixed)
}
