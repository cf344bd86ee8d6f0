//go:build unix && (!linux || race)

package socket

import "syscall"

// The race detector takes what is sent for an order of events; it sees that here
// only.

// Read reads what has come to a socket that does not block. An error is a
// syscall.Errno; EAGAIN: nothing has come.
func Read(fd uintptr, p []byte) (int, error) { return call(syscall.Read, fd, p) }

// Write sends what a socket that does not block takes at once. An error is a
// syscall.Errno; EAGAIN: it takes nothing.
func Write(fd uintptr, p []byte) (int, error) { return call(syscall.Write, fd, p) }

func call(f func(fd int, p []byte) (int, error), fd uintptr, p []byte) (int, error) {
	for {
		n, err := f(int(fd), p)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}
