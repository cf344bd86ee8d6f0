package startup_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/load/loadtest"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
	"github.com/margay-dev/margay/validate/startup"
)

// recorded is what the real program said while it started.
type recorded struct {
	Phase           *string
	Validation      []string
	ValidationError *thrown `json:"validation_error"`
	StartError      *thrown `json:"start_error"`
}

type thrown struct {
	Type    string
	Message string
	At      string
}

func TestOracleStartup(t *testing.T) {
	for _, file := range []string{"load.jsonl.gz", "load-ways.jsonl.gz"} {
		tally := oracletest.NewTally(file + ", start")
		loadtest.Each(t, file, func(r *loadtest.Recording) { replay(tally, r) })
		tally.Report(t)
	}
}

func TestOracleStartupOfCorpus(t *testing.T) {
	tally := oracletest.NewTally("load-corpus.jsonl.gz, start")
	loadtest.EachOfCorpus(t, func(r *loadtest.Recording) { replay(tally, r) })
	tally.Report(t)
}

// replay starts what loads and binds; the failures of those two stages are
// told by the tests of theirs.
func replay(tally *oracletest.Tally, r *loadtest.Recording) {
	var want recorded
	if err := r.Answer(&want); err != nil {
		tally.Differ(r.Group, r.ID, "%v", err)
		return
	}
	if phase := want.Phase; phase != nil && (*phase == "load" || *phase == "bind") {
		return
	}
	result, err := loadtest.Run(r)
	if err != nil || result.Failure != nil {
		tally.Differ(r.Group, r.ID, "loading fails: %v %v", err, result)
		return
	}
	cfg := schema.Decode(result.Tree, result.Bound, schema.DecodeOptions{})
	report := startup.Check(cfg, profileOf(r))
	if x := report.Exception; x != nil && (x.Reason == "" || x.Remedy == "") {
		tally.Differ(r.Group, r.ID, "does not say what is wrong, or what to write: %+v", x)
		return
	}
	if got, wanted := describe(report), want.String(); got != wanted {
		tally.Differ(r.Group, r.ID, "\n got %s\nwant %s", got, wanted)
		return
	}
	tally.Agree(r.Group)
}

func profileOf(r *loadtest.Recording) profile.Profile {
	p := profile.Profile{NoDiscovery: !r.Profile.Discovery}
	p.Provider, _ = profile.ParseProvider(r.Profile.QoS)
	if json.Unmarshal(r.Profile.Schemes, &p.Schemes) == nil && p.Schemes == nil {
		p.Schemes = []string{}
	}
	return p
}

func describe(r startup.Report) string {
	if e := r.Exception; e != nil {
		return fmt.Sprintf("%s at %s", e.Type, e.Thrower)
	}
	lines := []string{}
	for _, f := range r.Failures {
		lines = append(lines, f.Message)
	}
	return fmt.Sprintf("%q", lines)
}

func (w recorded) String() string {
	switch {
	case w.ValidationError != nil:
		return fmt.Sprintf("%s at %s", w.ValidationError.Type, w.ValidationError.At)
	case w.StartError != nil && w.StartError.At != "":
		return fmt.Sprintf("%s at %s", w.StartError.Type, w.StartError.At)
	}
	return fmt.Sprintf("%q", slices.Clip(append([]string{}, w.Validation...)))
}
