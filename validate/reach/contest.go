package reach

import (
	"slices"
	"strings"
)

// Contested returns a request that fits the routes at both positions and of
// which decided does not say that it is settled who takes it. decided is asked
// about one request after the other; the languages of the route that it names
// are left out of the next one, so that it is asked a bounded number of times.
// It names -1 for a request that no route takes.
func (t *Table) Contested(i, j int, decided func(Request, []Header) (taker int, settled bool)) (Request, bool) {
	a, b := &t.entries[i], &t.entries[j]
	if a.lang() == nil || b.lang() == nil {
		return Request{}, false
	}
	request := Request{Host: a.Host}
	if request.Host == "" {
		request.Host = b.Host
	}
	headers := append(slices.Clone(a.Headers), b.Headers...)
	for _, method := range bothTake(a, b) {
		request.Method = method
		var out []*language
		for range mostTakers {
			target, ok := common([]*language{a.lang(), b.lang()}, out)
			if !ok {
				break
			}
			request.Target = target
			taker, settled := decided(request, headers)
			if !settled {
				return request, true
			}
			if taker < 0 || t.entries[taker].lang() == nil {
				break
			}
			out = append(out, t.entries[taker].lang())
		}
	}
	return Request{}, false
}

// bothTake returns the methods that two routes have in common; GET stands for
// every method.
func bothTake(a, b *entry) []string {
	list, other := a.Methods, b
	if len(list) == 0 {
		list, other = b.Methods, a
	}
	if len(list) == 0 {
		return []string{"GET"}
	}
	var methods []string
	for _, m := range list {
		if other.takes(m) {
			methods = append(methods, strings.ToUpper(strings.TrimSpace(m)))
		}
	}
	return methods
}

// TakerOf returns the position of the route that takes a request whose headers
// fit the given templates; -1 if there is none.
func (t *Table) TakerOf(r Request, headers []Header) int {
	for _, host := range slices.Compact([]string{r.Host, ""}) {
		if t.hosts[host] == nil {
			continue
		}
		asked := &entry{Entry: &Entry{Host: host, Headers: headers}, rank: len(t.entries)}
		if i := t.before(asked, r.Method, r.Target); i >= 0 {
			return i
		}
	}
	return -1
}
