package main

import (
	stdruntime "runtime"
	stddebug "runtime/debug"
	"testing"
)

func TestTuneIsTakenBack(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	t.Setenv("GOGC", "")
	processors, percent := stdruntime.GOMAXPROCS(0), gcPercent()
	defer stdruntime.GOMAXPROCS(processors) // of -cpu
	stdruntime.SetDefaultGOMAXPROCS()
	cpus := stdruntime.GOMAXPROCS(0)
	takeBack := tune()
	widen() // as every reload does
	if got := stdruntime.GOMAXPROCS(0); got != processorsFor(cpus) {
		t.Errorf("got %d processors for %d CPUs", got, cpus)
	}
	if got := gcPercent(); got != servingGC {
		t.Errorf("got GOGC %d, want %d", got, servingGC)
	}
	takeBack()
	if got := stdruntime.GOMAXPROCS(0); got != cpus {
		t.Errorf("got %d processors afterwards, want %d", got, cpus)
	}
	if got := gcPercent(); got != percent {
		t.Errorf("got GOGC %d afterwards, want %d", got, percent)
	}
}

func TestProcessors(t *testing.T) {
	for cpus, want := range map[int]int{1: 2, 2: 3, 3: 5, 4: 6, 16: 24} {
		if got := processorsFor(cpus); got != want {
			t.Errorf("got %d processors for %d CPUs, want %d", got, cpus, want)
		}
	}
}

func TestTuneLeavesWhatTheUserChose(t *testing.T) {
	t.Setenv("GOMAXPROCS", "3")
	t.Setenv("GOGC", "50")
	processors, percent := stdruntime.GOMAXPROCS(0), gcPercent()
	takeBack := tune()
	if stdruntime.GOMAXPROCS(0) != processors || gcPercent() != percent {
		t.Errorf("got %d processors and GOGC %d, want %d and %d", stdruntime.GOMAXPROCS(0), gcPercent(), processors, percent)
	}
	takeBack()
	if stdruntime.GOMAXPROCS(0) != processors || gcPercent() != percent {
		t.Errorf("got %d processors and GOGC %d afterwards", stdruntime.GOMAXPROCS(0), gcPercent())
	}
}

func gcPercent() int {
	percent := stddebug.SetGCPercent(100)
	stddebug.SetGCPercent(percent)
	return percent
}
