package proxy_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/runtime/proxy"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// versionRecord is a line of versions-live: a gateway that ran in several
// releases.
type versionRecord struct {
	ID, What string
	Config   json.RawMessage
	Expect   map[string]*struct{ Steps []versionStep }
	Timing   string // what may differ from run to run; empty: nothing
}

type versionStep struct {
	Status        int
	Body          string
	DownstreamHit bool
}

// TestOracleVersionsLive runs the plan for each release and asks what the
// recorder asked of that release: the same statuses and bodies, and the same
// requests reach the backend.
func TestOracleVersionsLive(t *testing.T) {
	tally := oracletest.NewTally("versions-live")
	oracletest.Each(t, "versions-live.jsonl.gz", func(rec versionRecord) {
		script, ok := versionScript(&rec)
		for version, want := range rec.Expect {
			if want == nil || want.Steps == nil {
				continue // it does not start
			}
			of := versionProfile(t, version, rec.ID)
			switch {
			case !ok:
				tally.Excuse(version + " not asserted: several routes in one script")
				continue
			case rec.Timing != "" && of.Facts().Timeouts == profile.Raced:
				tally.Excuse(version + " not asserted: two timers race")
				continue
			}
			switch diff := playVersion(t, &rec, of, script, want.Steps); {
			case diff == "":
				tally.Agree(version)
			case of.Facts().ClientTimer && of.Provider == profile.None && diff == "step 0: got {503  true} want {499  true}":
				tally.Excuse(version + " 503 in place of 499: its own client's timer looks like a client that has gone")
			default:
				tally.Differ(version, rec.ID, "%s", diff)
			}
		}
	})
	tally.Report(t)
}

func versionProfile(t *testing.T, version, id string) profile.Profile {
	t.Helper()
	number, builtin := strings.CutSuffix(version, "-builtin")
	p, ok := profile.Find(number)
	if !ok {
		t.Fatalf("no profile for %s", version)
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

// scripted is one request of a record, and what the backend does with it.
type scripted struct {
	path   string
	pause  time.Duration // before it
	status int
	delay  time.Duration
	down   bool
}

var (
	scriptDelay = regexp.MustCompile(`(?:needs|after) ([\d.]+) (m?s)`)
	scriptPause = regexp.MustCompile(`(\w+) requests, wait ([\d.]+) s`)
	scriptGap   = regexp.MustCompile(`with (\d+) ms between`)
)

// versionScript reads what was done from the words of the record, and what the
// backend answers from the releases that let it answer.
func versionScript(rec *versionRecord) ([]scripted, bool) {
	var config struct {
		Routes []struct{ UpstreamPathTemplate string }
	}
	if err := json.Unmarshal(rec.Config, &config); err != nil || len(config.Routes) == 0 {
		return nil, false
	}
	var steps []scripted
	for _, answer := range rec.Expect {
		if answer == nil {
			continue
		}
		for i, s := range answer.Steps {
			if i == len(steps) {
				steps = append(steps, scripted{status: http.StatusOK})
			}
			if status, ok := strings.CutPrefix(s.Body, "down "); ok {
				steps[i].status, _ = strconv.Atoi(status)
			}
		}
	}
	if n := len(config.Routes); n > 1 && n != len(steps) {
		return nil, false
	}
	for i := range steps {
		steps[i].path = config.Routes[min(i, len(config.Routes)-1)].UpstreamPathTemplate
		steps[i].down = strings.Contains(rec.What, "nothing listens")
		if m := scriptDelay.FindStringSubmatch(rec.What); m != nil {
			steps[i].delay, _ = time.ParseDuration(m[1] + m[2])
		}
		if m := scriptGap.FindStringSubmatch(rec.What); m != nil && i > 0 {
			steps[i].pause, _ = time.ParseDuration(m[1] + "ms")
		}
	}
	if m := scriptPause.FindStringSubmatch(rec.What); m != nil {
		at := slices.Index([]string{"", "one", "two", "three", "four", "five", "six"}, m[1])
		if at < 1 || at >= len(steps) {
			return nil, false
		}
		steps[at].pause, _ = time.ParseDuration(m[2] + "s")
	}
	return steps, true
}

func playVersion(t *testing.T, rec *versionRecord, of profile.Profile, script []scripted, want []versionStep) (diff string) {
	config := strings.ReplaceAll(string(rec.Config), `"Port":0`, `"Port":9001`)
	p, _, err := planOf(config, of)
	if err != nil {
		return err.Error()
	}
	synctest.Test(t, func(t *testing.T) {
		got := askVersion(t, p, script)
		for i := range want {
			w := want[i]
			if rec.Timing != "" && i == 0 {
				w.DownstreamHit = got[i].DownstreamHit // a first connection takes its time
			}
			if got[i] != w && diff == "" {
				diff = fmt.Sprintf("step %d: got %v want %v", i, got[i], w)
			}
		}
	})
	return diff
}

// askVersion asks for everything of a script, one request after the other.
func askVersion(t *testing.T, p *plan.Plan, script []scripted) []versionStep {
	n := newNetwork()
	x, err := proxy.New(p, proxy.Options{Dial: n.dial})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	var at, hits atomic.Int64
	backend := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		step := &script[at.Load()]
		select {
		case <-time.After(step.delay):
			w.WriteHeader(step.status)
			fmt.Fprintf(w, "down %d", step.status)
		case <-r.Context().Done():
		}
	})}
	if !script[0].down {
		go backend.Serve(n.listen("127.0.0.1:9001"))
	}
	front := &http.Server{Handler: x}
	go front.Serve(n.listen(gatewayAddress))
	client := &http.Client{Transport: &http.Transport{DialContext: n.dial, DisableKeepAlives: true}}
	var out []versionStep
	for i := range script {
		time.Sleep(script[i].pause)
		at.Store(int64(i))
		hits.Store(0)
		resp, err := client.Get("http://" + gatewayAddress + script[i].path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		out = append(out, versionStep{Status: resp.StatusCode, Body: string(body), DownstreamHit: hits.Load() > 0})
		synctest.Wait()
	}
	front.Close()
	backend.Close()
	return out
}
