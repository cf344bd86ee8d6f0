package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/margay-dev/margay/schema/load"
)

// revision is a file or folder of a git revision.
type revision struct {
	// arg is what the user wrote, rev and path its parts.
	arg, rev, path string
	// top is the top of the working tree; set by find.
	top string
	// tree says that path is a folder; set by find.
	tree bool
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

// isDrive says whether what stands before a colon is the letter of a drive.
func isDrive(name, rest string) bool {
	return len(name) == 1 && (rest == "" || rest[0] == '\\' || rest[0] == '/') &&
		(name[0] >= 'a' && name[0] <= 'z' || name[0] >= 'A' && name[0] <= 'Z')
}

// find looks the revision and the path up.
func (r *revision) find(ctx context.Context) error {
	if _, err := exec.LookPath("git"); err != nil {
		return usage("install git, or compare with a copy of the file", "%s is a git revision, and the program git is not found", r.arg)
	}
	top, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return usage("run it inside of the repository, or compare with a copy of the file", "%s: %s", r.arg, err)
	}
	r.top = strings.TrimRight(string(top), "\r\n")
	if _, err := r.git(ctx, "rev-parse", "--verify", "--quiet", r.rev+"^{tree}"); err != nil {
		return usage("`git log` lists revisions; a shallow clone has few of them (git fetch --depth)", "%s: there is no revision %q here", r.arg, r.rev)
	}
	kind, err := r.git(ctx, "cat-file", "-t", r.object())
	switch text := strings.TrimSpace(string(kind)); {
	case err != nil:
		return usage("the path is from the top of the repository; "+r.rev+":./"+path.Base(r.path)+" is from here", "%s: revision %s holds no %q", r.arg, r.rev, r.path)
	case text != "blob" && text != "tree":
		return usage("", "%s: %q is a %s, expected a file or folder", r.arg, r.path, text)
	default:
		r.tree = text == "tree"
	}
	return nil
}

func (r *revision) object() string { return r.rev + ":" + r.path }

// onDisk is where the path stands in the working tree, for the settings that
// apply to it.
func (r *revision) onDisk() string {
	if strings.HasPrefix(r.path, "./") || strings.HasPrefix(r.path, "../") {
		return filepath.FromSlash(r.path)
	}
	return filepath.Join(r.top, filepath.FromSlash(r.path))
}

// git runs the git program and returns what it prints. The error is the first
// line of what it says.
func (r *revision) git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", "."}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		if line = strings.TrimPrefix(line, "fatal: "); line == "" {
			line = err.Error()
		}
		return nil, errors.New(line)
	}
	return out.Bytes(), nil
}

// input returns the file or folder as one gateway.
func (r *revision) input(ctx context.Context, paths load.Paths) (load.Input, error) {
	files := gitFS{ctx, r}
	if r.tree {
		folder := load.Folder{FS: files, Name: r.folderName(), MaxSize: paths.MaxSize}
		plan, err := load.Detect(folder, paths.Choice)
		return load.Input{Name: r.arg, Folder: folder, Plan: plan}, err
	}
	dir, name := path.Split(r.path)
	files.revision = &revision{arg: r.arg, rev: r.rev, path: dir, tree: true}
	file, err := load.Folder{FS: files, Name: r.rev + ":" + dir, MaxSize: paths.MaxSize}.Read(name)
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
