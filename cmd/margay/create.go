package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// createFile writes a file that is not there yet: wholly, or not at all. The
// error is os.ErrExist where it is there.
func createFile(name string, text []byte) error {
	if err := create(name, text); err != nil {
		return fmt.Errorf("write %s: %w", name, cause(err))
	}
	return nil
}

func create(name string, text []byte) error {
	if _, err := os.Lstat(name); err == nil {
		return os.ErrExist
	}
	next, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = next.Write(text)
	err = errors.Join(err, next.Chmod(0o644), next.Sync(), next.Close())
	if err == nil {
		err = link(next.Name(), name)
	}
	return errors.Join(err, os.Remove(next.Name()))
}

// link gives a file a second name and, unlike a rename, never takes the name
// from another file. Where the file system has no links the name is taken
// after it was seen to be free.
func link(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, os.ErrExist) {
		return err
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
