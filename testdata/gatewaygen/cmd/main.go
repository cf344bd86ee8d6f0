// Command cmd writes a large, realistic gateway file to standard output:
//
//	go run ./testdata/gatewaygen/cmd -routes 100000 -seed 1 > big.json
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/margay-dev/margay/testdata/gatewaygen"
)

func main() {
	routes := flag.Int("routes", 1000, "number of routes")
	seed := flag.Uint64("seed", 1, "seed of the random choices")
	flag.Parse()
	if flag.NArg() > 0 || *routes < 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := gatewaygen.Write(os.Stdout, *routes, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "gatewaygen:", err)
		os.Exit(1)
	}
}
