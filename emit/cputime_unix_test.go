//go:build unix

package emit_test

import (
	"syscall"
	"time"
)

// processorTime is what this process has used of all processors; 0 where the
// system does not say.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
