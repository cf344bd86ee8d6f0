package normalize_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// versionsRecording is a line of versions.jsonl: one configuration in several
// releases.
type versionsRecording struct {
	ID     string
	Config json.RawMessage
	// File is the name of a real file, in place of Config.
	File   string
	Expect map[string]versionAnswer
}

// versionAnswer is what one release made of it.
type versionAnswer struct {
	Start       string
	StartError  *versionException
	BoundRoutes int
	GlobalQoS   *versionOptions
	GlobalUse   bool `json:"globalUseQos"`
	Routes      []versionRoute
	Dynamic     []versionRoute
	Finder      string
}

type versionException struct {
	Type, Message string
	Inner         *versionException
}

// versionOptions are the merged options under the names of either time. The
// Key that older releases keep beside them is read by nothing.
type versionOptions struct {
	BreakDuration, DurationOfBreak                     *int32
	MinimumThroughput, ExceptionsAllowedBeforeBreaking *int32
	Timeout, TimeoutValue                              *int32
	SamplingDuration                                   *int32
	FailureRatio                                       *ratio
}

type versionRoute struct {
	I             int
	Upstream, Key *string
	Service       *string
	Namespace     *string
	Listed        bool
	Request       string
	QoS           versionOptions
	UseQoS        bool
	RouteTimeout  *int32 `json:"routeTimeoutSeconds"`
	LBK           string
	// LBKHash is the start of the SHA-256 of the key of a route of a real file, of
	// which the recording shows neither template nor key.
	LBKHash       string `json:"lbkSha256"`
	Outer         any    `json:"outerTimeoutMs"`
	HandlerError  *versionException
	Handler       bool `json:"qosHandler"`
	RouteName     string
	Pipeline      *int   `json:"pipelineNo"`
	Same          *int   `json:"samePipelineAs"`
	None          string `json:"pipeline"`
	Strategies    []versionStrategy
	StrategyError *versionException
	Logs          []string
}

type versionStrategy struct {
	Strategy   string
	Mode       string
	Failures   int32  `json:"failuresBeforeBreaking"`
	Throughput int32  `json:"minimumThroughput"`
	Ratio      *ratio `json:"failureRatio"`
	Sampling   *int32 `json:"samplingDurationMs"`
	Break      int32  `json:"breakDurationMs"`
	Timeout    int32  `json:"timeoutMs"`
}

// TestOracleVersions replays one configuration under every recorded release:
// start, bound routes, options, activity, strategies with their order and
// numbers, timers, keys and shared circuits.
func TestOracleVersions(t *testing.T) {
	replayVersions(t, "versions.jsonl.gz", func(*versionsRecording) bool { return true })
}

// TestOracleVersionsOfCorpus does so with real files.
func TestOracleVersionsOfCorpus(t *testing.T) {
	name := oracletest.CorpusRecordings(t, "versions.jsonl.gz")
	replayVersions(t, name, func(rec *versionsRecording) bool { return rec.File != "" })
}

func replayVersions(t *testing.T, name string, wanted func(*versionsRecording) bool) {
	t.Helper()
	tallies := map[string]*oracletest.Tally{}
	oracletest.Each(t, name, func(rec versionsRecording) {
		if !wanted(&rec) {
			return
		}
		text, shown := []byte(rec.Config), string(rec.Config)
		if rec.File != "" {
			text, shown = corpusText(t, rec.File), rec.File
		}
		group := rec.ID[:strings.LastIndexByte(rec.ID, '-')]
		for version, want := range rec.Expect {
			if tallies[version] == nil {
				tallies[version] = oracletest.NewTally("versions " + version)
			}
			if diff := compareVersion(recordedProfile(t, version), text, &want); diff != "" {
				tallies[version].Differ(group, rec.ID, "%s\n%s", diff, shown)
				continue
			}
			tallies[version].Agree(group)
		}
	})
	if len(tallies) == 0 {
		oracletest.Lacking(t, "%s: no configuration was replayed", name)
	}
	for _, version := range slices.Sorted(maps.Keys(tallies)) {
		tallies[version].Report(t)
	}
}

func corpusText(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(oracletest.CorpusDir(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// recordedProfile returns the profile of a recorded program, by its name in the
// recordings.
func recordedProfile(t *testing.T, name string) profile.Profile {
	number, builtin := strings.CutSuffix(name, "-builtin")
	p, ok := profile.Find(number)
	if !ok || p.Notice() != "" {
		t.Fatalf("%s: found %v", name, p)
	}
	p.Provider = profile.Polly
	if builtin {
		p.Provider = profile.Builtin
	}
	return p
}

func compareVersion(p profile.Profile, text []byte, want *versionAnswer) string {
	cfg, got := compileAs(text, p)
	switch {
	case got == nil && want.StartError.startsLater():
		return ""
	case got != nil, want.Start != "ok":
		return unequal("start error", got, want.StartError)
	}
	if len(cfg.Routes) != want.BoundRoutes {
		return fmt.Sprintf("got %d routes want %d", len(cfg.Routes), want.BoundRoutes)
	}
	g := normalize.Resolve(cfg, p)
	c := versionComparison{gateway: g, older: !p.Facts().Inherits}
	return firstText(c.finder(want.Finder), c.global(want), c.routes(want.Routes), c.dynamic(want.Dynamic))
}

// compileAs loads and binds a text as a release does, and says what that throws.
func compileAs(text []byte, p profile.Profile) (*config.Configuration, *versionException) {
	// Recordings of real files hide the name of the file.
	result := load.Single(source.NewFile("<text>", text), load.Options{})
	if f := result.Failure; f != nil {
		return nil, &versionException{f.Type, f.Message, &versionException{f.Inner.Type, f.Inner.Message, nil}}
	}
	cfg := schema.Decode(result.Tree, result.Bound, schema.DecodeOptions{Profile: p})
	return cfg, exceptionOf(cfg.Failure)
}

func exceptionOf(e *config.BindError) *versionException {
	if e == nil {
		return nil
	}
	x := &versionException{Type: e.Exception, Message: e.Message}
	if e.Inner != nil {
		x.Inner = &versionException{Type: e.Inner.Type, Message: e.Inner.Message}
	}
	return x
}
