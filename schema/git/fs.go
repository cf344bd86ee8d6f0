package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// Folder returns a folder as it was at a commit. Files are read when they are
// opened. The path is as Repository.Path gives it; ctx ends all reading.
func (r *Repository) Folder(ctx context.Context, commit, folder string) fs.FS {
	return &past{ctx: ctx, repo: r, commit: commit, folder: folder}
}

// past is a folder at a commit.
type past struct {
	ctx            context.Context // fs.FS has no place for it
	repo           *Repository
	commit, folder string
}

// entry is a file or folder of the past.
type entry struct {
	name string
	mode fs.FileMode
	size int64
	hash string
}

// Open implements fs.FS.
func (p *past) Open(name string) (fs.File, error) {
	e, err := p.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if e.mode.IsDir() {
		all, err := p.ReadDir(name)
		return &pastFolder{entry: e, left: all}, err
	}
	text, err := run(p.ctx, p.repo.Root, "cat-file", "blob", e.hash)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &pastFile{Reader: bytes.NewReader(text), entry: e}, nil
}

// Stat implements fs.StatFS.
func (p *past) Stat(name string) (fs.FileInfo, error) {
	e, err := p.find(name)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return e, nil
}

// ReadDir implements fs.ReadDirFS.
func (p *past) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	all, err := p.list(inside(path.Join(p.folder, name)))
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	entries := make([]fs.DirEntry, 0, len(all))
	for _, e := range all {
		entries = append(entries, fs.FileInfoToDirEntry(e))
	}
	return entries, nil
}

func (p *past) find(name string) (entry, error) {
	if !fs.ValidPath(name) {
		return entry{}, fs.ErrInvalid
	}
	if name == "." {
		return entry{name: ".", mode: fs.ModeDir | 0o555}, nil
	}
	all, err := p.list(path.Join(p.folder, name))
	if err != nil {
		return entry{}, err
	}
	if len(all) != 1 {
		return entry{}, fs.ErrNotExist
	}
	return all[0], nil
}

// list reads what ls-tree says: "100644 blob HASH    SIZE\tPATH" for each.
func (p *past) list(what string) ([]entry, error) {
	out, err := run(p.ctx, p.repo.Root, "ls-tree", "-z", "--long", p.commit, "--", what)
	if err != nil {
		return nil, err
	}
	var all []entry
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		about, name, ok := strings.Cut(line, "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 4 {
			continue
		}
		e := entry{name: path.Base(name), mode: mode(fields[0], fields[1]), hash: fields[2]}
		e.size, _ = strconv.ParseInt(fields[3], 10, 64)
		all = append(all, e)
	}
	return all, nil
}

// mode is that of a file as .NET would open it: links and submodules are none.
func mode(octal, kind string) fs.FileMode {
	switch {
	case kind == "tree":
		return fs.ModeDir | 0o555
	case kind == "commit" || octal == "120000":
		return fs.ModeIrregular
	}
	return 0o444
}

func (e entry) Name() string       { return e.name }
func (e entry) Size() int64        { return e.size }
func (e entry) Mode() fs.FileMode  { return e.mode }
func (e entry) ModTime() time.Time { return time.Time{} }
func (e entry) IsDir() bool        { return e.mode.IsDir() }
func (e entry) Sys() any           { return nil }

// pastFile is an open file of the past.
type pastFile struct {
	*bytes.Reader
	entry entry
}

func (f *pastFile) Close() error               { return nil }
func (f *pastFile) Stat() (fs.FileInfo, error) { return f.entry, nil }

// pastFolder is an open folder of the past.
type pastFolder struct {
	entry entry
	left  []fs.DirEntry
}

func (f *pastFolder) Close() error               { return nil }
func (f *pastFolder) Stat() (fs.FileInfo, error) { return f.entry, nil }

// Read implements fs.File.
func (f *pastFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.entry.name, Err: errors.New("is a directory")}
}

// ReadDir implements fs.ReadDirFile.
func (f *pastFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(f.left)
	} else if len(f.left) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(f.left))
	next := f.left[:n]
	f.left = f.left[n:]
	return next, nil
}
