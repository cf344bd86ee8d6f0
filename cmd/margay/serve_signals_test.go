package main

import (
	"os"
	stdruntime "runtime"
	"syscall"
	"testing"
)

// TestNoSignalIsLost: whoever stops takes the second signal for its own, however
// early it comes.
func TestNoSignalIsLost(t *testing.T) {
	if stdruntime.GOOS == "windows" {
		t.Skip("no process of Windows is sent a signal")
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	first, second, stop := untilStoppedTwice(t.Context())
	defer stop()
	for n, done := range []<-chan struct{}{first.Done(), second.Done()} {
		if second.Err() != nil {
			t.Fatalf("got %d signals for two", n)
		}
		if err := self.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-done
	}
}
