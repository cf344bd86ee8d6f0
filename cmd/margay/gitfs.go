package main

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// gitFS is a folder of a git revision as a file system. It asks git anew for
// every folder and file: a gateway has few of them.
type gitFS struct {
	ctx context.Context
	*revision
}

// Open implements fs.FS.
func (f gitFS) Open(name string) (fs.File, error) {
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	text, err := f.git(f.ctx, "cat-file", "blob", f.rev+":"+f.below(name))
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &gitFile{bytes.NewReader(text), info}, nil
}

// Stat implements fs.StatFS.
func (f gitFS) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	if name == "." {
		return gitInfo{name: name, mode: fs.ModeDir}, nil
	}
	dir, base := path.Split(name)
	entries, err := f.ReadDir(path.Clean(dir))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() == base {
			return e.Info()
		}
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// ReadDir implements fs.ReadDirFS.
func (f gitFS) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := f.git(f.ctx, "ls-tree", "-z", "-l", "--full-tree", f.rev+":"+f.below(name))
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	}
	var entries []fs.DirEntry
	for record := range strings.SplitSeq(string(list), "\x00") {
		if e, ok := parseEntry(record); ok {
			entries = append(entries, fs.FileInfoToDirEntry(e))
		}
	}
	return entries, nil
}

// below returns a name within the folder as git names it in the revision.
func (f gitFS) below(name string) string {
	switch {
	case name == ".":
		return f.path
	case f.path == "" || strings.HasSuffix(f.path, "/"):
		return f.path + name
	}
	return f.path + "/" + name
}

// parseEntry reads a line of ls-tree: mode, type, object, size, a tab and the
// name.
func parseEntry(record string) (gitInfo, bool) {
	facts, name, ok := strings.Cut(record, "\t")
	parts := strings.Fields(facts)
	if !ok || len(parts) != 4 {
		return gitInfo{}, false
	}
	info := gitInfo{name: name}
	switch parts[0] {
	case "040000":
		info.mode = fs.ModeDir
	case "100644", "100755":
	default: // a symbolic link or another repository
		info.mode = fs.ModeIrregular
	}
	info.size, _ = strconv.ParseInt(parts[3], 10, 64)
	return info, true
}

type gitFile struct {
	io.Reader
	info fs.FileInfo
}

func (f *gitFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *gitFile) Close() error               { return nil }

type gitInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i gitInfo) Name() string       { return i.name }
func (i gitInfo) Size() int64        { return i.size }
func (i gitInfo) Mode() fs.FileMode  { return i.mode }
func (i gitInfo) ModTime() time.Time { return time.Time{} }
func (i gitInfo) IsDir() bool        { return i.mode.IsDir() }
func (i gitInfo) Sys() any           { return nil }
