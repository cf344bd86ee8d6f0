package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/margay-dev/margay/schema/project"
)

const projects = "../../testdata/projects"

// TestProjects holds what is found in miniature projects against what a reader
// of them knows. The comment of an archive may name the folder ("dir: a/b") and
// the environment ("env: Staging").
func TestProjects(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(projects, "*.txtar"))
	if err != nil || len(names) < 40 {
		t.Fatalf("got %d projects, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files, query, want := unpack(archive)
			got := describe(project.Detect(files, query))
			if got == string(want.Data) {
				return
			}
			if os.Getenv("UPDATE") == "" {
				t.Fatalf("got\n%s\nwant\n%s", got, want.Data)
			}
			want.Data = []byte(got)
			if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func unpack(archive *txtar.Archive) (fstest.MapFS, project.Query, *txtar.File) {
	query := project.Query{Dir: "."}
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if dir, ok := strings.CutPrefix(line, "dir: "); ok {
			query.Dir = dir
		}
		if env, ok := strings.CutPrefix(line, "env: "); ok {
			query.Environment = env
		}
	}
	files := fstest.MapFS{}
	var want *txtar.File
	for i := range archive.Files {
		f := &archive.Files[i]
		if f.Name == "want" {
			want = f
			continue
		}
		files[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	if want == nil {
		archive.Files = append(archive.Files, txtar.File{Name: "want"})
		want = &archive.Files[len(archive.Files)-1]
	}
	return files, query, want
}

// describe writes everything that was found.
func describe(p *project.Project) string {
	var b strings.Builder
	if p.File == "" {
		return "nothing\n"
	}
	fmt.Fprintf(&b, "file: %s\n", p.File)
	fact(&b, "ocelot", p.Ocelot)
	fact(&b, "provider", p.Provider)
	fact(&b, "load", p.Load)
	fact(&b, "section", p.Section)
	fact(&b, "schemes", p.Schemes)
	fact(&b, "discovery", p.Discovery)
	for _, d := range p.Doubts {
		word := "unsure of"
		if d.Question {
			word = "asks for"
		}
		fmt.Fprintf(&b, "%s %s: %s%s\n", word, d.Option, d.Text, places(d.At))
	}
	return b.String()
}

func fact[T any](b *strings.Builder, name string, f project.Fact[T]) {
	if f.Known {
		fmt.Fprintf(b, "%s: %v%s\n", name, f.Value, places(f.At))
	}
}

func places(at []project.Place) string {
	var texts []string
	for _, p := range at {
		texts = append(texts, fmt.Sprintf("%s:%d", p.File, p.Line))
	}
	return " (" + strings.Join(texts, ", ") + ")"
}
