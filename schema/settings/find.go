package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

// Find looks for the settings file of a path: in the folder that it is or
// stands in, then upwards. It returns "" if there is none. A file nearer to
// the path hides those above it.
func Find(path string) string {
	dir, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	for {
		name := filepath.Join(dir, Name)
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			return name
		}
		above := filepath.Dir(dir)
		if above == dir {
			return ""
		}
		dir = above
	}
}

// Open reads the file with the given path, which may be that of another file
// that belongs to the settings, and shows it relative to the working
// directory, if it is in or below it.
func Open(path string) (*source.File, error) {
	dir, name := filepath.Split(path)
	file, err := load.Folder{FS: os.DirFS(cmp.Or(dir, ".")), Name: shown(dir), Separator: filepath.Separator}.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", path, fs.ErrNotExist)
	}
	return file, err
}

func shown(dir string) string {
	here, err := os.Getwd()
	if err != nil || !filepath.IsAbs(dir) {
		return dir
	}
	rel, err := filepath.Rel(here, dir)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return dir
	case rel == ".":
		return ""
	}
	return rel
}
