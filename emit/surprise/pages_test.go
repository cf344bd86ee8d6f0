package surprise_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/prose"
	"github.com/margay-dev/margay/schema/source"
)

// becomes is the part of a page that is computed.
const becomes = "**What it becomes**\n"

// TestPages resolves both files of every page under both versions: what the page
// quotes is what they become, the versions differ, and the second file does what
// the page says of it. UPDATE=1 writes the quotations anew.
func TestPages(t *testing.T) {
	for _, s := range surprise.Surprises() {
		t.Run(s.ID, func(t *testing.T) {
			if s.Hidden != "" {
				if strings.Contains(s.Page, becomes) {
					t.Error("what no file shows is quoted")
				}
				return
			}
			before, after := s.Files()
			old, next := resolve(t, &s, before, s.From, s.Providers.From), resolve(t, &s, before, s.To, s.Providers.To)
			if unrecorded(t, s.From) {
				old = "nothing is recorded\n"
			}
			if same := old == next; same != s.Unchanged {
				t.Errorf("%s and %s are the same: %t\n%s", s.From, s.To, same, old)
			}
			quoted := "in " + s.From + ":\n" + old + "\nin " + s.To + ":\n" + next
			if after != "" {
				instead := resolve(t, &s, after, s.To, s.Providers.To)
				quoted += "\nin " + s.To + ", after:\n" + instead
				checkAfter(t, &s, old, next, instead)
			} else if s.After != surprise.Nothing {
				t.Error("the page has no second file")
			}
			checkQuoted(t, &s, quoted)
		})
	}
}

// unrecorded says whether a version is older than all that are recorded.
func unrecorded(t *testing.T, version string) bool {
	t.Helper()
	release, ok := profile.ParseRelease(version)
	if !ok {
		t.Fatalf("%q is no version", version)
	}
	return release.Major < 22
}

func checkAfter(t *testing.T, s *surprise.Surprise, old, next, instead string) {
	t.Helper()
	switch {
	case s.After == surprise.Keeps && instead != old:
		t.Errorf("the second file does not keep it: got\n%s\nwant\n%s", instead, old)
	case s.After == surprise.Partly && instead == next:
		t.Errorf("the second file changes nothing:\n%s", instead)
	case s.After == surprise.Partly && instead == old:
		t.Errorf("the second file keeps all of it, and the page says less:\n%s", instead)
	case s.After == surprise.Explicit && instead != next:
		t.Errorf("the second file is not what the new version does: got\n%s\nwant\n%s", instead, next)
	case s.After == surprise.Nothing:
		t.Error("there is a second file, and the page says that none helps")
	}
}

// checkQuoted holds the computed part of a page against the computation.
func checkQuoted(t *testing.T, s *surprise.Surprise, quoted string) {
	t.Helper()
	head, rest, ok := strings.Cut(s.Page, becomes)
	if !ok {
		t.Fatalf("the page has no %q", becomes)
	}
	_, tail, found := strings.Cut(rest, "\n**Recorded**")
	if found {
		tail = "\n**Recorded**" + tail
	}
	want := head + becomes + list(quoted) + tail
	if s.Page == want {
		return
	}
	if os.Getenv("UPDATE") == "" {
		t.Errorf("got\n%s\nwant\n%s", s.Page, want)
		return
	}
	if err := os.WriteFile(strings.ToLower(s.ID)+".md", []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// list writes the quotations as a list: a version with all that its routes get.
func list(quoted string) string {
	text := "\n"
	for line := range strings.Lines(quoted) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasSuffix(line, ":") && strings.HasPrefix(line, "in ") {
			text += "- " + line + "\n"
		} else if line != "" {
			text += "  - " + line + "\n"
		}
	}
	return text
}

// resolve says what a file becomes in a version, in one line for each route.
func resolve(t *testing.T, s *surprise.Surprise, text, version string, provider profile.Provider) string {
	t.Helper()
	p, ok := profile.Find(version)
	if !ok {
		t.Fatalf("%q is no version", version)
	}
	p.Provider = provider
	in := load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", []byte(text))}
	r, err := emit.Compile(context.Background(), in, emit.Options{Profile: p})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Loaded.Texts[0].Defects) > 0 {
		t.Fatalf("%s: the file is not JSON: %s", s.ID, text)
	}
	var lines []string
	if !r.Starts() {
		lines = append(lines, "Ocelot does not start: "+short(r.StartErrors()[0].Message))
	}
	for i := range r.Gateway.Routes {
		if line := describe(s, r, &r.Gateway.Routes[i]); line != "" && r.Starts() {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "there are no routes")
	}
	return strings.Join(lines, "\n") + "\n"
}

