package pipeline_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/fallback"
	"github.com/margay-dev/margay/runtime/pipeline"
	"github.com/margay-dev/margay/runtime/plan"
)

func stale(status int) plan.Route {
	r := guarded()
	r.Fallback = &plan.Fallback{StaleIfError: 60_000, StatusCode: status, ContentType: "application/json", Body: "{}"}
	return r
}

// TestFallback has a good answer, then failures, across a swap: the last good
// one stands in while it is fresh enough, then the fixed one.
func TestFallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log eventLog
		set := newSet(t, pipeline.Options{Fallback: fallback.ForRoute, Observer: &log}, stale(503))
		get := func(next http.RoundTripper) string {
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://backend/", nil)
			resp, err := set.RoundTripper(next).RoundTrip(req)
			if err != nil {
				return err.Error()
			}
			body, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			return resp.Status + string(body)
		}
		good := roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{Status: "200 OK ", StatusCode: 200, Header: http.Header{}, ContentLength: 5, Body: io.NopCloser(strings.NewReader("fresh"))}, nil
		})
		expect := func(got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		expect(get(good), "200 OK fresh")
		for range 3 { // the last one is rejected by the open circuit
			expect(get(roundTripper(refuse)), "200 OKfresh")
		}
		swap(t, set, stale(503))
		expect(get(roundTripper(refuse)), "200 OKfresh")
		time.Sleep(2 * time.Minute)
		expect(get(answer(500)), "503 Service Unavailable{}")
		if got := log.lines(); !slices.Contains(got, "OnFallback circuit-open") || !slices.Contains(got, "OnFallback status") {
			t.Errorf("got %q, want the fallbacks told with what they replace", got)
		}
	})
}

func TestFallbackLeavesClientsToThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := build(t, stale(503), pipeline.Options{Fallback: fallback.ForRoute})
		if _, err := p.RoundTrip(request(t, t.Context(), broken{}), roundTripper(upload)); p.Answer(err).Status != 400 {
			t.Errorf("got %v, want the client's fault", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if resp, err := p.RoundTrip(request(t, ctx, nil), roundTripper(hang)); err == nil {
			t.Errorf("got %v for a client that went away", resp)
		}
	})
}

func TestFallbackNeedsItsMaker(t *testing.T) {
	_, err := pipeline.New(stale(503), pipeline.Options{})
	if err == nil || !strings.Contains(err.Error(), "needs Options.Fallback") {
		t.Errorf("got %v, want the option named", err)
	}
}
