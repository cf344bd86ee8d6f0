package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/emit/upgrade"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/settings"
)

func schemas() []string {
	return []string{"ocelot", "settings", "findings", "plan", "diff", "access", "upgrade"}
}

func (p *program) schema() *cli.Command {
	return &cli.Command{
		Name:  "schema",
		Usage: "print the JSON Schema of a configuration, for editors",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: flagOcelot, Usage: "of a configuration that Ocelot `VERSION` reads"},
			&cli.StringFlag{Name: flagOf, Usage: "`WHAT` it describes: " + alternatives(schemas()), Value: "ocelot"},
		},
		Action: p.runSchema,
	}
}

func (p *program) runSchema(c *cli.Context) error {
	if c.Args().Present() {
		return usage("", "schema takes no arguments, got %q", c.Args().First())
	}
	what, err := oneOf(c, flagOf, schemas()...)
	if err != nil {
		return err
	}
	version := c.String(flagOcelot)
	release, ok := profile.Find(version)
	switch {
	case version != "" && !ok:
		return unknownVersion(version)
	case version != "" && c.IsSet(flagOf) && what != "ocelot":
		return usage("", "--%s is about the schema of a configuration, not of %s", flagOcelot, what)
	}
	ocelot := func() []byte { return schema.JSONFor(release) }
	text := map[string]func() []byte{"ocelot": ocelot, "settings": settings.JSONSchema, "findings": report.JSONSchema, "plan": plan.Schema, "diff": change.Schema, "access": emit.AccessSchema, "upgrade": upgrade.Schema}[what]()
	if _, err := p.stdout.Write(text); err != nil {
		return fmt.Errorf("write the schema: %w", err)
	}
	return nil
}
