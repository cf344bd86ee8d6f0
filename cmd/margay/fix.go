package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

// fix makes the safe fixes of all gateways and compiles them again.
func (p *program) fix(c *cli.Context, gateways []gateway) ([]gateway, error) {
	changed := false
	for _, g := range gateways {
		files := g.Fix()
		if len(files) > 0 && g.path == "-" {
			return nil, usage("write it to a file first", "--%s cannot change standard input", flagFix)
		}
		for _, file := range files {
			if err := replaceFile(file.File.Name, file.Raw); err != nil {
				return nil, err
			}
			fmt.Fprintf(p.stderr, "%s changed\n", file.File.Name)
			changed = true
		}
	}
	if !changed {
		return gateways, nil
	}
	return p.compile(c, c.Args().Slice())
}
