package emit_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// liveVersions is a line of versions-live.jsonl: a gateway that ran in several
// releases.
type liveVersions struct {
	ID     string
	Config json.RawMessage
	Expect map[string]*struct{ Steps []liveStep }
}

type liveStep struct {
	Status        int
	Reason, Body  string
	DownstreamHit bool
	MS            int `json:"msRounded"`
}

// recordedProfile returns the profile of a recorded release.
func recordedProfile(t *testing.T, version, id string) profile.Profile {
	t.Helper()
	number, builtin := strings.CutSuffix(version, "-builtin")
	p, ok := profile.Find(number)
	if !ok {
		t.Fatalf("%s: no profile for %s", id, version)
	}
	p.Provider = profile.Polly
	switch {
	case builtin:
		p.Provider = profile.Builtin
	case strings.Contains(id, "no-provider"):
		p.Provider = profile.None
	}
	return p
}

// causes returns what can be behind an answer, by what was seen: whether the
// service was asked, and what came back.
func causes(s liveStep) []emit.Mechanism {
	switch {
	case strings.HasPrefix(s.Body, "down "):
		return []emit.Mechanism{emit.ServiceItself}
	case s.Status == 502:
		return []emit.Mechanism{emit.NoConnection}
	case s.Status == 500:
		return []emit.Mechanism{emit.RefusedOption, emit.TimerOverflow}
	case !s.DownstreamHit:
		return []emit.Mechanism{emit.CircuitOpen}
	}
	return []emit.Mechanism{emit.AttemptTimeout, emit.OuterTimeout}
}

// TestOracleIncidents asks which mechanisms answer with each recorded status:
// the recorded cause is named, before everything that does not come from QoS,
// and with the recorded reason and body.
func TestOracleIncidents(t *testing.T) {
	tally := oracletest.NewTally("versions-live")
	oracletest.Each(t, "versions-live.jsonl.gz", func(rec liveVersions) {
		for version, answer := range rec.Expect {
			if answer == nil || answer.Steps == nil {
				continue
			}
			r := compile(t, rec.ID, rec.Config, emit.Options{Profile: recordedProfile(t, version, rec.ID)})
			for i, step := range answer.Steps {
				if step.Status < 400 {
					continue
				}
				if diff := nameCause(r, routeOfStep(r, i, len(answer.Steps)), step); diff != "" {
					tally.Differ(version, rec.ID, "step %d: %s", i, diff)
					continue
				}
				tally.Agree(version)
			}
		}
	})
	tally.Report(t)
}

// routeOfStep returns the route that a step asks: the first, or, where there
// are as many steps as routes, each its own.
func routeOfStep(r *emit.Result, step, steps int) *normalize.Route {
	if len(r.Gateway.Routes) == steps {
		return &r.Gateway.Routes[step]
	}
	return &r.Gateway.Routes[0]
}

func nameCause(r *emit.Result, route *normalize.Route, step liveStep) string {
	found := emit.WithStatus(emit.Incidents(r, route), step.Status)
	want := causes(step)
	at := slices.IndexFunc(found, func(i emit.Incident) bool { return slices.Contains(want, i.Mechanism) })
	switch {
	case at < 0:
		return fmt.Sprintf("status %d: got %v want one of %v", step.Status, found, want)
	case want[0] == emit.ServiceItself:
		return ""
	case found[at].Reason != step.Reason || found[at].Body != step.Body:
		return fmt.Sprintf("got %q %q want %q %q", found[at].Reason, found[at].Body, step.Reason, step.Body)
	case want[0] == emit.CircuitOpen && at > 0, at > 1:
		return fmt.Sprintf("%s is named in place %d", found[at].Mechanism, at+1)
	}
	if step.Body == "" {
		return ""
	}
	line, ok := emit.ReadLog(step.Body)
	if !ok || line.Mechanism != found[at].Mechanism || line.Route != route.Name() {
		return fmt.Sprintf("the body %q is read as %+v", step.Body, line)
	}
	return ""
}

// TestOracleIncidentsNeverNameTheImpossible: a route without a breaker has no
// open circuit, one whose requests all fail has no timeout.
func TestOracleIncidentsNeverNameTheImpossible(t *testing.T) {
	oracletest.Each(t, "versions-live.jsonl.gz", func(rec liveVersions) {
		for version := range rec.Expect {
			r := compile(t, rec.ID, rec.Config, emit.Options{Profile: recordedProfile(t, version, rec.ID)})
			for i := range r.Gateway.Routes {
				route := &r.Gateway.Routes[i]
				for _, incident := range emit.Incidents(r, route) {
					broken := route.Breaker.Kind == normalize.NoBreaker && incident.Mechanism == emit.CircuitOpen
					failing := route.Failure() != nil && (incident.Mechanism == emit.AttemptTimeout || incident.Mechanism == emit.CircuitOpen)
					if broken || failing {
						t.Errorf("%s %s route %d: names %s", rec.ID, version, i, incident.Mechanism)
					}
				}
			}
		}
	})
}

