package msbuild

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
)

// reader reads project files: regular ones of a reasonable size.
type reader struct{ fs.FS }

// maxSize is the largest project file that is read, in bytes.
const maxSize = 1 << 20

func (r reader) read(name string) ([]byte, error) {
	info, err := fs.Stat(r.FS, name)
	switch {
	case err != nil:
		return nil, plain(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	}
	f, err := r.Open(name)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, plain(err)
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("is larger than %d MiB", maxSize>>20)
	}
	return text, nil
}

// plain leaves out the path that a file system puts into its errors.
func plain(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

func (r reader) exists(name string) bool {
	_, err := fs.Stat(r.FS, name)
	return err == nil
}

// above returns the file of that name in the nearest folder from dir upwards;
// "" if there is none.
func (r reader) above(dir, name string) string {
	for {
		if found := path.Join(dir, name); r.exists(found) {
			return found
		}
		if dir == "." || dir == "/" || dir == "" {
			return ""
		}
		dir = path.Dir(dir)
	}
}
