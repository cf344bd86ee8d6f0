package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// replaceFile gives a file new contents: wholly, or not at all. A symbolic link
// stays one, and the permissions stay.
func replaceFile(name string, text []byte) error {
	err := replace(name, text)
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		err = pe.Err
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func replace(name string, text []byte) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	old, err := os.OpenFile(target, os.O_WRONLY, 0) // a file that may not be written is not replaced either
	if err != nil {
		return err
	}
	info, err := old.Stat()
	if err := errors.Join(err, old.Close()); err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if err != nil {
		return err
	}
	_, err = next.Write(text)
	err = errors.Join(err, next.Chmod(info.Mode().Perm()), next.Sync(), next.Close())
	if err == nil {
		err = os.Rename(next.Name(), target)
	}
	if err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}
	return nil
}
