// Package git asks the program git about the past of files: what they were at a
// revision, and which of their lines have changed since.
//
// It takes paths of the file system and revisions as users write them, and
// returns texts and line numbers. It never changes a repository. What goes wrong
// (no git, no repository, no such revision) is an error that says so plainly.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Repository is the working tree that some files are in.
type Repository struct {
	// Root is its top folder, with symbolic links resolved.
	Root string
}

// Open returns the repository that a folder is in.
func Open(ctx context.Context, dir string) (*Repository, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, plain("open the repository of", dir, err)
	}
	out, err := run(ctx, real, "rev-parse", "--show-toplevel")
	if failed, ok := errors.AsType[*failure](err); ok && strings.Contains(failed.text, "not a git repository") {
		return nil, fmt.Errorf("%s is in no git repository", dir)
	}
	if err != nil {
		return nil, fmt.Errorf("open the repository of %s: %w", dir, err)
	}
	root := filepath.FromSlash(strings.TrimRight(string(out), "\r\n"))
	if root == "" {
		return nil, fmt.Errorf("%s is in a repository without files", dir)
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	return &Repository{Root: root}, nil
}

// RevisionError is a revision that a repository does not have.
type RevisionError struct{ Revision, Root string }

// Error says which revision and which repository.
func (e *RevisionError) Error() string {
	return fmt.Sprintf("git knows no revision %q in %s", e.Revision, e.Root)
}

// Commit returns the name of the commit that a revision means: a branch, a tag,
// HEAD~1, part of a hash. The error about one that does not exist is a
// *RevisionError.
func (r *Repository) Commit(ctx context.Context, revision string) (string, error) {
	if revision == "" || strings.HasPrefix(revision, "-") { // git would take it for an option
		return "", fmt.Errorf("%q is no revision", revision)
	}
	out, err := run(ctx, r.Root, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
	if _, ok := errors.AsType[*failure](err); ok {
		return "", &RevisionError{revision, r.Root}
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// Kind is what stands at a path.
type Kind uint8

// The kinds. Other is a symbolic link or another repository.
const (
	Nothing Kind = iota
	Blob
	Tree
	Other
)

// Kind returns what a path is at a commit; the path is as Path gives it.
func (r *Repository) Kind(ctx context.Context, commit, path string) (Kind, error) {
	p := &past{ctx: ctx, repo: r, commit: commit, folder: "."}
	switch e, err := p.find(path); {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid):
		return Nothing, nil
	case err != nil:
		return Nothing, err
	case e.IsDir():
		return Tree, nil
	case e.mode.IsRegular():
		return Blob, nil
	}
	return Other, nil
}

// Fork returns the commit from which HEAD and a revision have gone different
// ways, as a pull request counts; the revision's own commit where they have
// none in common, as in a clone without history.
func (r *Repository) Fork(ctx context.Context, revision string) (string, error) {
	commit, err := r.Commit(ctx, revision)
	if err != nil {
		return "", err
	}
	out, err := run(ctx, r.Root, "merge-base", commit, "HEAD")
	if base := strings.TrimSpace(string(out)); err == nil && base != "" {
		return base, nil
	}
	return commit, ctx.Err()
}

// Path returns the path of a file as git writes it, from the root and with
// slashes; false for one that is outside of the repository. Symbolic links are
// followed, since git looks at links and not at what they lead to.
func (r *Repository) Path(name string) (string, bool) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		full = real
	}
	path, err := filepath.Rel(r.Root, full)
	if err != nil || !filepath.IsLocal(path) {
		return "", false
	}
	return filepath.ToSlash(path), true
}

// failure is an exit of git with a status that is not zero.
type failure struct{ text string }

func (f *failure) Error() string { return "git says: " + f.text }

// run runs git in a folder. Nothing of the user's configuration that changes
// what git prints, and no program that it names, has a say.
func run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	settings := []string{"--no-pager", "--literal-pathspecs", "-c", "core.quotePath=false", "-c", "core.fsmonitor=false"}
	cmd := exec.CommandContext(ctx, "git", append(settings, args...)...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), ofAnotherRepository), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0")
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("the program git is not found")
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		line, _, _ := strings.Cut(strings.TrimSpace(problems.String()), "\n")
		return nil, &failure{strings.TrimPrefix(strings.TrimRight(line, "\r"), "fatal: ")}
	}
	if err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	return out.Bytes(), nil
}

// ofAnotherRepository says whether a variable of the environment fixes the
// repository: git sets such for its hooks, with paths from another folder.
func ofAnotherRepository(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"}, name)
}

// plain words an error without the path that the os package puts into it.
func plain(verb, name string, err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		err = pe.Err
	}
	return fmt.Errorf("%s %s: %w", verb, name, err)
}