func short(message string) string {
	line, _, _ := strings.Cut(message, "\n")
	if line = strings.TrimSpace(line); len(line) > 160 {
		line = line[:strings.LastIndexByte(line[:160], ' ')] + " …"
	}
	return line
}

func describe(s *surprise.Surprise, r *emit.Result, route *normalize.Route) string {
	if route.Kind == normalize.Aggregate {
		return fmt.Sprintf("`%s`: made of %d routes", route.Aggregate.UpstreamPathTemplate.V, len(route.Aggregate.Members))
	}
	name := route.Name()
	if route.Static != nil {
		name = route.Static.UpstreamPathTemplate.V
	}
	if route.Kind == normalize.Unlisted {
		name = "services that are not listed"
	}
	if s.Danger == surprise.Names && s.Providers.From == profile.Polly && !s.Unchanged {
		return fmt.Sprintf("`%s` has the load-balancing key `%s`", name, route.LoadBalancerKey())
	}
	parts := []string{breaker(r, route)}
	if route.Failure() == nil {
		parts = append(parts, attempt(route), outer(r, route))
	}
	if route.SharedWith >= 0 {
		parts = append(parts, "one circuit with the route before")
	}
	if r.Profile.Provider != profile.None && !route.Active {
		parts = append(parts, "QoS is not active")
	}
	return "`" + name + "`: " + strings.Join(parts, "; ")
}

func breaker(r *emit.Result, route *normalize.Route) string {
	b := &route.Breaker
	text := ""
	switch {
	case route.Failure() != nil:
		return "every request is answered 500"
	case b.Kind == normalize.NoBreaker:
		return "no breaker"
	case b.Kind == normalize.Consecutive:
		text = fmt.Sprintf("opens after %d failures in a row", b.MinimumThroughput.V)
	default:
		text = fmt.Sprintf("opens when %g %% of at least %d calls in %s fail", 100*b.FailureRatio.V, b.MinimumThroughput.V, prose.Duration(int64(b.SamplingDuration.V)))
	}
	text += ", for " + prose.Duration(int64(b.BreakDuration.V))
	if r.Profile.Provider == profile.Builtin {
		text += " (refused connections count)"
	}
	if route.AttemptTimeout.IsSet() && route.AttemptTimeout.V > 0 {
		text += [...]string{profile.Counted: " (timeouts count)", profile.Uncounted: " (timeouts do not count)", profile.Raced: " (whether timeouts count is chance)"}[r.Profile.Facts().Timeouts]
	}
	return text
}

func attempt(route *normalize.Route) string {
	if !route.AttemptTimeout.IsSet() || route.AttemptTimeout.V <= 0 {
		return "no attempt timeout"
	}
	return "attempt timeout " + prose.Duration(int64(route.AttemptTimeout.V))
}

// outer says what the outer timer is and, where it is not the usual 503, what
// it answers.
func outer(r *emit.Result, route *normalize.Route) string {
	all := emit.Incidents(r, route)
	i := slices.IndexFunc(all, func(i emit.Incident) bool { return i.Mechanism == emit.OuterTimeout })
	if i < 0 {
		return "no outer timeout"
	}
	text := "outer timeout " + prose.Duration(route.OuterTimeout.V)
	if all[i].Status != 503 {
		text += fmt.Sprintf(" (answered %d)", all[i].Status)
	}
	return text
}