// TestOracleStartLines reads what releases say where no provider is registered.
func TestOracleStartLines(t *testing.T) {
	var facts struct {
		Versions map[string]struct {
			Start map[string]struct{ Start, Message string } `json:"startWithoutAnyQosProvider"`
		}
	}
	if err := json.Unmarshal(oracletest.Bytes(t, "versions-facts.json.gz"), &facts); err != nil {
		t.Fatal(err)
	}
	tally := oracletest.NewTally("versions-facts")
	for version, fact := range facts.Versions {
		for name, start := range fact.Start {
			if start.Start != "error" {
				continue
			}
			if line, ok := emit.ReadLog(start.Message); !ok || line.Mechanism != emit.ProviderMissing {
				tally.Differ(version, name, "read as %+v", line)
				continue
			}
			tally.Agree(version)
		}
	}
	tally.Report(t)
}

// tracedLog is what a gateway of traces.jsonl wrote.
type tracedLogs struct {
	ID   string
	Logs []struct{ Level, Source, Message string }
}

// TestOracleLogLines reads every recorded line of a gateway's log.
func TestOracleLogLines(t *testing.T) {
	tally := oracletest.NewTally("traces: log lines")
	oracletest.Each(t, "traces.jsonl.gz", func(rec tracedLogs) {
		for _, log := range rec.Logs {
			want := behind(log.Source, log.Message)
			if line, ok := emit.ReadLog(log.Message); !ok || !slices.Contains(want, line.Mechanism) {
				tally.Differ(log.Source, rec.ID, "read as %q want %q: %s", line.Mechanism, want, log.Message)
				continue
			}
			tally.Agree(log.Source)
		}
	})
	tally.Report(t)
}

// behind returns what may be behind a line, by the class that writes it and the
// error that it names first.
func behind(source, message string) []emit.Mechanism {
	errorName := message
	if head, rest, ok := strings.Cut(message, "->\n"); ok && !strings.Contains(head, "caught in") {
		errorName = rest
	}
	switch source {
	case "CircuitBreakerDelegatingHandler":
		switch {
		case strings.Contains(message, "recorded"):
			return []emit.Mechanism{emit.CountedFailure}
		case strings.HasPrefix(message, "Circuit breaker is open"):
			return []emit.Mechanism{emit.CircuitOpen}
		}
		return []emit.Mechanism{emit.AttemptTimeout, emit.CountedFailure}
	case "PollyQoSResiliencePipelineProvider":
		switch {
		case strings.HasPrefix(message, "Route '"):
			return []emit.Mechanism{emit.ReplacedOption}
		case strings.HasPrefix(message, "Timeout for"):
			return []emit.Mechanism{emit.AttemptTimeout}
		}
		return []emit.Mechanism{emit.CircuitOpen, emit.ClosedCircuit}
	case "MessageInvokerPool":
		return []emit.Mechanism{emit.DoubledTimeout}
	case "HttpRequesterMiddleware":
		if strings.HasSuffix(message, "URI: ") {
			return []emit.Mechanism{emit.CircuitOpen, emit.AttemptTimeout}
		}
		return []emit.Mechanism{emit.ServiceItself}
	case "WebSocketsProxyMiddleware":
		return []emit.Mechanism{emit.WebSocketTrouble}
	}
	for name, mechanisms := range map[string][]emit.Mechanism{
		"RequestTimedOutError":               {emit.AttemptTimeout, emit.OuterTimeout, emit.CircuitOpen},
		"ConnectionToDownstreamServiceError": {emit.NoConnection},
		"RequestCanceled":                    {emit.ClientGone},
		"UnableToFindDownstreamRouteError":   {emit.NoRoute},
		"PayloadTooLargeError":               {emit.RequestTooLarge},
		"BadRequestError":                    {emit.BadRequest},
		"QuotaExceededError":                 {emit.RateLimited},
		"Blocked request":                    {emit.RateLimited},
		"UnableToCompleteRequestError":       {emit.ThrownException, emit.TimerOverflow},
		"UnmappableRequestError":             {emit.Unmappable},
		"ServicesAreEmptyError":              {emit.NoHosts},
		"UnableToFindQoSProviderError":       {emit.ProviderMissing},
		"TaskCanceledException caught":       {emit.ClientGone},
		"UnauthenticatedError":               {emit.Unauthenticated},
	} {
		if strings.HasPrefix(errorName, name) {
			return mechanisms
		}
	}
	return []emit.Mechanism{emit.ThrownException, emit.WebSocketTrouble}
}
