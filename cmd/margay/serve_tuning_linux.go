package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// longSlice is the longest slice that Linux takes.
const longSlice = 100 * time.Millisecond

// giveWay asks for long slices for this thread: from Linux 6.12 on, a thread with
// a shorter one that wakes up, as those that carry requests do all the time, need
// not wait until it has used its own. It gets as much of the CPU as before; to
// have less would hold up whoever waits for a lock that it has. An older system
// ignores or refuses it, and nothing is lost.
func giveWay() {
	if attr, err := unix.SchedGetAttr(0, 0); err == nil {
		attr.Runtime = uint64(longSlice)
		_ = unix.SchedSetAttr(0, attr, 0)
	}
}
