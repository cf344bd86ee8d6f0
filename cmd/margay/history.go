package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/git"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

// history is what git knows of the gateways since a revision.
type history struct {
	revision string
	repos    map[string]*repository // by the folders that were asked for
}

// repository is a working tree with what has changed in it.
type repository struct {
	*git.Repository
	*git.Changes
}

// leaveOut takes out of the findings of a gateway those that the changes have
// not brought about: no place of theirs has changed, and they were there before.
func (h *history) leaveOut(ctx context.Context, g *gateway) error {
	if g.Input.Piped {
		return usage("write it to a file first", "--%s cannot compare %s", flagSince, g.streamName())
	}
	repo, err := h.repository(ctx, g)
	if _, ok := errors.AsType[*git.RevisionError](err); ok {
		return usage(revisionHelp(h.revision), "--%s %s: %s", flagSince, h.revision, err)
	}
	if err != nil {
		return fmt.Errorf("--%s %s: %w", flagSince, h.revision, err)
	}
	changed, err := changedLines(ctx, repo, g)
	if err != nil {
		return err
	}
	before, err := repo.before(ctx, g)
	if err != nil {
		return err
	}
	var kept, left []diag.Diagnostic
	for _, d := range g.shown {
		print := report.Fingerprint(d)
		switch {
		case touched(changed, d):
			kept = append(kept, d)
		case before[print] > 0:
			before[print]--
			left = append(left, d)
		default:
			kept = append(kept, d)
		}
	}
	g.shown = kept
	left = slices.DeleteFunc(left, func(d diag.Diagnostic) bool { return d.Severity < min(g.least, g.failOn) })
	g.left = append(g.left, report.Left{Reason: report.LeftUnchanged, Source: h.revision, Findings: len(left), Stops: g.Stopping(left)})
	return nil
}

// revisionHelp is the help for a revision that git does not know.
func revisionHelp(revision string) string {
	if before, _, isRange := strings.Cut(revision, ".."); isRange && before != "" {
		return fmt.Sprintf("give one revision, such as %s: what is compared is where the branch left it", before)
	}
	return shallowHelp
}

// repository returns the working tree that a gateway is in.
func (h *history) repository(ctx context.Context, g *gateway) (*repository, error) {
	dir := g.Input.Name
	if g.Input.File != nil {
		dir = folderOf(dir)
	}
	if known := h.repos[dir]; known != nil {
		return known, nil
	}
	opened, err := git.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	base, err := opened.Fork(ctx, h.revision)
	if err != nil {
		return nil, err
	}
	changes, err := opened.Changes(ctx, base)
	if err != nil {
		return nil, err
	}
	if h.repos == nil {
		h.repos = map[string]*repository{}
	}
	h.repos[dir] = &repository{opened, changes}
	return h.repos[dir], nil
}

// folderOf is the folder that a file is in, that of the target for a link.
func folderOf(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	return filepath.Dir(name)
}

// changedLines returns the changed lines of every file of a gateway.
func changedLines(ctx context.Context, repo *repository, g *gateway) (map[*source.File]git.Lines, error) {
	changed := map[*source.File]git.Lines{}
	for _, text := range g.Loaded.Texts {
		if g.Loaded.Kind(text.Index) != load.UserFile {
			continue
		}
		path, inside := repo.Path(text.File.Name)
		if !inside {
			return nil, fmt.Errorf("%s is outside of the repository %s", text.File.Name, repo.Root)
		}
		lines, err := repo.Lines(ctx, path)
		if err != nil {
			return nil, err
		}
		if oldLineEnds(text.File) {
			lines = lines.Whole()
		}
		changed[text.File] = lines
	}
	return changed, nil
}

// oldLineEnds says whether a lone carriage return ends lines of a file, which is
// no line end for git.
func oldLineEnds(f *source.File) bool {
	return bytes.Count(f.Text, []byte{'\r'}) > bytes.Count(f.Text, []byte("\r\n"))
}

// touched says whether a place of a finding is on a changed line.
func touched(changed map[*source.File]git.Lines, d diag.Diagnostic) bool {
	on := func(s source.Span) bool {
		return !s.IsZero() && changed[s.File].Touch(s.Position().Line, s.EndPosition().Line)
	}
	if on(d.Span) {
		return true
	}
	for _, r := range d.Related {
		if on(r.Span) {
			return true
		}
	}
	return false
}

// before counts the findings that the gateway had at the commit, by their
// fingerprints. A gateway that was not there, or that nobody could have loaded,
// had none.
func (r *repository) before(ctx context.Context, g *gateway) (map[string]int, error) {
	in, ok, err := r.input(ctx, g)
	if err != nil || !ok {
		return nil, err
	}
	was, err := emit.Compile(ctx, in, g.options)
	if err != nil {
		return nil, ctx.Err()
	}
	counts := map[string]int{}
	for _, d := range was.Findings {
		counts[report.Fingerprint(d)]++
	}
	return counts, nil
}

// input returns the input of a gateway as it was.
func (r *repository) input(ctx context.Context, g *gateway) (load.Input, bool, error) {
	in := g.Input
	path, inside := r.Path(in.Name)
	if !inside {
		return in, false, nil
	}
	if in.File == nil {
		was, ok, err := r.FolderBefore(ctx, path)
		if err != nil || !ok {
			return in, false, err
		}
		in.Folder.FS = r.Folder(ctx, r.Since, was)
		in.Plan, err = load.Detect(in.Folder, g.paths.Choice)
		return in, err == nil, ctx.Err()
	}
	was, ok, err := r.Before(ctx, path)
	if err != nil || !ok {
		return in, false, err
	}
	file, err := load.Folder{FS: r.Folder(ctx, r.Since, "."), MaxSize: in.Folder.MaxSize}.Read(was)
	if err != nil {
		return in, false, ctx.Err()
	}
	in.File = source.NewFile(in.Name, file.Raw())
	return in, true, nil
}
