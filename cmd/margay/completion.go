package main

import "github.com/urfave/cli/v2"

func (p *program) completion() *cli.Command {
	return &cli.Command{Name: "completion", Usage: "print the completion script of a shell", ArgsUsage: "bash|zsh|fish|powershell"}
}
