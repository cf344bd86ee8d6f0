package main

import "github.com/urfave/cli/v2"

func (p *program) normalize() *cli.Command {
	return &cli.Command{Name: "normalize", Usage: "replace deprecated names, keeping comments and layout", ArgsUsage: "[PATH…]"}
}
