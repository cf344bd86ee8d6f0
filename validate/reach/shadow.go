package reach

import (
	"slices"
	"strings"
)

// mostTakers bounds how many routes together may shadow one. Beyond it, a
// route counts as reachable.
const mostTakers = 16

// Shadow says whether no request reaches the route at position i, and why.
// Where it cannot be decided, the route counts as reachable.
func (t *Table) Shadow(i int) (Shadow, bool) {
	e := &t.entries[i]
	if strings.Contains(e.Host, ":") || t.standsAlone(i) {
		return Shadow{}, false
	}
	var found Shadow
	for _, method := range e.methods() {
		takers, example, ok := t.shadowFor(e, method)
		if !ok {
			return Shadow{}, false
		}
		if found.By == nil {
			found.Witness = Request{Method: t.example(e, method, takers[0], example), Host: e.Host, Target: example}
		}
		for _, taker := range takers {
			if !slices.Contains(found.By, taker) {
				found.By = append(found.By, taker)
			}
		}
	}
	return found, true
}

// shadowFor looks at the requests of one method. It returns the routes that
// take all of them and a request that the first of these takes; or ok false
// and, where one was found, a request that no route takes before e.
func (t *Table) shadowFor(e *entry, method string) (takers []int, example string, ok bool) {
	target, plain := sample(e.Template)
	if !plain {
		if e.lang() == nil {
			return nil, "", false
		}
		if target, ok = outside(e.lang(), nil); !ok {
			return nil, "", false
		}
	}
	example = target
	for range mostTakers {
		taker := t.before(e, method, target)
		if taker < 0 {
			return nil, target, false
		}
		takers = append(takers, taker)
		if covers(t.entries[taker].Entry, e.Entry) {
			return takers, example, true
		}
		if e.lang() == nil {
			return nil, "", false
		}
		others := make([]*language, len(takers))
		for n, i := range takers {
			others[n] = t.entries[i].lang()
		}
		if target, ok = outside(e.lang(), others); !ok {
			return takers, example, target == ""
		}
	}
	return nil, "", false
}

// standsAlone says, for an ordinary route and without making up a request, that
// no route which goes before it starts like it. A false answer says nothing.
func (t *Table) standsAlone(i int) bool {
	e := &t.entries[i]
	x := t.hosts[e.Host]
	at := e.leaf.node
	if !e.leaf.plain || x.nodes[at].inner || !t.allApart(x, x.nodes[at].ends, e) {
		return false
	}
	for {
		n := &x.nodes[at]
		if n.segment != 0 || !t.allApart(x, n.rest, e) {
			return false
		}
		if at == 0 {
			return true
		}
		at = n.parent
	}
}

// allApart says whether none of the routes in a list may go before e. A long list
// is not looked at.
func (t *Table) allApart(x *index, list int32, e *entry) bool {
	for range 8 {
		if list == 0 {
			return true
		}
		o := &t.entries[x.links[list].route]
		if o.rank < e.rank && !apart(o.Template, e.Template) {
			return false
		}
		list = x.links[list].next
	}
	return false
}

// apart says whether what a template takes begins in another way than plain,
// which has no metacharacters, does.
func apart(template, plain string) bool {
	ours, sure := fixedStart(template)
	theirs := plain[:braceOrEnd(plain)]
	n := min(len(ours), len(theirs))
	return sure && !strings.EqualFold(ours[:n], theirs[:n])
}

func braceOrEnd(template string) int {
	if open := strings.IndexByte(template, '{'); open >= 0 {
		return open
	}
	return len(template)
}

// before returns the first route, of those with the same host that go before
// e, that takes a request which fits e; -1 if there is none. A route for
// another host, or for one host where e is for all, leaves e some requests.
func (t *Table) before(e *entry, method, target string) int {
	best := -1
	t.hosts[e.Host].each(target, func(i int) bool {
		o := &t.entries[i]
		if o.rank >= e.rank || best >= 0 && o.rank >= t.entries[best].rank {
			return false // the rest of the list goes later still
		}
		if !o.takes(method) || !o.demandsNoMoreThan(e) || !startsLike(o.Template, target) || o.lang() == nil || !o.lang().fits(target) {
			return true
		}
		best = i
		return false
	})
	return best
}

// Taker returns the position of the route that takes an ordinary request of e,
// a route that need not be in the table, and that request; -1 if there is none.
func (t *Table) Taker(e Entry) (int, Request) {
	target, plain := sample(e.Template)
	if !plain {
		return -1, Request{}
	}
	asked := &entry{Entry: &e, rank: len(t.entries)}
	method := asked.methods()[0]
	request := Request{Method: shown(method), Host: e.Host, Target: target}
	for _, host := range slices.Compact([]string{e.Host, ""}) {
		if t.hosts[host] == nil {
			continue
		}
		of := e
		of.Host = host
		asked.Entry = &of
		if i := t.before(asked, method, target); i >= 0 {
			return i, request
		}
	}
	return -1, request
}

// example returns the method of a witness: for a route of every method, an
// ordinary one with which taker still comes first.
func (t *Table) example(e *entry, method string, taker int, target string) string {
	if method != "" {
		return shown(method)
	}
	for _, m := range []string{"GET", "POST", "PUT", "DELETE"} {
		if t.before(e, m, target) == taker {
			return m
		}
	}
	return otherMethod
}

func shown(method string) string {
	if method == "" {
		return otherMethod
	}
	return strings.ToUpper(strings.TrimSpace(method))
}

// sample returns an ordinary target that a template takes: every placeholder
// stands for a word that no template is likely to name. plain is false for
// templates that are more than text and placeholders.
func sample(template string) (target string, plain bool) {
	if strings.ContainsAny(template, metacharacters) || strings.ContainsFunc(template, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", false
	}
	var b strings.Builder
	b.Grow(len(template))
	for n := 1; ; n++ {
		before, after, found := strings.Cut(template, "{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		_, rest, closed := strings.Cut(after, "}")
		if !closed {
			return "", false
		}
		b.WriteString("v")
		b.WriteByte(byte('0' + n%10))
		template = rest
	}
}
