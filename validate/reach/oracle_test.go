package reach_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/margay-dev/margay/testdata/oracletest"
	"github.com/margay-dev/margay/validate/reach"
)

// ports stand for numbers in the recorded texts.
var ports = regexp.MustCompile(`\{\{\w+\}\}`)

type recording struct {
	ID     string
	Config string
	Expect struct {
		MatchedRoute json.RawMessage `json:"matched_route"`
	}
}

type recordedRoute struct {
	UpstreamPathTemplate    string
	UpstreamHost            string
	UpstreamHttpMethod      []string
	UpstreamHeaderTemplates map[string]string
	RouteIsCaseSensitive    bool
	Priority                *int32
}

// TestOracleNoReachedRouteIsShadowed: a route that took a request in a
// recording is not one that no request reaches.
func TestOracleNoReachedRouteIsShadowed(t *testing.T) {
	tally := oracletest.NewTally("reached routes")
	defer tally.Report(t)
	oracletest.Each(t, "routing.jsonl.gz", func(rec recording) {
		var matched int
		if json.Unmarshal(rec.Expect.MatchedRoute, &matched) != nil || string(rec.Expect.MatchedRoute) == "null" {
			return
		}
		var cfg struct{ Routes, Aggregates []recordedRoute }
		if json.Unmarshal(ports.ReplaceAll([]byte(rec.Config), []byte("80")), &cfg) != nil {
			return
		}
		var all []reach.Entry
		for _, r := range cfg.Routes {
			all = append(all, r.entry())
		}
		for _, a := range cfg.Aggregates {
			a.UpstreamHttpMethod = append(a.UpstreamHttpMethod, "GET") // what an aggregate has by itself
			all = append(all, a.entry())
		}
		if matched >= len(all) {
			return
		}
		if s, ok := reach.New(all).Shadow(matched); ok {
			tally.Differ("routing", rec.ID, "got route %d shadowed by %v, witness %s; it took a request", matched, s.By, s.Witness)
			return
		}
		tally.Agree("routing")
	})
}

func (r recordedRoute) entry() reach.Entry {
	e := reach.Entry{Template: r.UpstreamPathTemplate, CaseSensitive: r.RouteIsCaseSensitive, Host: r.UpstreamHost, Methods: r.UpstreamHttpMethod, Priority: 1}
	if r.Priority != nil {
		e.Priority = *r.Priority
	}
	for name, template := range r.UpstreamHeaderTemplates {
		e.Headers = append(e.Headers, reach.Header{Name: name, Template: template})
	}
	return e
}
