package route

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// FuzzMatch compares tables of a few templates with the reference.
func FuzzMatch(f *testing.F) {
	for _, seed := range [][2]string{
		{"/a/{x}\n/a/{x}/b/\n/{all}", "/a/1/b"},
		{"/u/{s}/updates?unitId={u}", "/u/1/updates/?unitId=2"},
		{"/a/.b\n/v1.0/{x}", "/v1x0/..a"},
		{"/{a}-{b}.{c}/d\n/{a}{b}", "/1-2-3.4/d"},
		{"/a?{rest}\n/a/{p}?{rest}", "/a/1?p=5&q"},
		{"/a|b/{x}\n/a+b", "/aab"},
		{"/a.{b}/{c}.d?e={f}&g={h}", "/a/b/c/d?e=1&g=2"},
	} {
		f.Add(seed[0], seed[1], false)
		f.Add(seed[0], seed[1], true)
	}
	f.Fuzz(func(t *testing.T, templates, target string, caseSensitive bool) {
		in, err := ParseTarget(target)
		if err != nil || len(templates) > 300 || len(target) > 300 {
			return
		}
		p := &plan.Plan{}
		for i, path := range strings.Split(templates, "\n") {
			if !plainTemplate.MatchString(path) || i > 8 {
				return
			}
			p.Routes = append(p.Routes, plan.Route{
				ID:      fmt.Sprint("route ", i),
				Match:   plan.Match{Kind: plan.Static, Path: path, CaseSensitive: caseSensitive, Priority: 1},
				Backend: plan.Backend{Path: "/b/{x}/{y}?z={z}"},
			})
		}
		compareWithReference(t, p, &Request{Method: "GET", Target: in, Header: http.Header{}})
	})
}

// plainTemplate leaves out what .NET and package regexp read differently, and
// what no request can hold.
var plainTemplate = regexp.MustCompile(`^/[\x21-\x7e]*$`)

// FuzzTemplate compiles anything.
func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"/a/{x}", "/[[:alpha:]-[a]]", `/\d+\x41\u0042`, "/(?<n>a)(?:b)(?i)c", "/a{", "/{a}?{b}?{c}?", "/é/{x}", "/(?=a)", `/[\]]`, `/\`} {
		f.Add(seed, "/a/b")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		for _, caseSensitive := range []bool{false, true} {
			tmpl, err := newTemplate(text, caseSensitive)
			if err != nil {
				continue
			}
			spans := make([]span, len(tmpl.names))
			if tmpl.fits(path) {
				tmpl.capture(path, len(path), spans)
			}
			for _, s := range spans {
				if s.from < 0 || s.from > s.to || s.to > len(path) {
					t.Fatalf("%q with %q: value at %v", text, path, s)
				}
			}
		}
	})
}

// FuzzParseTarget demands that a parsed path has one form only.
func FuzzParseTarget(f *testing.F) {
	for _, seed := range []string{"/", "/a/%2e%2e/b?c#d", "/%25%32%65", "/a//../b/.", "http://h/a", "*", "/%C3%A9/%ff/%2F", "/..", "//"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		in, err := ParseTarget(raw)
		if err != nil || in.Path() == "" {
			return
		}
		for i := range len(in.Path()) {
			if c := in.Path()[i]; !pathBytes[c] && c != '%' {
				t.Fatalf("%q: path %q holds %q", raw, in.Path(), c)
			}
		}
		for segment := range strings.SplitSeq(in.Path(), "/") {
			if segment == "." || segment == ".." {
				t.Fatalf("%q: path %q holds a dot segment", raw, in.Path())
			}
		}
		if in.Path()[0] != '/' || in.Query() != "" && in.Query()[0] != '?' {
			t.Fatalf("%q: got path %q and query %q", raw, in.Path(), in.Query())
		}
	})
}

// FuzzBackendTarget demands that a value never changes what stands around it.
func FuzzBackendTarget(f *testing.F) {
	for _, seed := range [][2]string{{"..", "?a=1"}, {"%2e%2E/x", ""}, {"a/../../b", "?x=1&X=2"}, {"/..", "?&&="}, {".", "?%zz"}, {"", "?"}, {"é{y}", "?q=%C3"}} {
		f.Add(seed[0], seed[1])
	}
	table := mustNew(f, &plan.Plan{Routes: []plan.Route{
		{ID: "in", Match: plan.Match{Kind: plan.Static, Path: "/{x}"}, Backend: plan.Backend{Path: "/p/q/{x}/r/s"}},
		{ID: "behind", Match: plan.Match{Kind: plan.Static, Path: "/{x}"}, Backend: plan.Backend{Path: "/p/q{x}?k={x}"}},
	}})
	f.Fuzz(func(t *testing.T, value, query string) {
		if query != "" && query[0] != '?' {
			return
		}
		m := Match{table: table, entry: &table.entries[0]}
		m.inline[0] = value
		if got, err := m.BackendTarget(NewTarget("/a/", query)); err == nil {
			checkTarget(t, got)
			path, _, _ := strings.Cut(got, "?")
			if !strings.HasPrefix(path, "/p/q/") || !strings.HasSuffix(path, "/r/s") {
				t.Fatalf("value %q: got %q, want /p/q/…/r/s", value, path)
			}
		}
		m.index = 1
		if strings.Contains(value, "?") {
			return // it adds parameters in front of the template's, as in Ocelot
		}
		if got, err := m.BackendTarget(NewTarget("/a/", query)); err == nil {
			checkTarget(t, got)
			if !strings.HasPrefix(got, "/p/q") || !strings.Contains(got, "?k=") {
				t.Fatalf("value %q: got %q, want /p/q…?k=…", value, got)
			}
		}
	})
}
