// Package oracletest reads the recordings of testdata/oracle for tests.
//
// A recording is a JSON object with a stable "id". The package opens files,
// decodes them record by record and keeps the tally that every replay prints;
// it does not know what a recording means. Nothing outside of tests uses it.
package oracletest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	stdruntime "runtime"
	"strings"
	"testing"
)

// Dir returns the folder with the recordings: MARGAY_ORACLE, or the project's
// own testdata/oracle.
func Dir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv("MARGAY_ORACLE"); dir != "" {
		return dir
	}
	return filepath.Join(projectRoot(t), "testdata", "oracle")
}

// Lacking reports that recordings which a replay looks for are not there. Of the
// project's own recordings that is a failure: a replay of nothing proves nothing.
// A folder named by MARGAY_ORACLE may hold any part of them; there it is said.
func Lacking(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("MARGAY_ORACLE") != "" {
		t.Logf("RECORDINGS MISSING: "+format, args...)
		return
	}
	t.Errorf(format, args...)
}

// CorpusDir returns the folder with real configuration files: MARGAY_CORPUS, or
// ../shared/corpus beside the project. It skips the test, loudly, where
// neither exists.
func CorpusDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("MARGAY_CORPUS")
	if dir == "" {
		dir = filepath.Join(projectRoot(t), "..", "shared", "corpus")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("CORPUS MISSING: %v: real configuration files are not checked (set MARGAY_CORPUS)", err)
	}
	return dir
}

// CorpusRecordings returns the path of a recording made from the corpus: it
// stands in the folder oracle beside the corpus. It skips the test, loudly,
// where the file is missing.
func CorpusRecordings(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(CorpusDir(t)), "oracle", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("CORPUS RECORDINGS MISSING: %v", err)
	}
	return path
}

// Lines calls f with every line of a JSON-lines file of Dir, or of the file
// itself when name is absolute. Names ending in .gz are unpacked. An empty
// file fails the test: a replay of nothing proves nothing.
func Lines(t testing.TB, name string, f func(line []byte)) {
	t.Helper()
	s := bufio.NewScanner(bytes.NewReader(Bytes(t, name)))
	s.Buffer(make([]byte, 0, 1<<20), 64<<20)
	n := 0
	for s.Scan() {
		if line := bytes.TrimSpace(s.Bytes()); len(line) > 0 {
			n++
			f(line)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	if n == 0 {
		t.Fatalf("%s holds no recording", name)
	}
}

// Each decodes every line of a JSON-lines file into a T and calls f with it.
func Each[T any](t testing.TB, name string, f func(rec T)) {
	t.Helper()
	Lines(t, name, func(line []byte) {
		var rec T
		if err := json.Unmarshal(line, &rec); err != nil {
			t.Fatalf("%s: %v: %.200s", name, err, line)
		}
		f(rec)
	})
}

// Bytes returns the unpacked content of a file of Dir, or of an absolute path.
func Bytes(t testing.TB, name string) []byte {
	t.Helper()
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(Dir(t), name)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(path, ".gz") {
		return data
	}
	zr, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	out, err := io.ReadAll(zr)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return out
}

func projectRoot(t testing.TB) string {
	t.Helper()
	_, file, _, ok := stdruntime.Caller(0)
	if !ok {
		t.Fatal("no caller information")
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}
