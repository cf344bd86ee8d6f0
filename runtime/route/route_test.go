package route

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// static is a route with a template for the path and one for the backend.
func static(path, backend string, change ...func(*plan.Match)) plan.Route {
	m := plan.Match{Kind: plan.Static, Path: path, Priority: 1}
	for _, f := range change {
		f(&m)
	}
	return plan.Route{ID: path, Match: m, Backend: plan.Backend{Path: backend}}
}

func get(t testing.TB, target string, headers ...string) *Request {
	t.Helper()
	in, err := ParseTarget(target)
	if err != nil {
		t.Fatal(err)
	}
	r := &Request{Method: "GET", Host: "gateway.example:8080", Target: in, Header: http.Header{}}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func TestPrecedence(t *testing.T) {
	host := func(h string) func(*plan.Match) { return func(m *plan.Match) { m.Host = h } }
	priority := func(n int) func(*plan.Match) { return func(m *plan.Match) { m.Priority = n } }
	method := func(s string) func(*plan.Match) { return func(m *plan.Match) { m.Methods = []string{s} } }
	table := mustNew(t, &plan.Plan{
		Routes: []plan.Route{
			static("/{all}", "/0", priority(9)),
			static("/a/{x}", "/1"),
			static("/a/{y}", "/2", priority(2), method("POST")),
			static("/a/{z}", "/3", host("one.example")),
			static("/a/1", "/4"),
		},
		Aggregates: []plan.Aggregate{{ID: "both", Match: plan.Match{Kind: plan.Static, Path: "/a/1", Priority: 1}}},
	})
	for _, c := range []struct{ method, host, target, want string }{
		{"GET", "", "/a/1", "/a/{x}"},
		{"post", "", "/a/1", "/a/{y}"},
		{"POST", "one.example:81", "/a/1", "/a/{z}"},
		{"GET", "ONE.example", "/a/1", "/a/{x}"},
		{"GET", "", "/b", "/{all}"},
	} {
		r := get(t, c.target)
		r.Method, r.Host = c.method, c.host
		m, err := table.Match(r)
		if err != nil || m.Route().ID != c.want {
			t.Errorf("%s %s %s: got %+v, %v, want %s", c.method, c.host, c.target, m.Route(), err, c.want)
		}
	}
}

func TestExplain(t *testing.T) {
	table := mustNew(t, &plan.Plan{Routes: []plan.Route{
		static("/{all}", "/0"),
		static("/a/{x}", "/1", func(m *plan.Match) { m.Methods = []string{"POST"} }),
		static("/a/{y}", "/2", func(m *plan.Match) { m.Headers = []plan.HeaderMatch{{Name: "H", Template: "1"}} }),
		static("/a/{z}", "/3"),
		static("/b", "/4"),
		static("/a/{h}", "/5", func(m *plan.Match) { m.Host = "one.example" }),
		static("/a/1", "/6", func(m *plan.Match) { m.Host = "two.example" }),
	}, Aggregates: []plan.Aggregate{{ID: "both", Match: plan.Match{Kind: plan.Static, Path: "/a/1"}}}})
	r := get(t, "/a/1")
	r.Host = "one.example"
	var got []string
	for _, c := range table.Explain(r) {
		id := ""
		if c.Route != nil {
			id = c.Route.ID
		} else {
			id = c.Aggregate.ID
		}
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", id, c.Verdict, c.Header)))
	}
	want := []string{"/a/{h} taken", "/a/{x} wrong method", "/a/{y} wrong header H", "/a/{z} beaten", "/a/1 wrong host", "/{all} beaten", "both beaten"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNamesThatAreNoWords(t *testing.T) {
	table := mustNew(t, &plan.Plan{Routes: []plan.Route{static("/a/{all}", "/d"), static("/a/{user-id}/b", "/d")}})
	_, err := table.Match(get(t, "/a/1/b"))
	if broken, ok := errors.AsType[*NameError](err); !ok || broken.Name != "user-id" || broken.Route != "/a/{user-id}/b" {
		t.Errorf("got %v, want the name user-id", err)
	} else if want := "placeholder {user-id} of route /a/{user-id}/b has a name that is not a word"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if _, err := table.Match(get(t, "/a/1/c")); err != nil {
		t.Errorf("got %v for a path that does not fit", err)
	}
}

func TestHeaderValues(t *testing.T) {
	headers := func(name, template string) func(*plan.Match) {
		return func(m *plan.Match) { m.Headers = append(m.Headers, plan.HeaderMatch{Name: name, Template: template}) }
	}
	table := mustNew(t, &plan.Plan{Routes: []plan.Route{
		static("/a/{v}", "/d/{v}/{w}/{h}", headers("X", "{header:v}/{HEADER:w}"), headers("host", "{header:h}")),
		static("/b", "/d/{1}/{n}/{v}", headers("X", "(a|b)(?<n>c+){header:v}")),
		static("/c", "/d", headers("X", "")),
	}})
	for _, c := range []struct {
		target, want string
		headers      []string
	}{
		{"/a/1", "/d/1/4/gateway.example:8080", []string{"x", "1/2", "x", "3/4"}},
		{"/b", "/d/b/cc/d", []string{"x", "bccd"}},
		{"/c", "/d", []string{"x", ""}},
	} {
		r := get(t, c.target, c.headers...)
		m, err := table.Match(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.BackendTarget(r.Target); got != c.want || err != nil {
			t.Errorf("%s: got %q, %v, want %q", c.target, got, err, c.want)
		}
	}
	if _, err := table.Match(get(t, "/c")); !errors.Is(err, ErrNoRoute) {
		t.Errorf("got %v without the header, want ErrNoRoute", err)
	}
}

func TestServices(t *testing.T) {
	dynamic := func(namespace, service string) plan.Route {
		return plan.Route{ID: namespace + "." + service, Match: plan.Match{Kind: plan.Dynamic}, Backend: plan.Backend{Service: service, Namespace: namespace}}
	}
	p := &plan.Plan{Routes: []plan.Route{
		dynamic("one", "orders"), dynamic("two", "orders"),
		{ID: "unlisted", Match: plan.Match{Kind: plan.Unlisted}},
	}}
	table := mustNew(t, p)
	for _, c := range []struct{ target, id, namespace, service, backend string }{
		{"/orders/1?x=2", "one.orders", "", "orders", "/1?x=2"},
		{"/two.orders", "two.orders", "two", "orders", "/"},
		{"/three.orders/", "unlisted", "three", "orders", "/"},
		{"/a.b.c//d", "unlisted", "a", "b.c", "//d"},
	} {
		r := get(t, c.target)
		m, err := table.Match(r)
		if err != nil {
			t.Fatal(err)
		}
		service, namespace := m.Service()
		backend, err := m.BackendTarget(r.Target)
		if m.Route().ID != c.id || service != c.service || namespace != c.namespace || backend != c.backend || err != nil {
			t.Errorf("%s: got %s, %q, %q, %q, %v, want %v", c.target, m.Route().ID, namespace, service, backend, err, c)
		}
	}
	p.Discovery = &plan.Discovery{Type: "servicefabric"}
	r := get(t, "/orders/1?x=2")
	m, _ := mustNew(t, p).Match(r)
	if got, err := m.BackendTarget(r.Target); got != "/orders/1?x=2" || err != nil {
		t.Errorf("Service Fabric: got %q, %v, want /orders/1?x=2", got, err)
	}
}

func TestDifferencesAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Differences() {
		if seen[d.ID] || d.Ocelot == "" || d.Margay == "" {
			t.Errorf("%+v is incomplete or named twice", d)
		}
		seen[d.ID] = true
	}
}
