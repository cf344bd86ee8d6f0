// Command margay compiles, checks and explains the Quality-of-Service part of
// Ocelot gateway configuration.
package main

import "os"

// version is the release, set by the linker; empty in a plain build.
var version string

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
