package main

import (
	"os"
	stdruntime "runtime"
	stddebug "runtime/debug"
)

// servingGC is the growth of the heap between two collections while serving:
// the heap is small then, and requests are many.
const servingGC = 200

// tune sets Go's runtime up for serving, where its own variables do not say
// otherwise, until it is taken back.
func tune() (takeBack func()) {
	percent := servingGC
	if os.Getenv("GOGC") == "" {
		percent = stddebug.SetGCPercent(percent)
	}
	widen()
	return func() {
		if os.Getenv("GOGC") == "" {
			stddebug.SetGCPercent(percent)
		}
		if os.Getenv("GOMAXPROCS") == "" {
			stdruntime.SetDefaultGOMAXPROCS()
		}
	}
}

// processorsFor is how many processors Go is given on so many CPUs: half more.
// A thread keeps its processor of Go's while it is in one of our system calls,
// and the kernel may let the backend or the client run in its place; with as many
// processors as CPUs what is ready waits for it. With all on a machine of two, a
// third one has a sixth more requests served at the same CPU for each; a fourth
// has no more served, and costs a tenth.
func processorsFor(cpus int) int { return cpus + (cpus+1)/2 }

// widen gives Go more processors than there are CPUs, unless GOMAXPROCS says
// how many. The limits of a container count as they are now.
func widen() {
	if os.Getenv("GOMAXPROCS") == "" {
		stdruntime.SetDefaultGOMAXPROCS()
		stdruntime.GOMAXPROCS(processorsFor(stdruntime.GOMAXPROCS(0)))
	}
}

// aside runs f on a thread of its own that lets others go first, and returns
// when f does. The thread ends with it.
func aside(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		stdruntime.LockOSThread()
		giveWay()
		f()
	}()
	<-done
}
