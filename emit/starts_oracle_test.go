package emit_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// versionStart is a line of versions.jsonl: how several releases start with one
// configuration.
type versionStart struct {
	ID     string
	Config json.RawMessage
	// File is the name of a real file, in place of Config.
	File   string
	Expect map[string]struct {
		Start string
		Error *startException `json:"startError"`
	}
}

type startException struct {
	Type, Message string
	Inner         *startException
}

// TestOracleVersionStarts starts every recorded configuration in every release:
// it starts or does not, and what stops it is told in the words of that release.
func TestOracleVersionStarts(t *testing.T) { startVersions(t, "versions.jsonl.gz") }

// TestOracleVersionStartsOfCorpus does so with real files, too.
func TestOracleVersionStartsOfCorpus(t *testing.T) {
	startVersions(t, oracletest.CorpusRecordings(t, "versions.jsonl.gz"))
}

func startVersions(t *testing.T, recordings string) {
	t.Helper()
	tally := oracletest.NewTally("versions, starts")
	oracletest.Each(t, recordings, func(rec versionStart) {
		text, shown := []byte(rec.Config), string(rec.Config)
		if rec.File != "" {
			text, shown = corpusText(t, rec.File), rec.File
		}
		for version, want := range rec.Expect {
			r := compile(t, "ocelot.json", text, emit.Options{Profile: recordedProfile(t, version, rec.ID), Unchecked: true})
			if diff := differ("start", startOf(r), recordedStart(want.Error)); diff != "" {
				tally.Differ(version, rec.ID, "%s\n%s", diff, shown)
				continue
			}
			tally.Agree(version)
		}
	})
	tally.Report(t)
}

// notJSON is what a file that is no JSON is told by: the recordings hide where.
const notJSON = "Could not parse the JSON file."

// startOf is what stops a start, in the words of the release and in its order;
// "" where nothing does.
func startOf(r *emit.Result) string {
	if r.Loaded.Failure != nil {
		return notJSON
	}
	if x := r.Startup.Exception; x != nil {
		return x.Type
	}
	var texts []string
	for _, e := range r.StartErrors() {
		texts = append(texts, e.Ocelot)
	}
	return hidden(strings.Join(texts, ","))
}

// recordedStart takes an exception apart as margay does: into the failures of the
// validation, or the type of what is thrown without a text of Ocelot's.
func recordedStart(e *startException) string {
	if e == nil {
		return ""
	}
	message, validated := strings.CutPrefix(e.Message, "Unable to start Ocelot, errors are:")
	switch {
	case validated:
		message = strings.ReplaceAll(strings.TrimSpace(message), "\nFileValidationFailedError: ", ",")
		return hidden(strings.TrimPrefix(message, "FileValidationFailedError: "))
	case e.Type == "System.IO.InvalidDataException":
		return e.Inner.Message
	case strings.HasPrefix(e.Message, "Failed to convert"):
		return hidden(e.Message)
	}
	return e.Type
}

// The recordings of real files hide what is quoted in a message, and paths.
var (
	quotedText = regexp.MustCompile(`'[^']*'`)
	pathText   = regexp.MustCompile(`/\S*`)
)

func hidden(message string) string {
	return pathText.ReplaceAllString(quotedText.ReplaceAllString(message, "'<text>'"), "<text>")
}
