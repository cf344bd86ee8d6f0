//go:build linux && !race

package socket

import (
	"syscall"
	"unsafe"
)

// Read reads what has come to a socket that does not block. An error is a
// syscall.Errno; EAGAIN: nothing has come.
func Read(fd uintptr, p []byte) (int, error) { return call(syscall.SYS_READ, fd, p) }

// Write sends what a socket that does not block takes at once. An error is a
// syscall.Errno; EAGAIN: it takes nothing.
func Write(fd uintptr, p []byte) (int, error) { return call(syscall.SYS_WRITE, fd, p) }

func call(number, fd uintptr, p []byte) (int, error) {
	for {
		n, _, errno := syscall.RawSyscall(number, fd, uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
		switch errno {
		case 0:
			return int(n), nil
		case syscall.EINTR:
			continue
		}
		return 0, errno
	}
}
