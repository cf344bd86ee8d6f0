//go:build unix

package main

import (
	"os"
	"syscall"
)

// reopenSignals are those that log rotation sends by custom.
func reopenSignals() []os.Signal { return []os.Signal{syscall.SIGUSR1, syscall.SIGHUP} }
