package load_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// corpusRecording is what was recorded for a real file or folder.
type corpusRecording struct {
	recording
	File        string
	FolderFiles map[string]string `json:"folder_files"`
	Expect      struct {
		recordedAnswer
		// Counts are, for each section, how many children the configuration
		// has and how many elements were bound.
		Counts map[string][2]int
	}
}

func TestOracleLoadCorpus(t *testing.T) {
	dir := oracletest.CorpusDir(t)
	tally := oracletest.NewTally("load-corpus")
	oracletest.Each(t, oracletest.CorpusRecordings(t, "load-corpus.jsonl.gz"), func(rec corpusRecording) {
		rec.recording.Expect = rec.Expect.recordedAnswer
		rec.Files = corpusFiles(t, dir, &rec)
		if difference := replayCorpus(&rec); difference != "" {
			tally.Differ(rec.Mode, rec.ID, "%s", difference)
			return
		}
		tally.Agree(rec.Mode)
	})
	tally.Report(t)
}

func corpusFiles(t *testing.T, dir string, rec *corpusRecording) map[string]string {
	t.Helper()
	files := map[string]string{}
	names := rec.FolderFiles
	if rec.Mode == "file" {
		names = map[string]string{"ocelot.json": rec.File}
	}
	for to, from := range names {
		raw, err := os.ReadFile(filepath.Join(dir, from))
		if err != nil {
			t.Fatal(err)
		}
		files[to] = string(raw)
	}
	return files
}

func replayCorpus(rec *corpusRecording) string {
	if difference := replay(&rec.recording); difference != "" {
		return difference
	}
	files := fstest.MapFS{}
	for name, text := range rec.Files {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	result, err := start(&rec.recording, files)
	if err != nil {
		return err.Error()
	}
	for section, want := range rec.Expect.Counts {
		got := 0
		if id := load.Find(result.Tree, result.Root, section); id != 0 {
			for range result.Tree.Children(id) {
				got++
			}
		}
		if got != want[0] {
			return fmt.Sprintf("%s has %d children, want %d", section, got, want[0])
		}
	}
	return ""
}
