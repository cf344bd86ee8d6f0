package git_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/git"
)

// repo is a repository in a folder of its own.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} {
		t.Setenv(name, "") // restores it
		os.Unsetenv(name)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	r := &repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.git("config", "user.name", "t")
	r.git("config", "user.email", "t@t")
	return r
}

func (r *repo) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	name = filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "c")
}

func (r *repo) open() *git.Repository {
	r.t.Helper()
	opened, err := git.Open(r.t.Context(), r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	return opened
}

// touched lists the lines that have changed in a file.
func (r *repo) touched(since, name string) string {
	r.t.Helper()
	opened := r.open()
	base, err := opened.Fork(r.t.Context(), since)
	if err != nil {
		r.t.Fatal(err)
	}
	changes, err := opened.Changes(r.t.Context(), base)
	if err != nil {
		r.t.Fatal(err)
	}
	lines, err := changes.Lines(r.t.Context(), name)
	if err != nil {
		r.t.Fatal(err)
	}
	var all []string
	for n := 1; n <= 8; n++ {
		if lines.Touch(n, n) {
			all = append(all, fmt.Sprint(n))
		}
	}
	return strings.Join(all, " ")
}

func TestLines(t *testing.T) {
	const before = "1\n2\n3\n4\n5\n6\n7\n8\n"
	for _, tt := range []struct {
		name, path, want string
		change           func(*repo)
	}{
		{"nothing", "a b.json", "", func(*repo) {}},
		{"changed lines", "a b.json", "2 5 6", func(r *repo) { r.write("a b.json", "1\nx\n3\n4\nx\nx\n7\n8\n") }},
		{"a new line", "a b.json", "3", func(r *repo) { r.write("a b.json", "1\n2\nnew\n3\n4\n5\n6\n7\n8\n") }},
		{"a removed line", "a b.json", "", func(r *repo) { r.write("a b.json", "1\n2\n4\n5\n6\n7\n8\n") }},
		{"text that looks like a hunk", "a b.json", "2", func(r *repo) { r.write("a b.json", "1\n@@ -1 +7 @@\n3\n4\n5\n6\n7\n8\n") }},
		{"committed", "a b.json", "8", func(r *repo) { r.write("a b.json", "1\n2\n3\n4\n5\n6\n7\nx\n"); r.commit() }},
		{"staged", "a b.json", "8", func(r *repo) { r.write("a b.json", "1\n2\n3\n4\n5\n6\n7\nx\n"); r.git("add", "-A") }},
		{"not known to git", "new.json", "1 2 3 4 5 6 7 8", func(r *repo) { r.write("new.json", before) }},
		{"added", "new.json", "1 2 3 4 5 6 7 8", func(r *repo) { r.write("new.json", before); r.commit() }},
		{"ignored", "new.json", "1 2 3 4 5 6 7 8", func(r *repo) { r.write(".gitignore", "new.json\n"); r.write("new.json", before) }},
		{"renamed", "sub/c.json", "7", func(r *repo) {
			r.git("mv", "a b.json", "c.json")
			r.write("sub/c.json", "1\n2\n3\n4\n5\n6\nx\n8\n")
			os.Remove(filepath.Join(r.dir, "c.json"))
			r.git("add", "-A")
		}},
		{"a name that is a pattern", "[a]*.json", "1", func(r *repo) {
			r.write("[a]*.json", before)
			r.commit()
			r.git("tag", "-f", "start")
			r.write("[a]*.json", "x"+before[1:])
			r.write("a b.json", "1\nx\n")
		}},
		{"UTF-16", "wide.json", "2", func(r *repo) { r.write("wide.json", wide("1\nx\n3\n")) }},
		{"settings of the user", "a b.json", "1 8", func(r *repo) {
			r.git("config", "diff.noprefix", "true")
			r.git("config", "diff.interHunkContext", "9")
			r.git("config", "color.ui", "always")
			r.git("config", "diff.external", "false")
			r.git("config", "diff.renames", "false")
			r.write("a b.json", "x\n2\n3\n4\n5\n6\n7\nx\n")
		}},
		{"main has gone on", "a b.json", "8", func(r *repo) {
			r.git("checkout", "-q", "-b", "topic")
			r.write("a b.json", "1\n2\n3\n4\n5\n6\n7\nx\n")
			r.commit()
			r.git("checkout", "-q", "main")
			r.write("a b.json", "x\n2\n3\n4\n5\n6\n7\n8\n")
			r.commit()
			r.git("tag", "-f", "start")
			r.git("checkout", "-q", "topic")
		}},
		{"no common history", "a b.json", "1", func(r *repo) {
			r.git("checkout", "-q", "--orphan", "other")
			r.write("a b.json", "x\n2\n3\n4\n5\n6\n7\n8\n")
			r.commit()
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRepo(t)
			r.write("a b.json", before)
			r.write("wide.json", wide("1\n2\n3\n"))
			r.commit()
			r.git("tag", "start")
			tt.change(r)
			if got := r.touched("start", tt.path); got != tt.want {
				t.Errorf("got lines %q, want %q", got, tt.want)
			}
		})
	}
}

// wide returns a text as UTF-16LE with its mark.
func wide(text string) string {
	out := "\xFF\xFE"
	for _, c := range []byte(text) {
		out += string([]byte{c, 0})
	}
	return out
}

func TestErrorsAreClear(t *testing.T) {
	r := newRepo(t)
	r.write("a", "1")
	r.commit()
	opened := r.open()
	for _, revision := range []string{"nope", "", "--all", "HEAD~9", "HEAD:a", "main..main"} {
		if _, err := opened.Fork(t.Context(), revision); err == nil || !strings.Contains(err.Error(), "revision") {
			t.Errorf("%q: got %v", revision, err)
		}
	}
	outside := t.TempDir()
	if _, err := git.Open(t.Context(), outside); err == nil || err.Error() != outside+" is in no git repository" {
		t.Errorf("got %v outside of a repository", err)
	}
	if _, err := git.Open(t.Context(), filepath.Join(outside, "nope")); err == nil {
		t.Error("got no error for a folder that does not exist")
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := opened.Commit(done, "HEAD"); err == nil {
		t.Error("got no error after the context was done")
	}
	t.Setenv("PATH", "")
	if _, err := git.Open(t.Context(), r.dir); err == nil || !strings.Contains(err.Error(), "the program git is not found") {
		t.Errorf("got %v without git", err)
	}
}

func TestPathFollowsLinksAndWorksFromASubfolder(t *testing.T) {
	r := newRepo(t)
	r.write("sub/real.json", "1")
	if err := os.Symlink(filepath.Join("sub", "real.json"), filepath.Join(r.dir, "link.json")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	opened, err := git.Open(t.Context(), filepath.Join(r.dir, "sub"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(r.dir, "sub"))
	for name, want := range map[string]string{"real.json": "sub/real.json", "../link.json": "sub/real.json", "../new.json": "new.json", "..": "."} {
		if got, ok := opened.Path(name); got != want || !ok {
			t.Errorf("%s: got %q, %v, want %q", name, got, ok, want)
		}
	}
	if got, ok := opened.Path("../../elsewhere.json"); ok {
		t.Errorf("got %q for a file outside", got)
	}
}

func TestFolderOfThePast(t *testing.T) {
	many := strings.Repeat("\nmuch that stays", 20)
	r := newRepo(t)
	r.write("top.json", "top")
	r.write("sub/a.json", "old"+many)
	r.write("sub/deep/b ü.json", "b")
	r.commit()
	opened := r.open()
	first, err := opened.Commit(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	r.git("mv", "sub", "moved")
	r.write("moved/a.json", "new"+many)
	r.commit()

	old := opened.Folder(t.Context(), first, "sub")
	if err := fstest.TestFS(old, "a.json", "deep/b ü.json"); err != nil {
		t.Error(err)
	}
	if text, err := fs.ReadFile(old, "a.json"); err != nil || string(text) != "old"+many {
		t.Errorf("got %q, %v", text, err)
	}
	if err := fstest.TestFS(opened.Folder(t.Context(), first, "."), "top.json", "sub/a.json"); err != nil {
		t.Error(err)
	}
	for path, want := range map[string]git.Kind{".": git.Tree, "sub": git.Tree, "sub/deep/b ü.json": git.Blob, "moved": git.Nothing, "../x": git.Nothing, "top.json/x": git.Nothing} {
		if got, err := opened.Kind(t.Context(), first, path); got != want || err != nil {
			t.Errorf("%s: got %v, %v, want %v", path, got, err, want)
		}
	}
	changes, err := opened.Changes(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	if was, ok, err := changes.FolderBefore(t.Context(), "moved"); was != "sub" || !ok || err != nil {
		t.Errorf("got %q, %v, %v for a renamed folder", was, ok, err)
	}
	if was, ok, err := changes.FolderBefore(t.Context(), "nowhere"); ok || err != nil {
		t.Errorf("got %q, %v, %v for a folder that was not there", was, ok, err)
	}
	if was, ok, err := changes.Before(t.Context(), "moved/deep/b ü.json"); was != "sub/deep/b ü.json" || !ok || err != nil {
		t.Errorf("got %q, %v, %v for a renamed file", was, ok, err)
	}
}
