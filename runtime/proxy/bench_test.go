package proxy

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/margay-dev/margay/runtime/plan"
)

// still is a transport that answers at once, and a client that takes it.
type still struct{ header http.Header }

func (s *still) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: 5, Request: r,
		Header: s.header, Body: io.NopCloser(strings.NewReader("hello"))}, nil
}

type taker struct{ header http.Header }

func (t *taker) Header() http.Header         { return t.header }
func (t *taker) Write(p []byte) (int, error) { return len(p), nil }
func (t *taker) WriteHeader(int)             {}

// BenchmarkServeHTTP is the proxy without sockets: routing, strategies, headers.
func BenchmarkServeHTTP(b *testing.B) {
	for _, routes := range []int{10, 1000, 10_000} {
		for _, quality := range []string{"none", "breaker and timeouts"} {
			b.Run(fmt.Sprintf("routes=%d/QoS=%s", routes, quality), func(b *testing.B) {
				p := &plan.Plan{Version: plan.Version, Profile: plan.Profile{Provider: plan.Builtin}}
				for i := range routes {
					r := plan.Route{ID: fmt.Sprint("route ", i), Match: plan.Match{Kind: plan.Static, Path: fmt.Sprintf("/api/%d/{id}", i), Priority: 1},
						Backend:  plan.Backend{Scheme: "http", Path: "/v1/{id}", Hosts: []plan.Host{{Name: "backend", Port: 81}}},
						Failures: plan.Failures{StatusCodes: []plan.StatusRange{{First: 500, Last: 508}}, TransportErrors: plan.Failure}}
					if quality != "none" {
						r.OuterTimeout, r.AttemptTimeout = new(plan.Millis(90_000)), 5000
						r.Breaker = &plan.Breaker{Kind: plan.Consecutive, MinimumThroughput: 10, BreakDuration: 1000}
					}
					p.Routes = append(p.Routes, r)
				}
				x, err := New(p, Options{Roundtrips: &still{http.Header{"Content-Type": {"text/plain"}, "Content-Length": {"5"}}}})
				if err != nil {
					b.Fatal(err)
				}
				r := httptest.NewRequest("GET", fmt.Sprintf("/api/%d/42?q=1", routes/2), nil)
				r.Header.Set("User-Agent", "bench")
				r.Header.Set("Accept", "*/*")
				b.ReportAllocs()
				for b.Loop() {
					w := &taker{header: http.Header{}}
					x.ServeHTTP(w, r)
				}
			})
		}
	}
}
