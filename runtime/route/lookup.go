package route

import "strings"

// level holds the routes of one host, or those of every host.
type level struct {
	sound, broken trees
}

// trees are the routes by kind of template: sensitive to case or not, for the
// path or for path and query. Those that nothing stands in are nil.
type trees struct {
	path, whole [2]*tree
}

func (s *trees) add(rank int32, t *template) {
	of := &s.path
	if t.whole {
		of = &s.whole
	}
	i := 0
	if t.fold {
		i = 1
	}
	if of[i] == nil {
		of[i] = newTree(t.fold)
	}
	of[i].add(rank, t)
}

// find returns the lowest rank of the routes of a level that take r, or none.
func (t *Table) find(r *Request, l *level, broken bool) int32 {
	if l == nil {
		return none
	}
	of := &l.sound
	if broken {
		of = &l.broken
	}
	w := walk{table: t, request: r, best: none}
	for _, tr := range of.path {
		w.search(tr, r.Target.Path())
	}
	for _, tr := range of.whole {
		w.search(tr, r.Target.text)
	}
	return w.best
}

// walk is one search for the lowest rank.
type walk struct {
	table   *Table
	request *Request
	text    string
	fold    bool
	best    int32
}

func (w *walk) search(t *tree, text string) {
	if t == nil {
		return
	}
	w.text, w.fold = text, t.fold
	w.visit(t.root, 0)
}

// visit goes on at n with the text from at on, if a route there can still win.
func (w *walk) visit(n *node, at int) {
	if n.best >= w.best || !w.has(at, n.prefix) {
		return
	}
	at += len(n.prefix)
	m := n.more
	if w.offer(n.rest) && m != nil {
		w.offerAll(m.rests)
	}
	if m != nil && len(m.residues) > 0 {
		w.compare(m.residues, at)
	}
	if at == len(w.text) {
		if w.offer(n.end) && m != nil {
			w.offerAll(m.ends)
		}
		return
	}
	c := w.text[at]
	if w.fold && 'A' <= c && c <= 'Z' {
		c |= 0x20
	}
	if i := strings.IndexByte(n.first, c); i >= 0 {
		w.visit(n.children[i], at)
	}
	if m == nil {
		return
	}
	if m.dot != nil {
		w.visit(m.dot, at+width(w.text, at))
	}
	if len(m.segments) > 0 {
		w.crossSegment(m.segments, at)
	}
}

// crossSegment goes on behind the current segment.
func (w *walk) crossSegment(segments []segmentEdge, at int) {
	end := len(w.text)
	if i := strings.IndexByte(w.text[at:], '/'); i >= 0 {
		end = at + i
	}
	if end == at {
		return
	}
	for i := range segments {
		e := &segments[i]
		if e.node.best >= w.best {
			continue
		}
		if len(e.pattern.tokens) == 1 || e.pattern.fits(w.text[at:end], end-at, nil) {
			w.visit(e.node, end)
		}
	}
}

// offer takes a rank if its route admits the request, and reports whether one
// behind it still has to be looked at.
func (w *walk) offer(rank int32) (goOn bool) {
	if rank >= w.best {
		return false
	}
	if w.table.entries[rank].admits(w.request) {
		w.best = rank
		return false
	}
	return true
}

// offerAll takes the first of the ranks whose route admits the request.
func (w *walk) offerAll(ranks []int32) {
	for _, rank := range ranks {
		if !w.offer(rank) {
			return
		}
	}
}

func (w *walk) compare(residues []residue, at int) {
	for i := range residues {
		r := &residues[i]
		if r.rank >= w.best {
			return
		}
		if r.fits(w.text, at) && w.table.entries[r.rank].admits(w.request) {
			w.best = r.rank
			return
		}
	}
}

func (r *residue) fits(text string, at int) bool {
	if r.expression != nil {
		return r.expression.fits(text)
	}
	tail := text[at:]
	return hasAt(tail, max(0, len(tail)-len(r.suffix)), r.suffix, r.pattern.fold) &&
		r.pattern.fits(tail, len(tail), nil)
}

// has reports whether the text goes on with a prefix of the tree.
func (w *walk) has(at int, prefix string) bool {
	if len(w.text)-at < len(prefix) {
		return false
	}
	got := w.text[at : at+len(prefix)]
	if !w.fold {
		return got == prefix
	}
	for i := range len(prefix) {
		if c := got[i]; c != prefix[i] && (c < 'A' || c > 'Z' || c|0x20 != prefix[i]) {
			return false
		}
	}
	return true
}
