package main

import (
	"os"
	"syscall"
)

// names returns how many names a file has.
func names(f *os.File) uint64 {
	var about syscall.ByHandleFileInformation
	if syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &about) != nil {
		return 1
	}
	return uint64(about.NumberOfLinks)
}

// keepOwner does nothing: a new file inherits its permissions from the folder.
func keepOwner(*os.File, os.FileInfo) {}
