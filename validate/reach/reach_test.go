package reach_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/margay-dev/margay/validate/reach"
	"pgregory.net/rapid"
)

// entries reads one route a line: [METHOD,…] TEMPLATE [cased] [host=…] [priority=…] [header=NAME:TEMPLATE].
func entries(text string) []reach.Entry {
	var all []reach.Entry
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		e := reach.Entry{Priority: 1}
		for _, word := range strings.Fields(line) {
			name, value, _ := strings.Cut(word, "=")
			switch {
			case strings.HasPrefix(word, "/"):
				e.Template = word
			case word == "cased":
				e.CaseSensitive = true
			case name == "host":
				e.Host = value
			case name == "priority":
				fmt.Sscan(value, &e.Priority)
			case name == "header":
				header, template, _ := strings.Cut(value, ":")
				e.Headers = append(e.Headers, reach.Header{Name: header, Template: template})
			default:
				e.Methods = strings.Split(word, ",")
			}
		}
		all = append(all, e)
	}
	return all
}

// TestShadow holds the last route of every table against the others.
func TestShadow(t *testing.T) {
	for _, c := range []struct{ name, routes, want string }{
		{"nothing before it", "/a", ""},
		{"another path", "/a\n/b", ""},
		{"case", "/A\n/a", "[0] GET /a"},
		{"the first one minds case", "/A cased\n/a", ""},
		{"both mind case", "/A cased\n/a cased", ""},
		{"a slash at the end takes the path without", "/a/\n/a", "[0] GET /a"},
		{"and not the other way round", "/a\n/a/", ""},
		{"another name", "/a/{x}\n/a/{y}", "[0] GET /a/v1"},
		{"a last placeholder spans slashes", "/a/{x}\n/a/{y}/b/{z}", "[0] GET /a/v1/b/v2"},
		{"a last placeholder may be missing", "/a/{x}\n/a", "[0] GET /a"},
		{"a segment does not cover what spans slashes", "/a/{x}/\n/a/{y}", ""},
		{"two segments do not cover one", "/a/{x}/{y}\n/a/{z}", ""},
		{"three routes cover it together", "/a/{x}/{y}\n/a/\n/a/{z}/{w}", "[0] GET /a/v1/v2"},
		{"a literal before a placeholder", "/a/b\n/a/{x}", ""},
		{"a higher priority", "/a/{x}\n/a/b priority=2", ""},
		{"a lower priority", "/a\n/a priority=0", "[0] GET /a"},
		{"everything has priority 0", "/{all} priority=9\n/a", ""},
		{"and is first among its equals", "/{all} priority=9\n/a priority=0", "[0] GET /a"},
		{"a route with a host goes first, whatever its priority", "/a priority=9\n/a host=x", ""},
		{"two for one host", "/a/{x} host=x\n/a/b host=x", "[0] GET /a/b with Host: x"},
		{"another host", "/a host=x\n/a host=y", ""},
		{"a route for one host leaves the others", "/a host=x\n/a", ""},
		{"every method", "/a\nGET,POST /A", "[0] GET /A"},
		{"some methods", "GET /a\n/A", ""},
		{"methods in pieces", "GET /a\nPOST /A\nget,post /a/", ""},
		{"methods in pieces that do fit", "GET /a/\nPOST /A/\nget,post /a", "[0 1] GET /a"},
		{"a header before none", "/a header=v:1\n/a", ""},
		{"none before a header", "/a\n/a header=v:1", "[0] GET /a"},
		{"equal headers", "/a header=v:1\n/A header=V:1", "[0] GET /A"},
		{"a query before a path", "/a?x={y}\n/a", ""},
		{"a path before a query", "/a/\n/a?x={y}", "[0] GET /a?x=v1"},
		{"a query behind a slash", "/a\n/a?x={y}", ""},
		{"two queries", "/a?{q}\n/a?x={y}", "[0] GET /a?x=v1"},
		{"a dot takes every character", "/a.b/{x}\n/a.b/c", "[0] GET /a.b/c"},
		{"a plus is a metacharacter", "/a+\n/aa", "[0] GET /aa"},
		{"a pattern that never matches is nobody's shadow", "/a b\n/c", ""},
		{"a look-ahead is not followed", "/(?=a).+\n/a", ""},
		{"written alike, with metacharacters", "/a+\n/a+", "[0] GET /a"},
		{"the first of many alike", "GET /a\nPOST /a\nGET /a\nPOST /a\nPOST /a", "[1] POST /a"},
		{"the first of many alike is the one with the highest priority", "/a\n/a priority=2\n/a", "[1] GET /a"},
		{"alike but for a header", "/a header=v:1\n/a header=v:2\n/a header=v:1\n/a header=v:3", ""},
		{"a placeholder within a segment", "/v{x}/a\n/v1/a", "[0] GET /v1/a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := entries(c.routes)
			got := ""
			if s, ok := reach.New(all).Shadow(len(all) - 1); ok {
				got = fmt.Sprint(s.By, " ", s.Witness)
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTaker(t *testing.T) {
	table := reach.New(entries("GET /a/{x}\n/{all}\n/a/b host=x"))
	for _, c := range []struct {
		of   string
		want string
	}{
		{"GET /a/b", "0 GET /a/b"},
		{"POST /a/{y}", "1 POST /a/v1"},
		{"/c", "1 OPTIONS /c"},
		{"/a/b host=x", "2 OPTIONS /a/b with Host: x"},
		{"/c host=x", "1 OPTIONS /c with Host: x"},
	} {
		i, request := table.Taker(entries(c.of)[0])
		if got := fmt.Sprint(i, " ", request); got != c.want {
			t.Errorf("%s: got %q, want %q", c.of, got, c.want)
		}
	}
}

// TestShadowAgreesWithEveryShortPath compares with brute force: every path over
// few characters is looked up among all routes.
func TestShadowAgreesWithEveryShortPath(t *testing.T) {
	paths := []string{"/"}
	for from, n := 0, 0; n < 5; n++ {
		to := len(paths)
		for _, p := range paths[from:to] {
			for _, c := range "/aAx" {
				paths = append(paths, p+string(c))
			}
		}
		from = to
	}
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.SampledFrom([]string{"a", "A", "{p}", "{q}", "{r}", "a{s}"})
		template := rapid.Custom(func(t *rapid.T) string {
			text := "/" + strings.Join(rapid.SliceOfNDistinct(segment, 1, 3, rapid.ID).Draw(t, "segments"), "/")
			return text + rapid.SampledFrom([]string{"", "", "/"}).Draw(t, "end")
		})
		var all []reach.Entry
		for _, text := range rapid.SliceOfN(template, 2, 4).Draw(t, "templates") {
			all = append(all, reach.Entry{Template: text, Priority: rapid.Int32Range(0, 1).Draw(t, "priority"), CaseSensitive: rapid.Bool().Draw(t, "cased")})
		}
		table := reach.New(all)
		reached := map[int]bool{}
		first := reach.First(table)
		for _, p := range paths {
			reached[first(p)] = true
		}
		for i := range all {
			switch _, shadowed := table.Shadow(i); {
			case shadowed && reached[i]:
				t.Fatalf("route %d of %+v: got shadowed, yet a request reaches it", i, all)
			case !shadowed && first(reach.Reaching(table, i)) != i:
				t.Fatalf("route %d of %+v: got reached by %q, which another route takes", i, all, reach.Reaching(table, i))
			}
		}
	})
}

// TestAlike: thousands of routes for one path do not make a list that is walked
// for each of them.
func TestAlike(t *testing.T) {
	all := entries(strings.Repeat("GET /a/{x}\nPOST /a/{x}\n/A/{x}\n", 1000))
	table := reach.New(all)
	if got := reach.Longest(table); got != 3 {
		t.Errorf("got a list of %d routes, want 3", got)
	}
	for i := range all {
		shadow, shadowed := table.Shadow(i)
		if shadowed != (i >= 3) || shadowed && shadow.By[0] >= 3 {
			t.Fatalf("route %d: got shadowed %t by %v", i, shadowed, shadow.By)
		}
	}
}

// TestTableIsShared: rules that run at the same time use one table.
func TestTableIsShared(t *testing.T) {
	table := reach.New(entries("/a/{x}/\n/a/{y}\n/a/b\n/{m}/{n}\n/c/d"))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 5 {
				table.Shadow(i)
			}
		})
	}
	group.Wait()
}
