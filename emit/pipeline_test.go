package emit_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate/rules"
)

// outputs are the sections of a case that margay writes; all others are files
// of the gateway.
var outputs = []string{"findings.txt", "resolve.json", "plan.json"}

// TestPipeline runs whole gateways through every stage: each case in
// testdata/pipeline holds the files and what comes out. UPDATE=1 writes the
// outputs anew.
func TestPipeline(t *testing.T) {
	files, err := filepath.Glob("../testdata/pipeline/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("got %d cases, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runCase(t, file) })
	}
}

func runCase(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]string{}, compileCase(t, archive)
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		if slices.Contains(outputs, f.Name) {
			want[f.Name] = string(f.Data)
			return true
		}
		return false
	})
	if os.Getenv("UPDATE") != "" {
		for _, name := range outputs {
			if text := got[name]; text != "" {
				archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(text)})
			}
		}
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range outputs {
		if got[name] != want[name] {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got[name], want[name])
		}
	}
}

// compileCase returns the outputs of a case by section.
func compileCase(t *testing.T, archive *txtar.Archive) map[string]string {
	t.Helper()
	files := fstest.MapFS{}
	var single *source.File
	for _, f := range archive.Files {
		if !slices.Contains(outputs, f.Name) {
			files[f.Name] = &fstest.MapFile{Data: f.Data}
			single = source.NewFile(f.Name, f.Data)
		}
	}
	in := load.Input{Name: single.Name, File: single}
	if len(files) > 1 {
		folder := load.Folder{FS: files}
		plan, err := load.Detect(folder, load.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		in = load.Input{Name: "gateway", Folder: folder, Plan: plan}
	}
	r, err := emit.Compile(context.Background(), in, emit.Options{Rules: rules.All()})
	if err != nil {
		t.Fatal(err)
	}
	var findings, resolved, plan bytes.Buffer
	printer, _ := report.New("text", report.Options{})
	if err := printer.Print(&findings, r.Findings); err != nil {
		t.Fatal(err)
	}
	if err := emit.JSON(&resolved, []*emit.Result{r}, emit.View{}); err != nil {
		t.Fatal(err)
	}
	if r.Starts() {
		if _, err := emit.WritePlan(&plan, r); err != nil {
			t.Fatal(err)
		}
	}
	return map[string]string{"findings.txt": findings.String(), "resolve.json": resolved.String(), "plan.json": plan.String()}
}
