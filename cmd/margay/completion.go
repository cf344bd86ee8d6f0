package main

import (
	"embed"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"
)

// scripts ask margay itself for the words, so they need no change when it
// learns new options.
//
//go:embed completion/*
var scripts embed.FS

func shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

func (p *program) completion() *cli.Command {
	return &cli.Command{
		Name:         "completion",
		Usage:        "print the completion script of a shell",
		ArgsUsage:    "bash|zsh|fish|powershell",
		Action:       p.runCompletion,
		BashComplete: p.completeShells,
	}
}

func (p *program) runCompletion(c *cli.Context) error {
	shell := c.Args().First()
	if !slices.Contains(shells(), shell) || c.NArg() != 1 {
		return usage("for bash: margay completion bash > ~/.local/share/bash-completion/completions/margay",
			"completion takes one shell: %s", alternatives(shells()))
	}
	script, err := scripts.ReadFile("completion/" + shell)
	if err != nil {
		return fmt.Errorf("read the script: %w", err)
	}
	if _, err := p.stdout.Write(script); err != nil {
		return fmt.Errorf("write the script: %w", err)
	}
	return nil
}

func (p *program) completeShells(*cli.Context) {
	for _, shell := range shells() {
		fmt.Fprintln(p.stdout, shell)
	}
}
