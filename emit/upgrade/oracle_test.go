package upgrade_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/upgrade"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// recording is a line of versions.jsonl: one configuration in several releases.
type recording struct {
	ID     string
	Config json.RawMessage
	// File is the name of a real file, in place of Config.
	File   string
	Expect map[string]answer
}

// answer is what one release made of it, as far as a request can notice.
type answer struct {
	Start           string
	Routes, Dynamic []answerRoute
	Finder          string
}

type answerRoute struct {
	I             int
	Upstream      *string
	Service       *string
	Request       string
	Outer         any             `json:"outerTimeoutMs"`
	HandlerError  json.RawMessage `json:"handlerError"`
	StrategyError json.RawMessage `json:"strategyError"`
	Pipeline      *int            `json:"pipelineNo"`
	Same          *int            `json:"samePipelineAs"`
	Strategies    []map[string]any
}

// eachRecording calls f for every recorded configuration.
func eachRecording(t *testing.T, f func(recording)) {
	t.Helper()
	oracletest.Each(t, "versions.jsonl.gz", func(rec recording) {
		if rec.File != "" {
			text, err := os.ReadFile(filepath.Join(oracletest.CorpusDir(t), rec.File))
			if err != nil {
				t.Fatal(err)
			}
			rec.Config = text
		}
		f(rec)
	})
}

// ways are the upgrades that are replayed, by the names of the recordings.
var ways = [][2]string{
	{"22.0.1", "23.2.0"}, {"23.2.0", "23.4.3"}, {"23.4.3", "24.0.1"}, {"24.0.1", "24.1.0"},
	{"24.1.0", "25.0"}, {"24.1.0", "25.0-builtin"}, {"25.0", "25.0-builtin"}, {"22.0.1", "25.0"},
}

// TestOracleUpgrades holds every recorded configuration against every upgrade:
// something changes exactly if the recorded answers differ in what a request can
// notice.
func TestOracleUpgrades(t *testing.T) {
	tallies := map[string]*oracletest.Tally{}
	eachRecording(t, func(rec recording) {
		group := rec.ID[:strings.LastIndexByte(rec.ID, '-')]
		for _, way := range ways {
			name := "upgrades " + way[0] + " to " + way[1]
			if tallies[name] == nil {
				tallies[name] = oracletest.NewTally(name)
			}
			from, to := rec.Expect[way[0]], rec.Expect[way[1]]
			// Built-in QoS counts refused connections, Polly does not
			// (verlive-refused).
			refusals := strings.HasSuffix(way[1], "builtin") && strings.Contains(noticed(to), "breaker")
			want := noticed(from) != noticed(to) || refusals
			r := compare(t, rec.Config, profileOf(t, way[0]), profileOf(t, way[1]))
			if got := isChanged(r); got != want {
				tallies[name].Differ(group, rec.ID, "got changed %v want %v\n%s\n%s\n%s\n%s", got, want, rec.Config, noticed(from), noticed(to), textOf(t, r))
				continue
			}
			tallies[name].Agree(group)
		}
	})
	for _, way := range ways {
		tallies["upgrades "+way[0]+" to "+way[1]].Report(t)
	}
}

// isChanged is Report.Changed for what the recordings of single configurations
// show: the start, which routes there are, and their QoS.
func isChanged(r *upgrade.Report) bool {
	shown := func(x upgrade.Item) bool {
		return x.Danger != upgrade.Note && slices.Contains([]string{"start", "route", "breaker", "timeout", "failure"}, x.Aspect)
	}
	return slices.ContainsFunc(r.Gateway, shown) ||
		slices.ContainsFunc(r.Routes, func(x upgrade.Route) bool { return slices.ContainsFunc(x.Changes, shown) })
}

// noticed writes what a request can notice of an answer.
func noticed(a answer) string {
	if a.Start != "ok" {
		return "does not start"
	}
	var b strings.Builder
	for _, list := range [][]answerRoute{a.Routes, a.Dynamic} {
		for i := range list {
			r := &list[i]
			name := r.Request
			if r.Upstream != nil {
				name = *r.Upstream
			}
			fmt.Fprintf(&b, "%d %s: ", r.I, name)
			if len(r.HandlerError) > 0 && string(r.HandlerError) != "null" || len(r.StrategyError) > 0 && string(r.StrategyError) != "null" || fails(r.Outer) {
				b.WriteString("500\n")
				continue
			}
			fmt.Fprintf(&b, "outer %v", r.Outer)
			b.WriteString(strategies(r) + "\n")
		}
	}
	return b.String()
}

// strategies writes what is built for a route. The order of timeout and breaker
// cannot be noticed: in the releases where it differs, the breaker never sees a
// timeout.
func strategies(r *answerRoute) string {
	var texts []string
	for _, s := range r.Strategies {
		delete(s, "timeoutStrategy")
		if text, _ := json.Marshal(s); !strings.Contains(string(text), `"timeoutMs":-1`) {
			texts = append(texts, string(text))
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, " ")
}

func fails(outer any) bool {
	n, ok := outer.(float64)
	return ok && n < 0
}

func profileOf(t testing.TB, name string) profile.Profile {
	t.Helper()
	number, builtin := strings.CutSuffix(name, "-builtin")
	p, ok := profile.Find(number)
	if !ok {
		t.Fatalf("no profile of %s", name)
	}
	p.Provider = profile.Polly
	if builtin {
		p.Provider = profile.Builtin
	}
	return p
}

func compile(t testing.TB, text []byte, p profile.Profile) *emit.Result {
	t.Helper()
	r, err := emit.Compile(t.Context(), load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", text)}, emit.Options{Profile: p, Unchecked: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func compare(t testing.TB, text []byte, from, to profile.Profile) *upgrade.Report {
	t.Helper()
	return upgrade.Compare(compile(t, text, from), compile(t, text, to))
}

func textOf(t testing.TB, r *upgrade.Report) string {
	t.Helper()
	var b strings.Builder
	if err := upgrade.Text(&b, r, upgrade.View{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
