package main

import (
	"os"
	"syscall"
)

// reopenSignals are those that reload: Windows has none for logs.
func reopenSignals() []os.Signal { return []os.Signal{syscall.SIGHUP} }
