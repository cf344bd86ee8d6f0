package normalize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// liveRecording is a started gateway and what it answered.
type liveRecording struct {
	ID       string
	Provider string
	Config   string
	Steps    []struct {
		Get    string
		Status int
		Logs   []recordedLog
	}
	// Tally counts answers that differ from run to run: "/path -> 503".
	Tally map[string]int
}

// What a started gateway logs about a route's settings at its first request,
// and what the outer timer alone answers.
func TestOracleResolveLive(t *testing.T) {
	tally := oracletest.NewTally("resolve-live")
	oracletest.Each(t, "resolve-live.jsonl", func(rec liveRecording) {
		if diff := compareLive(t, &rec); diff != "" {
			tally.Differ("live", rec.ID, "%s\n%s", diff, rec.Config)
			return
		}
		tally.Agree("live")
	})
	tally.Report(t)
}

func compareLive(t *testing.T, rec *liveRecording) string {
	provider, _ := profile.ParseProvider(rec.Provider)
	// The port of the backend was filled in when the gateway started.
	cfg := must(t, strings.ReplaceAll(rec.Config, `"@PORT"`, "80"))
	g := normalize.Resolve(cfg, profile.Profile{Version: "25.0", Provider: provider})
	seen := map[string]bool{}
	for _, step := range rec.Steps {
		path, query, _ := strings.Cut(step.Get, "?")
		route := liveRoute(g, path)
		var want []recordedLog
		if !seen[path] {
			want = settingsLogs(&route)
			seen[path] = true
		}
		if got := aboutSettings(step.Logs); fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Sprintf("%s: want logs %v, got %v", step.Get, got, want)
		}
		if diff := outerAnswers(&route, query, step.Status); diff != "" {
			return step.Get + ": " + diff
		}
	}
	for answer := range rec.Tally {
		path, status, _ := strings.Cut(answer, " -> ")
		path, query, _ := strings.Cut(path, "?")
		route := liveRoute(g, path)
		if ms := route.OuterTimeout.V; ms > 0 || (ms < 0) != (status == "500") || query != "" && status != "503" {
			return fmt.Sprintf("%s: got outer timeout %d", answer, ms)
		}
	}
	return ""
}

func liveRoute(g *normalize.Gateway, path string) normalize.Route {
	if l, ok := g.Lookup(path); ok {
		return l.Route
	}
	return g.Routes[0]
}

func settingsLogs(r *normalize.Route) []recordedLog {
	var logs []recordedLog
	if text := r.OuterWarning(); text != "" {
		logs = append(logs, recordedLog{"Warning", text})
	}
	if r.OuterTimeout.V < 0 {
		return logs // the timer throws before the pipeline is built
	}
	for _, log := range r.PollyLogs() {
		logs = append(logs, recordedLog{log.Level, log.Text})
	}
	return logs
}

func aboutSettings(logs []recordedLog) []recordedLog {
	var about []recordedLog
	for _, log := range logs {
		if strings.HasPrefix(log.Message, "Route '") {
			about = append(about, log)
		}
	}
	return about
}

// outerAnswers holds a status against the outer timer: a negative one fails
// every request, and a slow backend is cut off by the shorter of two timers.
func outerAnswers(r *normalize.Route, query string, status int) string {
	outer := r.OuterTimeout.V
	if (outer < 0) != (status == 500 && !strings.Contains(query, "st=500")) {
		return fmt.Sprintf("got outer timeout %d, want status %d", outer, status)
	}
	var delay int64
	if n, _ := fmt.Sscanf(query, "ms=%d", &delay); n == 0 || outer <= 0 {
		return ""
	}
	shorter := outer
	if a := r.AttemptTimeout; a.IsSet() {
		shorter = min(shorter, int64(a.V))
	}
	if (delay > shorter) != (status == 503) {
		return fmt.Sprintf("got a timer of %d ms, want status %d after %d ms", shorter, status, delay)
	}
	return ""
}
