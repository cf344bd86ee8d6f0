package emit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// recording is a line of resolve*.jsonl: a configuration and what the real
// Ocelot 25.0 resolved it to.
type recording struct {
	ID, Group, Config, File string
	Expect                  struct {
		Error    *struct{ Stage string }
		Routes   []recordedRoute
		Unlisted *recordedRoute
	}
	Ignoring []recordedRoute `json:"routes_ignoring_validation"`
}

type recordedRoute struct {
	Kind    string
	Index   int
	Name    string
	Key     *string
	Members []int
	QoS     publicOptions
	Active  bool
	Builtin *recordedBreaker
	Polly   *struct {
		Breaker *recordedBreaker
		Timeout *int32 `json:"timeout_ms"`
	}
	Shared   *int   `json:"polly_shared_with"`
	TimeoutS *int32 `json:"timeout_s"`
	OuterMS  int64  `json:"outer_ms"`
	LBK      string
}

type recordedBreaker struct {
	Mode       string
	Throughput int32  `json:"minimum_throughput"`
	Ratio      any    `json:"failure_ratio"`
	Sampling   *int32 `json:"sampling_ms"`
	Break      int32  `json:"break_ms"`
	Timeout    *int32 `json:"timeout_ms"`
}

// publicGateway is what a program reads from resolve --format json.
type publicGateway struct {
	Version  int
	Provider string
	Ocelot   *string
	Start    struct {
		OK     bool
		Errors []struct{ Rule, Message, Ocelot string }
	}
	Dropped []struct{ Path string }
	Routes  []publicRoute
}

type publicRoute struct {
	Kind            string
	Index           *int
	Name            string
	Key             *string
	Members         []int
	Active, Live    bool
	Options         publicOptions
	Breaker         *publicBreaker
	AttemptTimeout  *int32
	RouteTimeout    *int32
	OuterTimeout    int64
	LoadBalancerKey string
	SharedWith      *int
	Divergences     []string
}

type publicOptions struct {
	BreakDuration, MinimumThroughput, SamplingDuration, Timeout *int32
	FailureRatio                                                any
}

type publicBreaker struct {
	Kind                             string
	MinimumThroughput, BreakDuration int32
	SamplingDuration                 *int32
	FailureRatio                     any
}

// TestOracleResolveJSON reads every recorded answer back out of the public
// JSON: what another program gets is what Ocelot computes.
func TestOracleResolveJSON(t *testing.T) {
	for _, name := range []string{"resolve.jsonl.gz", "resolve-docs.jsonl", "resolve-claims.jsonl", "resolve-corpus.jsonl.gz"} {
		t.Run(name, func(t *testing.T) {
			tally := oracletest.NewTally(name)
			oracletest.Each(t, recordings(t, name), func(rec recording) {
				text := []byte(rec.Config)
				if rec.File != "" {
					text = corpusText(t, rec.File)
				}
				if diff := replay(t, &rec, text); diff != "" {
					tally.Differ(rec.Group, rec.ID, "%s\n%s", diff, text)
					return
				}
				tally.Agree(rec.Group)
			})
			tally.Report(t)
		})
	}
}

func replay(t *testing.T, rec *recording, text []byte) string {
	builtin, polly := public(t, text, profile.Builtin), public(t, text, profile.Polly)
	if builtin.Start.OK != (rec.Expect.Error == nil) {
		return fmt.Sprintf("got start %v %v, want error %v", builtin.Start.OK, builtin.Start.Errors, rec.Expect.Error)
	}
	routes := rec.Expect.Routes
	if rec.Expect.Error != nil {
		if routes = rec.Ignoring; routes == nil {
			return ""
		}
	}
	if rec.Expect.Unlisted != nil {
		routes = append(routes, *rec.Expect.Unlisted)
	}
	if got := len(builtin.Routes); got != len(routes) && rec.Expect.Error == nil {
		return fmt.Sprintf("got %d routes, want %d", got, len(routes))
	}
	survivors := survivorsOf(builtin.Routes)
	for i := range routes {
		if diff := compareRoute(&builtin.Routes[i], &polly.Routes[i], &routes[i], survivors); diff != "" {
			return fmt.Sprintf("route %d: %s", i, diff)
		}
	}
	return ""
}

