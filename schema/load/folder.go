package load

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/load/ordinal"
	"github.com/margay-dev/margay/schema/source"
)

// DefaultMaxSize is the size in bytes above which a file is not read.
const DefaultMaxSize = 256 << 20

// Folder is where a program's files are: its content root. Names in it are
// written with slashes.
type Folder struct {
	FS fs.FS
	// Name is how the folder is shown in front of its files' names, in
	// findings and in the program's own messages; "" shows the names alone.
	Name string
	// Separator stands between the parts of a shown path; 0 is "/".
	Separator byte
	// MaxSize is the largest file that is read, in bytes; 0 is DefaultMaxSize.
	MaxSize int64
}

// Path returns how a file of the folder is shown.
func (f Folder) Path(name string) string {
	separator := "/"
	if f.Separator != 0 {
		separator = string(f.Separator)
	}
	name = strings.ReplaceAll(name, "/", separator)
	if f.Name == "" {
		return name
	}
	return strings.TrimSuffix(f.Name, separator) + separator + name
}

// inside returns the name within the folder for a path as a program writes it:
// relative to the folder, or starting with the folder's own name.
func (f Folder) inside(name string) string {
	if rest, ok := strings.CutPrefix(name, f.Name+"/"); ok && f.Name != "" {
		name = rest
	}
	return path.Clean(name)
}

// Read reads a file. It returns an error that is fs.ErrNotExist for a missing
// file, and a *SizeError for one that is too large. Devices and pipes, which
// could block, are not opened.
func (f Folder) Read(name string) (*source.File, error) {
	if !fs.ValidPath(f.inside(name)) {
		return nil, fmt.Errorf("read %s: is outside of the folder", name)
	}
	info, err := fs.Stat(f.FS, f.inside(name))
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("is not a regular file")
		if info.IsDir() {
			err = errors.New("is a directory")
		}
	}
	if err != nil {
		return nil, plain("read", f.Path(name), err)
	}
	file, err := f.FS.Open(f.inside(name))
	if err != nil {
		return nil, plain("read", f.Path(name), err)
	}
	defer file.Close()
	limit := f.MaxSize
	if limit == 0 {
		limit = DefaultMaxSize
	}
	if info.Size() > limit {
		return nil, &SizeError{Name: f.Path(name), Limit: limit}
	}
	raw, err := readAll(file, info.Size(), limit)
	if err != nil {
		return nil, plain("read", f.Path(name), err)
	}
	if int64(len(raw)) > limit {
		return nil, &SizeError{Name: f.Path(name), Limit: limit}
	}
	return source.NewFile(f.Path(name), raw), nil
}

// readAll reads a file of about the given size, up to one byte more than the
// limit.
func readAll(file fs.File, size, limit int64) ([]byte, error) {
	raw := make([]byte, 0, size+512)
	in := io.LimitReader(file, limit+1)
	for {
		n, err := in.Read(raw[len(raw):cap(raw)])
		raw = raw[:len(raw)+n]
		if err == io.EOF {
			return raw, nil
		}
		if err != nil {
			return nil, err
		}
		if len(raw) == cap(raw) {
			raw = slices.Grow(raw, len(raw))
		}
	}
}

// plain words an error without the path that the os package puts into it.
func plain(verb, shown string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return fmt.Errorf("%s %s: %w", verb, shown, err)
}

// SizeError is a file above the size limit.
type SizeError struct {
	Name  string
	Limit int64
}

// Error says which file it is and what the limit is.
func (e *SizeError) Error() string {
	if e.Limit%(1<<20) == 0 {
		return fmt.Sprintf("read %s: file is larger than %d MiB", e.Name, e.Limit>>20)
	}
	return fmt.Sprintf("read %s: file is larger than %d bytes", e.Name, e.Limit)
}

// list returns the names of the regular files directly in a folder, sorted as
// NTFS sorts them: by their upper-cased names.
func (f Folder) list(dir string) ([]string, error) {
	entries, err := fs.ReadDir(f.FS, f.inside(dir))
	if err != nil {
		shown := f.Path(dir)
		if dir == "." {
			shown = cmp.Or(f.Name, dir)
		}
		return nil, plain("read folder", shown, err)
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, ordinal.Compare)
	return names, nil
}
