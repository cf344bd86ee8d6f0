package main

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/runtime/listen"
)

// checkLimits refuses times and numbers that mean nothing: taken as they are,
// they would stand for no limit or for the default, without a word.
func checkLimits(c *cli.Context) error {
	for _, name := range []string{flagDrain, flagDrainDelay} {
		if d := c.Duration(name); d < 0 {
			return usage("", "--%s is %s; expected a time such as 30s, or 0s", name, d)
		}
	}
	if d := c.Duration(flagHeaderTimeout); c.IsSet(flagHeaderTimeout) && d <= 0 {
		return usage("", "--%s is %s; expected a time such as %s", flagHeaderTimeout, d, 30*time.Second)
	}
	if n := c.Int(flagMaxConnections); c.IsSet(flagMaxConnections) && n < 1 {
		return usage("leave it out to take as many as the limit of open files allows",
			"--%s is %d; expected a number of connections, 1 or more", flagMaxConnections, n)
	}
	return nil
}

// connections is how many are taken at a time.
func connections(c *cli.Context) int {
	if n := c.Int(flagMaxConnections); n > 0 {
		return n
	}
	return listen.AffordableConnections()
}
