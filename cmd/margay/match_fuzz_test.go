package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// FuzzMatchURL asks for anything: a usage error or a target that begins with a
// slash comes of it, and the answer names a call for every match.
func FuzzMatchURL(f *testing.F) {
	for _, seed := range []string{"/", "http://h/a?b#c", "https://h:8080", "http://h?x", "ftp://h/", "/a b/ü", "//x", "http:///a", "/%00", "*"} {
		f.Add("GET", seed)
	}
	routes := []plan.Route{
		{ID: "/a/{x}", Match: plan.Match{Kind: plan.Static, Path: "/a/{x}", Priority: 1}, Backend: plan.Backend{Scheme: "http", Path: "/b/{x}", Hosts: []plan.Host{{Name: "h", Port: 80}}}},
		{ID: "/{all}", Match: plan.Match{Kind: plan.Static, Path: "/{all}"}, Backend: plan.Backend{Scheme: "http", Path: "/{all}", Hosts: []plan.Host{{Name: "::1"}}}},
	}
	d := &planned{plan: &plan.Plan{Version: plan.Version, Routes: routes}, name: "x"}
	f.Fuzz(func(t *testing.T, method, url string) {
		req, err := requestOf(method, url, nil)
		if err != nil {
			if _, ok := errors.AsType[*usageError](err); !ok {
				t.Errorf("got %v, want a usage error", err)
			}
			return
		}
		if target := req.Target.String(); !strings.HasPrefix(target, "/") {
			t.Errorf("%q becomes the target %q", url, target)
		}
		m, err := newMatching(d, req)
		if err != nil {
			t.Fatal(err)
		}
		if record := m.record(); (record.Match == nil) != (record.Failure != nil) || record.Match != nil && len(record.Match.Calls) != 1 {
			t.Errorf("%q: got %+v", url, record)
		}
	})
}
