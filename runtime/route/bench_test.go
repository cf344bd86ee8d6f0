package route

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	stdruntime "runtime"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// sizes are the numbers of routes that lookups are measured with.
var sizes = []int{10, 1_000, 100_000}

// benchPlan is a gateway like those that people write: services with a few
// resources, some of them versioned, some with a catch-all.
func benchPlan(n int) *plan.Plan {
	p := &plan.Plan{}
	for i := range n {
		path := fmt.Sprintf("/api/v%d/service%d/orders/{id}/items/{item}", i%3, i)
		switch i % 4 {
		case 1:
			path = fmt.Sprintf("/service%d/{everything}", i)
		case 2:
			path = fmt.Sprintf("/api/service%d/orders", i)
		}
		p.Routes = append(p.Routes, plan.Route{
			ID:      fmt.Sprint("route ", i),
			Match:   plan.Match{Kind: plan.Static, Path: path, Methods: []string{"GET", "POST"}, Priority: 1},
			Backend: plan.Backend{Path: path},
		})
	}
	return p
}

func benchRequest(target string) *Request {
	in, err := ParseTarget(target)
	if err != nil {
		panic(err)
	}
	return &Request{Method: "GET", Host: "gateway.example", Target: in, Header: http.Header{}}
}

// target returns a path of the last route of each kind.
func benchTargets(n int) map[string]string {
	last := func(kind int) int { return (n-4)/4*4 + kind }
	return map[string]string{
		"captures": fmt.Sprintf("/api/v%d/service%d/orders/12345/items/6789", last(0)%3, last(0)),
		"catchall": fmt.Sprintf("/service%d/static/img/logo.png", last(1)),
		"literal":  fmt.Sprintf("/api/service%d/orders", last(2)),
		"miss":     "/nowhere/at/all",
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, n := range sizes {
		table := mustNew(b, benchPlan(n))
		for kind, target := range benchTargets(n) {
			b.Run(fmt.Sprintf("routes=%d/%s", n, kind), func(b *testing.B) {
				r := benchRequest(target)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := table.Match(r); (err == nil) != (kind != "miss") {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkMatchPeers measures what others do with the same routes: regular
// expressions in order, as Ocelot does, and the tree of net/http.
func BenchmarkMatchPeers(b *testing.B) {
	for _, n := range sizes {
		target := benchTargets(n)["captures"]
		b.Run(fmt.Sprintf("regexps/routes=%d", n), func(b *testing.B) {
			if n > 1_000 {
				b.Skip("takes hundreds of milliseconds a lookup")
			}
			expressions := benchExpressions(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if linearScan(expressions, target) < 0 {
					b.Fatal("no match")
				}
			}
		})
		b.Run(fmt.Sprintf("ServeMux/routes=%d", n), func(b *testing.B) {
			mux := benchMux(n)
			r := httptest.NewRequest("GET", target, nil)
			b.ReportAllocs()
			for b.Loop() {
				if _, pattern := mux.Handler(r); pattern == "" {
					b.Fatal("no match")
				}
			}
		})
	}
}

func benchExpressions(b *testing.B, n int) []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, r := range benchPlan(n).Routes {
		pattern, err := referencePattern(r.Match.Path, false)
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, regexp.MustCompile(pattern))
	}
	return out
}

func linearScan(expressions []*regexp.Regexp, path string) int {
	for i, e := range expressions {
		if e.MatchString(path) {
			return i
		}
	}
	return -1
}

func benchMux(n int) *http.ServeMux {
	mux := http.NewServeMux()
	for _, r := range benchPlan(n).Routes {
		pattern := regexp.MustCompile(`\{everything\}`).ReplaceAllString(r.Match.Path, "{everything...}")
		mux.HandleFunc("GET "+pattern, http.NotFound)
	}
	return mux
}

// BenchmarkMatchSegments measures templates that differ only behind a mixed
// segment, a query template among plain ones, and a path that is meant to make
// a backtracking matcher stand still.
func BenchmarkMatchSegments(b *testing.B) {
	p := benchPlan(10_000)
	for i := range 10_000 {
		path := fmt.Sprintf("/{tenant}-{region}/resource%d", i)
		p.Routes = append(p.Routes, plan.Route{ID: path, Match: plan.Match{Kind: plan.Static, Path: path}, Backend: plan.Backend{Path: path}})
	}
	const query = "/search/{area}?term={term}&page={page}"
	p.Routes = append(p.Routes, plan.Route{ID: query, Match: plan.Match{Kind: plan.Static, Path: query}, Backend: plan.Backend{Path: "/find"}})
	const odd = "/odd/{a}-{b}.{c}-{d}/end"
	p.Routes = append(p.Routes, plan.Route{ID: odd, Match: plan.Match{Kind: plan.Static, Path: odd}, Backend: plan.Backend{Path: "/odd"}})
	table := mustNew(b, p)
	for kind, target := range map[string]string{
		"mixed":   "/acme-west/resource9999",
		"query":   "/search/books?term=cats&page=3",
		"hostile": "/odd/" + strings.Repeat("-", 8_000) + "/end",
	} {
		b.Run(kind, func(b *testing.B) {
			r := benchRequest(target)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := table.Match(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParseTarget(b *testing.B) {
	for kind, raw := range map[string]string{
		"plain":   "/api/v1/service12/orders/12345/items/6789?page=2",
		"encoded": "/api/v1/caf%C3%A9/../orders/a%20b",
	} {
		b.Run(kind, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseTarget(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBackendTarget(b *testing.B) {
	table := mustNew(b, benchPlan(1_000))
	path := benchTargets(1_000)["captures"]
	for kind, target := range map[string]string{
		"plain":   path,
		"query":   path + "?page=2&size=50",
		"encoded": path + "%20b",
	} {
		b.Run(kind, func(b *testing.B) {
			r := benchRequest(target)
			m, err := table.Match(r)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.BackendTarget(r.Target); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("routes=%d", n), func(b *testing.B) {
			p := benchPlan(n)
			b.ReportAllocs()
			for b.Loop() {
				mustNew(b, p)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/route")
			b.ReportMetric(retained(b, p)/float64(n), "B/route")
		})
	}
}

// retained returns the bytes that a table keeps.
func retained(b *testing.B, p *plan.Plan) float64 {
	var before, after stdruntime.MemStats
	stdruntime.GC()
	stdruntime.ReadMemStats(&before)
	table := mustNew(b, p)
	stdruntime.GC()
	stdruntime.ReadMemStats(&after)
	stdruntime.KeepAlive(table)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}
