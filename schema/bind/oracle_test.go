package bind_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/margay-dev/margay/schema/bind"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/convert"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/load/loadtest"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// answer is what a recording says about binding.
type answer struct {
	Phase   *string
	Bound   json.RawMessage
	Dropped []struct{ Path, Reason string }
	Start   *exception `json:"start_error"`
	// Counts are, for a section, its configuration children and the elements
	// that were bound.
	Counts map[string][2]int
}

type exception struct {
	Type, Message string
	Inner         *exception
}

func (e *exception) String() string {
	if e == nil {
		return "no failure"
	}
	return e.Type + ": " + e.Message + " → " + e.Inner.String()
}

func TestOracleDecode(t *testing.T) {
	for _, name := range []string{"load.jsonl.gz", "load-ways.jsonl.gz"} {
		t.Run(name, func(t *testing.T) {
			tally := oracletest.NewTally(name)
			loadtest.Each(t, name, func(r *loadtest.Recording) { replay(tally, r) })
			tally.Report(t)
		})
	}
}

func TestOracleDecodeCorpus(t *testing.T) {
	tally := oracletest.NewTally("load-corpus")
	loadtest.EachOfCorpus(t, func(r *loadtest.Recording) { replay(tally, r) })
	tally.Report(t)
}

func replay(tally *oracletest.Tally, r *loadtest.Recording) {
	if difference := differ(r); difference != "" {
		tally.Differ(r.Group, r.ID, "%s", difference)
		return
	}
	tally.Agree(r.Group)
}

// differ binds what a recording holds and says where the answer differs.
func differ(r *loadtest.Recording) string {
	result, err := loadtest.Run(r)
	if err != nil {
		return err.Error()
	}
	var want answer
	if err := r.Answer(&want); err != nil {
		return err.Error()
	}
	phase := ""
	if want.Phase != nil {
		phase = *want.Phase
	}
	if result.Failure != nil || phase == "load" {
		if (result.Failure != nil) != (phase == "load") {
			return fmt.Sprintf("failure while loading: %v, recorded phase %q", result.Failure, phase)
		}
		return ""
	}
	cfg := bind.Configuration(result.Tree, section(r, result), bind.Options{Section: result.Section})
	if phase == "bind" || cfg.Failure != nil {
		return differInFailure(cfg.Failure, phase, want.Start)
	}
	if difference := differInValues(cfg, want.Bound); difference != "" {
		return difference
	}
	if difference := differInCounts(cfg, want.Counts); difference != "" {
		return difference
	}
	return differInDropped(cfg, &want)
}

// section returns the node that the recorded program bound. It asked for a
// section by its name even if that was empty, which for margay is the root.
func section(r *loadtest.Recording, result *load.Result) syntax.ID {
	if r.Opts.Section == nil || *r.Opts.Section != "" {
		return result.Bound
	}
	for id := range result.Tree.Children(result.Root) {
		if result.Tree.Key(id) == "" {
			return id
		}
	}
	return 0
}

func differInFailure(got *config.BindError, phase string, want *exception) string {
	var have *exception
	if got != nil {
		have = &exception{got.Exception, got.Message, inner(got.Inner)}
	}
	if phase != "bind" {
		return fmt.Sprintf("got failure %s, recorded phase %q", have, phase)
	}
	if have.String() != want.String() {
		return fmt.Sprintf("failure\n got %s\nwant %s", have, want)
	}
	return ""
}

func inner(e *convert.Exception) *exception {
	if e == nil {
		return nil
	}
	return &exception{e.Type, e.Message, inner(e.Inner)}
}

func differInValues(cfg *config.Configuration, recorded json.RawMessage) string {
	var want any
	d := json.NewDecoder(bytes.NewReader(recorded))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		return err.Error()
	}
	got := bound(cfg)
	if want == "omitted" || reflect.DeepEqual(got, canonical(want)) {
		return ""
	}
	text, err := json.Marshal(got)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("values\n got %s\nwant %s", text, recorded)
}

func differInCounts(cfg *config.Configuration, want map[string][2]int) string {
	bound := map[string]int{"Routes": len(cfg.Routes), "DynamicRoutes": len(cfg.DynamicRoutes), "Aggregates": len(cfg.Aggregates)}
	for section, count := range want {
		if got, known := bound[section]; known && got != count[1] {
			return fmt.Sprintf("%s: got %d elements, want %d", section, got, count[1])
		}
	}
	return ""
}

func differInDropped(cfg *config.Configuration, want *answer) string {
	var got []struct{ Path, Reason string }
	for _, d := range cfg.Dropped {
		got = append(got, struct{ Path, Reason string }{d.Path, d.Reason.Message})
	}
	if len(got)+len(want.Dropped) == 0 || reflect.DeepEqual(got, want.Dropped) {
		return ""
	}
	return fmt.Sprintf("dropped\n got %q\nwant %q", got, want.Dropped)
}
