package route

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

func TestBackendTarget(t *testing.T) {
	for _, c := range []struct{ name, path, backend, target, want string }{
		{"values", "/a/{x}/b/{y}", "/d/{y}/{x}", "/a/1/b/2/3", "/d/2/3/1"},
		{"missing slash", "/a/{x}/b/", "/d/{x}/", "/a/1/b", "/d/1"},
		{"name in other case", "/a/{Id}", "/d/{id}", "/a/1", "/d/%7Bid%7D"},
		{"query passes", "/a", "/d", "/a?b=<&&c", "/d?b=%3C&&c"},
		{"query is written anew", "/a/{x}", "/d", "/a/1?b=+&&c&B=2&x=3", "/d?b=%20&b=2&c="},
		{"query of the template", "/a/{x}", "/d?k=1&k=2", "/a/1?K=3&z&b=1&b=2", "/d?k=1,2&K=3&b=1,2"},
		{"query of the template alone", "/a", "/d?k=a+b&&", "/a", "/d?k=a+b&&"},
		{"bare question mark", "/a/{x}", "/d?k=a+b&&", "/a/1?", "/d?k=a%20b"},
		{"slash in front of a query", "/a/{x}", "/d/{x}/?k=1", "/a", "/d//?k=1"},
		{"ampersand", "/a/{x}", "/d/{x}", "/a/1&2/3", "/d/1&2/3"},
		{"ampersand into a query", "/a/{x}/b", "/d?x={x}", "/a/1&2/b", "/d?x=1%262"},
		{"ampersand into a merged query", "/a/{x}/b", "/d?x={x}", "/a/1&2/b?c=3", "/d?x=1%262&c=3"},
		{"dots inside a value", "/a/{x}", "/d/{x}/e", "/a/b/%252e%252e/c", "/d/c/e"},
		{"dot in a value", "/a/{x}", "/d/{x}/e", "/a/%252e", "/d/e"},
		{"dots of the template", "/a/{x}", "/d/../e/./{x}", "/a/1", "/e/1"},
		{"dots at the root", "/{x}", "/{x}", "/%252e%252e/a", "/a"},
		{"encoded twice", "/a/{x}", "/d/{x}", "/a/%2541%252F", "/d/A%2F"},
		{"other letters", "/a/{x}", "/dé/{x}", "/a/%C3%A9", "/d%C3%A9/%C3%A9"},
		{"question mark in a value", "/a?x={x}", "/d/{x}", "/a?x=1?y=2&z=3", "/d/1?y=2&z=3"},
		{"question mark in front of one", "/a?x={x}", "/d/{x}?k=1", "/a?x=1?y=2", "/d/1?y=2&k=1"},
		{"escaped dot", `/v1\.0/{x}`, "/d/{x}", "/v1.0/a", "/d/a"},
		{"dot for a character", "/v1.0/{x}", "/d/{x}", "/v1-0/a", "/d/a"},
		{"lazy placeholder", "/a/?b={x}?/", "/d/{x}", "/a?b=1/", "/d/1?b=1%2F"},
		{"expression", "/(a|b)+/{x}", "/d/{x}", "/abba/1/2", "/d/1/2"},
		{"everything", "/{all}", "/d/{all}", "/", "/d/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := mustNew(t, &plan.Plan{Routes: []plan.Route{static(c.path, c.backend)}})
			r := get(t, c.target)
			m, err := table.Match(r)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := m.BackendTarget(r.Target); got != c.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestValuesStayInTheirPlace(t *testing.T) {
	for _, c := range []struct{ path, backend, target string }{
		{"/p/{id}/x", "/in/{id}", "/p/%252e%252e/x"},
		{"/p/{id}/x", "/in/{id}", "/p/.%252E/x"},
		{"/p/{all}", "/in/{all}", "/p/a/%252e%252e/%252e%252e/secret"},
		{"/p/{all}", "/in/v{all}", "/p/%252e/%252e%252e"},
		{"/p/{x}", "/in/.{x}", "/p/%252e"},
		{"/p/{x}/{y}", "/in/{x}/{y}", "/p/a/%252e%252e"},
		{"/p?x={x}", "/in/{x}", "/p?x=../e"},
		{"/p/{x}", "/in//{x}", "/p/%252e%252e"},
		{"/p?x={x}", "/in/{x}/own", "/p?x=y?z"},
	} {
		table := mustNew(t, &plan.Plan{Routes: []plan.Route{static(c.path, c.backend)}})
		r := get(t, c.target)
		m, err := table.Match(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.BackendTarget(r.Target); !errors.Is(err, ErrEscape) {
			t.Errorf("%s to %s with %s: got %q, %v, want ErrEscape", c.path, c.backend, c.target, got, err)
		}
	}
}

func TestSet(t *testing.T) {
	table := mustNew(t, &plan.Plan{Routes: []plan.Route{static("/a/{x}/{y}", "/d/{x}/{y}/{claim}")}})
	r := get(t, "/a/1/2?claim=3&b=4")
	m, err := table.Match(r)
	if err != nil {
		t.Fatal(err)
	}
	other := m
	m.Set("x", "one")
	m.Set("claim", "c")
	m.Set("claim", "d")
	if got, err := m.BackendTarget(r.Target); got != "/d/one/2/d?b=4" || err != nil {
		t.Errorf("got %q, %v, want /d/one/2/d?b=4", got, err)
	}
	if got, err := other.BackendTarget(r.Target); got != "/d/1/2/%7Bclaim%7D?claim=3&b=4" || err != nil {
		t.Errorf("the copy: got %q, %v, want its own values", got, err)
	}
	if x, ok := m.Value("x"); x != "one" || !ok {
		t.Errorf("got x = %q, %v, want one", x, ok)
	}
	if _, ok := m.Value("z"); ok {
		t.Error("got a value for z, which has none")
	}
}

func TestManyValues(t *testing.T) {
	const path = "/{a}/{b}/{c}/{d}/{e}/{f}/{g}/{h}"
	table := mustNew(t, &plan.Plan{Routes: []plan.Route{static(path, "/{h}/{g}/{f}/{e}/{d}/{c}/{b}/{a}")}})
	r := get(t, "/1/2/3/4/5/6/7/8")
	m, err := table.Match(r)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.BackendTarget(r.Target); got != "/8/7/6/5/4/3/2/1" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// A long query must not cost quadratic time, so it goes another way.
func TestLongQueries(t *testing.T) {
	var query, want strings.Builder
	for i := range 40 {
		fmt.Fprintf(&query, "&n%d=%d", i%20, i)
	}
	for i := range 20 {
		fmt.Fprintf(&want, "&n%d=%d&n%d=%d", i, i, i, i+20)
	}
	table := mustNew(t, &plan.Plan{Routes: []plan.Route{static("/a/{x}", "/d")}})
	r := get(t, "/a/1?"+query.String()[1:])
	m, err := table.Match(r)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.BackendTarget(r.Target); got != "/d?"+want.String()[1:] || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, want.String())
	}
}
