package upgrade

import "github.com/margay-dev/margay/schema/profile"

// The packages and calls of the QoS providers.
const (
	oldPackage = "Ocelot.Provider.Polly"
	newPackage = "Ocelot.QualityOfService.Polly"
)

// steps are what has to be done outside of the file: packages and calls.
func (c *crossing) steps() []Step {
	steps := []Step{}
	add := func(text string, surprises ...string) {
		steps = append(steps, Step{Text: text, Surprises: append([]string{}, surprises...)})
	}
	isSame := c.a.Named().Compare(c.b.Named()) == 0
	if !isSame {
		add("set the package Ocelot to " + c.b.Named().String())
	}
	over25 := c.over("25.0.0")
	switch {
	case isSame && c.a.Provider == c.b.Provider:
	case c.a.Provider == profile.Polly && c.b.Provider == profile.Polly && over25:
		add("replace the package "+oldPackage+" by "+newPackage+", which has versions of its own, and `using "+oldPackage+"` by `using "+newPackage+"`; AddPolly() stays", "U31")
	case c.a.Provider == profile.Polly && c.b.Provider == profile.Polly:
		add("set the package " + oldPackage + " to " + c.b.Named().String() + "; AddPolly() stays")
	case c.a.Provider == profile.Polly && c.b.Provider == profile.Builtin:
		add("remove the package " + c.pollyPackage() + " and write AddQualityOfService() in place of AddPolly(): the last of the two calls wins")
	case c.a.Provider == profile.Builtin && c.b.Provider == profile.Polly:
		add("add the package " + newPackage + " and write AddPolly() in place of AddQualityOfService(): the last of the two calls wins")
	case c.a.Provider == profile.None && c.b.Provider == profile.Builtin:
		add("write AddQualityOfService() behind AddOcelot()")
	case c.a.Provider == profile.None && c.b.Provider == profile.Polly:
		add("add the package " + newPackage + " and write AddPolly() behind AddOcelot()")
	}
	if c.over("23.3.0") && c.a.Provider == profile.Polly {
		add("if the code calls AddPollyV7(), write AddPolly(): the old engine is gone since 23.3")
	}
	return steps
}

// pollyPackage is the name of Polly's provider in the old release.
func (c *crossing) pollyPackage() string {
	if c.a.Named().Major >= 25 {
		return newPackage
	}
	return oldPackage
}
