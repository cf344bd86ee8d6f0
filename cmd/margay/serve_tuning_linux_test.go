package main

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestAsideGivesWay: what runs aside has another thread, which keeps its class
// and its nice value; its slices are long where the system knows of slices.
func TestAsideGivesWay(t *testing.T) {
	before, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		t.Skip("this system has no such attributes:", err)
	}
	var inside *unix.SchedAttr
	aside(func() { inside, err = unix.SchedGetAttr(0, 0) })
	if err != nil {
		t.Fatal(err)
	}
	if inside.Policy != before.Policy || inside.Nice != before.Nice {
		t.Errorf("got policy %d and nice %d, want %d and %d", inside.Policy, inside.Nice, before.Policy, before.Nice)
	}
	if before.Runtime > 0 && inside.Runtime != uint64(longSlice) {
		t.Errorf("got slices of %d ns, want %d", inside.Runtime, longSlice)
	}
	aside(func() {}) // whose thread is gone with it
	if after, err := unix.SchedGetAttr(0, 0); err != nil || after.Runtime != before.Runtime {
		t.Errorf("got slices of %d ns afterwards, want %d: %v", after.Runtime, before.Runtime, err)
	}
}
