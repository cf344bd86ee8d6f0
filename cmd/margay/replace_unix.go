//go:build unix

package main

import (
	"os"
	"syscall"
)

// names returns how many names a file has.
func names(f *os.File) uint64 {
	info, err := f.Stat()
	if err != nil {
		return 1
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}

// keepOwner gives a new file the owner of the one that it is to replace, where
// that is allowed.
func keepOwner(next *os.File, like os.FileInfo) {
	if stat, ok := like.Sys().(*syscall.Stat_t); ok {
		_ = next.Chown(int(stat.Uid), int(stat.Gid)) // only the superuser may
	}
}