// survivorsOf lists the indexes of each kind of route: recordings count the
// elements that survive, the JSON those that are written.
func survivorsOf(routes []publicRoute) map[string][]int {
	by := map[string][]int{}
	for _, r := range routes {
		if r.Index != nil {
			by[r.Kind] = append(by[r.Kind], *r.Index)
		}
	}
	return by
}

func compareRoute(b, p *publicRoute, want *recordedRoute, survivors map[string][]int) string {
	if b.Kind == "unlisted" {
		return compareQoS(b, p, want)
	}
	if got := slices.Index(survivors[b.Kind], *b.Index); b.Kind != want.Kind || got != want.Index || b.Name != want.Name {
		return fmt.Sprintf("got %s %d %q, want %s %d %q", b.Kind, got, b.Name, want.Kind, want.Index, want.Name)
	}
	if b.Kind == "aggregate" {
		got := []int{}
		for _, m := range b.Members {
			got = append(got, slices.Index(survivors["static"], m))
		}
		return differ("members", got, want.Members)
	}
	if diff := differ("key", b.Key, want.Key); diff != "" {
		return diff
	}
	if diff := differ("load-balancing key", b.LoadBalancerKey, want.LBK); diff != "" {
		return diff
	}
	if diff := differ("shared", p.SharedWith, want.Shared); diff != "" {
		return diff
	}
	return compareQoS(b, p, want)
}

func compareQoS(b, p *publicRoute, want *recordedRoute) string {
	var builtin, polly *recordedBreaker
	var attempt, pollyAttempt *int32
	if want.Active {
		builtin, attempt = want.Builtin, want.Builtin.Timeout
		polly, pollyAttempt = want.Polly.Breaker, want.Polly.Timeout
	}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"options", b.Options, want.QoS},
		{"active", b.Active, want.Active},
		{"builtin breaker", b.Breaker, publicOf(builtin)},
		{"polly breaker", p.Breaker, publicOf(polly)},
		{"attempt timeout", b.AttemptTimeout, attempt},
		{"polly attempt timeout", p.AttemptTimeout, pollyAttempt},
		{"route timeout", b.RouteTimeout, want.TimeoutS},
		{"outer timeout", b.OuterTimeout, want.OuterMS},
		{"polly outer timeout", p.OuterTimeout, want.OuterMS},
	} {
		if diff := differ(c.name, c.got, c.want); diff != "" {
			return diff
		}
	}
	return ""
}

func publicOf(b *recordedBreaker) *publicBreaker {
	if b == nil {
		return nil
	}
	kind := map[string]string{"count": "consecutive", "ratio": "ratio", "": "polly"}[b.Mode]
	return &publicBreaker{kind, b.Throughput, b.Break, b.Sampling, b.Ratio}
}

func differ(what string, got, want any) string {
	if reflect.DeepEqual(got, want) {
		return ""
	}
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if bytes.Equal(g, w) {
		return ""
	}
	return fmt.Sprintf("%s: got %s, want %s", what, g, w)
}

// public compiles a text and reads the JSON back.
func public(t *testing.T, text []byte, provider profile.Provider) *publicGateway {
	t.Helper()
	// The recording program registers no authentication schemes.
	recorder := profile.Profile{Version: "25.0", Provider: provider, Schemes: []string{}}
	r := compile(t, "ocelot.json", text, emit.Options{Profile: recorder})
	var out bytes.Buffer
	if err := emit.JSON(&out, []*emit.Result{r}, emit.View{}); err != nil {
		t.Fatal(err)
	}
	g := &publicGateway{}
	if err := json.Unmarshal(out.Bytes(), g); err != nil {
		t.Fatal(err)
	}
	return g
}

// compile compiles one text that is a gateway by itself.
func compile(t testing.TB, name string, text []byte, opts emit.Options) *emit.Result {
	t.Helper()
	r, err := emit.Compile(t.Context(), load.Input{Name: name, File: source.NewFile(name, text)}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func recordings(t *testing.T, name string) string {
	if name == "resolve-corpus.jsonl.gz" {
		return oracletest.CorpusRecordings(t, name)
	}
	return name
}

func corpusText(t *testing.T, name string) []byte {
	text, err := os.ReadFile(filepath.Join(oracletest.CorpusDir(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
