package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// replaceFile gives a file new contents: wholly, or not at all. It refuses if
// the file does not hold the bytes of before any more, since somebody else has
// changed it. A symbolic link stays one, other names of the file show the new
// contents too, and permissions and owner stay.
func replaceFile(name string, before, after []byte) error {
	return unwritten(name, replace(name, after, func(now []byte) error {
		if !bytes.Equal(now, before) {
			return errors.New("it has been changed since it was read; nothing was written")
		}
		return nil
	}))
}

// overwriteFile is replaceFile whatever the file holds.
func overwriteFile(name string, text []byte) error {
	return unwritten(name, replace(name, text, func([]byte) error { return nil }))
}

// replaceOrCreate writes a file of margay's own, which need not be there.
func replaceOrCreate(name string, text []byte) error {
	err := createFile(name, text)
	if errors.Is(err, os.ErrExist) {
		return overwriteFile(name, text)
	}
	return err
}

// unwritten words an error of writing a file.
func unwritten(name string, err error) error {
	if err == nil {
		return nil
	}
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		err = pe.Err
	}
	return fmt.Errorf("write %s: %w", name, err)
}

func replace(name string, text []byte, agree func(now []byte) error) error {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	old, err := os.OpenFile(target, os.O_RDWR, 0) // a file that may not be written is not replaced either
	if err != nil {
		return err
	}
	defer old.Close()
	info, err := old.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("is not a regular file, so it cannot be changed")
	}
	next, err := prepare(target, text, info)
	if err != nil {
		return err
	}
	now, err := io.ReadAll(old)
	if err == nil {
		err = agree(now) // as late as possible
	}
	if err != nil {
		return errors.Join(err, os.Remove(next))
	}
	if names(old) > 1 {
		return overwrite(old, text, next)
	}
	if err := errors.Join(old.Close(), os.Rename(next, target)); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	return nil
}

// prepare writes the new contents beside a file and returns where they are.
func prepare(target string, text []byte, like os.FileInfo) (string, error) {
	next, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return "", fmt.Errorf("nothing can be written beside it: %w", pe.Err)
	}
	if err != nil {
		return "", err
	}
	_, err = next.Write(text)
	keepOwner(next, like)
	err = errors.Join(err, next.Chmod(like.Mode().Perm()), next.Sync(), next.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(next.Name()))
	}
	return next.Name(), nil
}

// overwrite writes into a file that has several names, of which a rename would
// change only one. If it fails halfway, the new contents are still beside it.
func overwrite(old *os.File, text []byte, beside string) error {
	_, err := old.WriteAt(text, 0)
	if err == nil {
		err = errors.Join(old.Truncate(int64(len(text))), old.Sync())
	}
	if err != nil {
		return fmt.Errorf("the new contents are in %s: %w", beside, err)
	}
	return os.Remove(beside)
}
