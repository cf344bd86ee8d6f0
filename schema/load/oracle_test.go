package load_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/load/loadtest"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// recording is a recorded program with what was recorded of its loading.
type recording struct {
	*loadtest.Recording
	Expect recordedAnswer
	// permuted says that the order of the variables is not the recorded one.
	permuted bool
}

type recordedAnswer struct {
	LoadError   *recordedError  `json:"load_error"`
	Enumerated  []string        `json:"enumerated"`
	Merged      json.RawMessage `json:"merged"`
	MergedText  *string         `json:"merged_text"`
	WrittenTo   *string         `json:"written_to"`
	Flat        json.RawMessage `json:"flat"`
	RawEffect   json.RawMessage `json:"effective"`
	BaseURL     *string         `json:"base_url"`
	Swagger     *struct{ Endpoints, Paths, Routes any }
	AfterChange []struct {
		Bound json.RawMessage
	} `json:"after_change"`
	// Counts are, for each section, how many children the configuration has
	// and how many elements were bound.
	Counts map[string][2]int
}

type recordedError struct {
	Type, Message string
	Inner         *recordedError
}

func (e *recordedError) String() string {
	if e == nil {
		return "no failure"
	}
	return e.Type + ": " + e.Message + " → " + e.Inner.String()
}

func failureText(f *load.Failure) string {
	if f == nil {
		return "no failure"
	}
	return f.Type + ": " + f.Message + " → " + failureText(f.Inner)
}

func TestOracleLoad(t *testing.T) { replayAll(t, "load", "load.jsonl.gz") }

func TestOracleLoadWays(t *testing.T) { replayAll(t, "load-ways", "load-ways.jsonl.gz") }

func replayAll(t *testing.T, name, file string) {
	t.Helper()
	tally := oracletest.NewTally(name)
	loadtest.Each(t, file, func(r *loadtest.Recording) { tell(tally, r, r.Group) })
	tally.Report(t)
}

func TestOracleLoadCorpus(t *testing.T) {
	tally := oracletest.NewTally("load-corpus")
	loadtest.EachOfCorpus(t, func(r *loadtest.Recording) { tell(tally, r, r.Mode) })
	tally.Report(t)
}

func tell(tally *oracletest.Tally, r *loadtest.Recording, group string) {
	rec := recording{Recording: r}
	difference := ""
	if err := r.Answer(&rec.Expect); err != nil {
		difference = err.Error()
	} else {
		difference = replay(&rec)
	}
	if difference != "" {
		tally.Differ(group, r.ID, "%s", difference)
		return
	}
	tally.Agree(group)
}

// replay loads what a record holds and says where the answer differs.
func replay(rec *recording) string {
	result, err := loadtest.Run(rec.Recording)
	if err != nil {
		return err.Error()
	}
	if got, want := failureText(result.Failure), rec.Expect.LoadError.String(); got != want {
		return fmt.Sprintf("failure:\n got %q\nwant %q", got, want)
	}
	for _, check := range []func(*recording, *load.Result) string{checkMerge, checkWritten, checkFlat, checkEffective, checkBaseURL, checkSwagger, checkCounts, checkChanges} {
		if difference := check(rec, result); difference != "" {
			return difference
		}
	}
	return ""
}
