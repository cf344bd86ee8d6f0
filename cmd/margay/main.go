// Command margay compiles, checks and explains the Quality-of-Service part of
// Ocelot gateway configuration.
package main

import (
	"os"
	"runtime/debug"
)

// version is the release, set by the linker; empty in a plain build.
var version string

// gcPercent keeps the peak below eight times the size of a large file; half of
// Go's default costs no time that could be measured.
const gcPercent = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
