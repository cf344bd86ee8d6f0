package git

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Changes are what has become different in a working tree since a commit.
type Changes struct {
	repo *Repository
	// Since is the commit.
	Since string
	// status is A, M, D, R… by the path of today; from is the old path of what
	// was renamed.
	status, from map[string]string
}

// Changes returns what is different in the working tree, whether it is
// committed or not.
func (r *Repository) Changes(ctx context.Context, since string) (*Changes, error) {
	out, err := run(ctx, r.Root, "diff", "--name-status", "-z", "--find-renames", "--ignore-submodules=all", since, "--")
	if err != nil {
		return nil, fmt.Errorf("compare with %s: %w", since, err)
	}
	c := &Changes{repo: r, Since: since, status: map[string]string{}, from: map[string]string{}}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for len(fields) >= 2 {
		status, name := fields[0][:1], fields[1]
		fields = fields[2:]
		if (status == "R" || status == "C") && len(fields) > 0 {
			c.from[fields[0]] = name
			name, fields = fields[0], fields[1:]
		}
		c.status[name] = status
	}
	return c, nil
}

// Before returns the path that a file of today had; false if it did not exist.
// Both paths are as Repository.Path gives them.
func (c *Changes) Before(ctx context.Context, name string) (string, bool, error) {
	if old, renamed := c.from[name]; renamed {
		return old, true, nil
	}
	if c.status[name] == "A" {
		return "", false, nil
	}
	out, err := run(ctx, c.repo.Root, "ls-tree", "-z", c.Since, "--", name)
	return name, len(out) > 0, err
}

// FolderBefore is Before for a folder. A folder that did not exist is looked for
// where most of the files were that it has today.
func (c *Changes) FolderBefore(ctx context.Context, folder string) (string, bool, error) {
	out, err := run(ctx, c.repo.Root, "ls-tree", "-z", c.Since, "--", inside(folder))
	if err != nil || len(out) > 0 {
		return folder, len(out) > 0, err
	}
	votes := map[string]int{}
	for name, old := range c.from {
		rest, within := strings.CutPrefix(name, inside(folder))
		if was, same := strings.CutSuffix("/"+old, "/"+rest); within && same {
			votes[path.Clean("./"+was)]++
		}
	}
	best := ""
	for old, n := range votes {
		if best == "" || n > votes[best] || n == votes[best] && old < best {
			best = old
		}
	}
	return best, best != "", nil
}

// inside is a folder's path as ls-tree wants it to list what is in it.
func inside(folder string) string {
	if folder = path.Clean(folder); folder == "." {
		return "./"
	}
	return folder + "/"
}

// Lines are line numbers, counted from 1.
type Lines struct {
	all    bool
	ranges [][2]int // first and last, ascending
}

// Whole returns all lines if there are any: for a text whose lines git sees
// otherwise.
func (l Lines) Whole() Lines { return Lines{all: l.all || len(l.ranges) > 0} }

// Touch says whether one of the lines from first to last is among them.
func (l Lines) Touch(first, last int) bool {
	return l.all || slices.ContainsFunc(l.ranges, func(r [2]int) bool { return r[0] <= last && first <= r[1] })
}

// Lines returns the lines of a file of today that are new or different. Those of
// a file that git did not know are all.
func (c *Changes) Lines(ctx context.Context, name string) (Lines, error) {
	status, known := c.status[name]
	if !known {
		tracked, err := run(ctx, c.repo.Root, "ls-files", "-z", "--", name)
		return Lines{all: len(tracked) == 0}, err
	}
	if status != "M" && status != "R" {
		return Lines{all: true}, nil
	}
	paths := []string{name}
	if old, renamed := c.from[name]; renamed {
		paths = append(paths, old)
	}
	out, err := run(ctx, c.repo.Root, append([]string{"diff", "--unified=0", "--inter-hunk-context=0", "--no-color",
		"--no-ext-diff", "--no-textconv", "--text", "--find-renames", c.Since, "--"}, paths...)...)
	if err != nil {
		return Lines{}, fmt.Errorf("compare %s with %s: %w", name, c.Since, err)
	}
	return parseHunks(out), nil
}

// parseHunks reads the heads of hunks: "@@ -1,2 +3,4 @@". Every other line that
// could be taken for one has a mark in front.
func parseHunks(diff []byte) Lines {
	var lines Lines
	for line := range bytes.Lines(diff) {
		rest, ok := bytes.CutPrefix(line, []byte("@@ -"))
		if !ok {
			continue
		}
		_, rest, _ = bytes.Cut(rest, []byte(" +"))
		extent, _, _ := bytes.Cut(rest, []byte(" "))
		start, count, several := strings.Cut(string(extent), ",")
		first, err := strconv.Atoi(start)
		size := 1
		if several {
			size, _ = strconv.Atoi(count)
		}
		if err == nil && size > 0 { // nothing of today is left of what was only removed
			lines.ranges = append(lines.ranges, [2]int{first, first + size - 1})
		}
	}
	return lines
}
