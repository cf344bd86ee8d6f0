package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/margay-dev/margay/schema/git"
	"github.com/margay-dev/margay/schema/load"
)

// revision is a file or folder of a git revision.
type revision struct {
	// arg is what the user wrote, rev and path its parts.
	arg, rev, path string
	// The others are set by find: the repository, the name of the commit, the
	// path from the top, and whether it is a folder.
	repo           *git.Repository
	commit, inside string
	tree           bool
}

// parseRevision reads REV:PATH. A path that exists is a path whatever it looks
// like, and so is one that starts with a drive.
func parseRevision(arg string) (r *revision, ok bool, err error) {
	rev, inside, found := strings.Cut(arg, ":")
	if !found || rev == "" || isDrive(rev, inside) || strings.ContainsAny(rev, `*?[\`) || strings.HasPrefix(rev, ".") || strings.HasPrefix(rev, "/") {
		return nil, false, nil
	}
	if _, err := os.Lstat(arg); err == nil {
		return nil, false, nil
	}
	if strings.HasPrefix(rev, "-") {
		return nil, false, usage("", "%q is no git revision", rev)
	}
	return &revision{arg: arg, rev: rev, path: inside}, true, nil
}

// shallowHelp is what to do about a revision that does not exist.
const shallowHelp = "a shallow clone, as CI makes it, has few revisions: git fetch --unshallow, or fetch-depth: 0 for actions/checkout"

// isDrive says whether what stands before a colon is the letter of a drive.
func isDrive(name, rest string) bool {
	return len(name) == 1 && (rest == "" || rest[0] == '\\' || rest[0] == '/') &&
		(name[0] >= 'a' && name[0] <= 'z' || name[0] >= 'A' && name[0] <= 'Z')
}

// find looks the revision and the path up.
func (r *revision) find(ctx context.Context) error {
	repo, err := git.Open(ctx, ".")
	if err != nil {
		return usage("run it inside of the repository, or compare with a copy of the file", "%s: %s", r.arg, err)
	}
	if r.commit, err = repo.Commit(ctx, r.rev); err != nil {
		return usage(shallowHelp, "%s: there is no revision %q here", r.arg, r.rev)
	}
	r.repo, r.inside = repo, r.fromTop(repo)
	kind, err := repo.Kind(ctx, r.commit, r.inside)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", r.arg, err)
	case kind == git.Nothing:
		return usage("the path is from the top of the repository; "+r.rev+":./"+path.Base(r.path)+" is from here", "%s: revision %s holds no %q", r.arg, r.rev, r.path)
	case kind == git.Other:
		return usage("", "%s: %q is neither a file nor a folder", r.arg, r.path)
	}
	r.tree = kind == git.Tree
	return nil
}

// fromTop returns the path from the top of the repository. One that begins with
// a dot is from the working directory, as in git.
func (r *revision) fromTop(repo *git.Repository) string {
	if !r.fromHere() {
		return path.Clean("./" + r.path)
	}
	here, _ := repo.Path(".")
	return path.Join(here, r.path)
}

func (r *revision) fromHere() bool {
	return strings.HasPrefix(r.path, "./") || strings.HasPrefix(r.path, "../")
}

// onDisk is where the path stands in the working tree, for the settings that
// apply to it.
func (r *revision) onDisk() string {
	if r.fromHere() {
		return filepath.FromSlash(r.path)
	}
	return filepath.Join(r.repo.Root, filepath.FromSlash(r.path))
}

// input returns the file or folder as one gateway.
func (r *revision) input(ctx context.Context, paths load.Paths) (load.Input, error) {
	if r.tree {
		folder := load.Folder{FS: r.repo.Folder(ctx, r.commit, r.inside), Name: r.folderName(), MaxSize: paths.MaxSize}
		plan, err := load.Detect(folder, paths.Choice)
		return load.Input{Name: r.arg, Folder: folder, Plan: plan}, err
	}
	dir, name := path.Split(r.path)
	file, err := load.Folder{FS: r.repo.Folder(ctx, r.commit, path.Dir(r.inside)), Name: r.rev + ":" + dir, MaxSize: paths.MaxSize}.Read(name)
	if err != nil {
		return load.Input{}, err
	}
	return load.Input{Name: r.arg, File: file, Plan: load.Plan{Options: load.Options{Section: paths.Choice.Section}}}, nil
}

// folderName is how the folder is shown in front of its files.
func (r *revision) folderName() string {
	if r.path == "" {
		return r.rev + ":."
	}
	return r.arg
}
