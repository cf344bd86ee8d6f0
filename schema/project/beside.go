package project

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/project/csharp"
)

// apart says why calls that add files do not make one configuration: some add
// to a builder of their own, or what they added is thrown away.
func (c *code) apart(steps []step) (where Place, why string) {
	for i := range steps {
		call := &steps[i].call
		if first := &steps[0].call; owner(call) != owner(first) {
			return at(call), shown(at(first)) + " and " + shown(at(call)) + " load files into different configurations"
		}
	}
	for _, clear := range c.program.Calls("Clear") {
		if receiver := clear.Receiver(); len(receiver) == 0 || receiver[0] != "Sources" || len(steps) == 0 {
			continue
		}
		first := &steps[0].call
		if clear.Source != first.Source || clear.Source.Enclosing(clear.At) != first.Source.Enclosing(first.At) || clear.At > first.At {
			return at(&clear), shown(at(&clear)) + " clears the sources of the configuration, files that were added before included"
		}
	}
	return Place{}, ""
}

// owner tells builders of a configuration apart: "" is the application's own,
// others are where a new one is made, or the name that holds it.
func owner(call *csharp.Call) string {
	receiver := call.Receiver()
	if len(receiver) == 0 {
		return ""
	}
	root := receiver[len(receiver)-1]
	switch {
	case root == "ConfigurationBuilder" || root == "ConfigurationManager":
		return fmt.Sprint(call.Source.Name, " ", call.Begin())
	case call.Source.Assigned(root, "ConfigurationBuilder") || call.Source.Assigned(root, "ConfigurationManager"):
		return root
	}
	return ""
}

// beside notes what decides beside the files: values that the program sets
// itself, and an environment that it chooses.
func (c *code) beside(steps []step) {
	if !c.out.Load.Known {
		return
	}
	for _, s := range steps {
		if strings.Contains(s.name, csharp.Env) {
			c.chosenEnvironment()
			break
		}
	}
	for _, source := range c.program.With("Routes:", "GlobalConfiguration:") {
		for i := range source.Tokens {
			if t := &source.Tokens[i]; t.Kind == csharp.Text && isSetting(t.Text) && set(source, i) {
				place := Place{File: source.Name, Line: t.Line}
				c.out.doubt(Load, false, []Place{place}, "%s sets %s in code, over what the files say", shown(place), t.Text)
				return
			}
		}
	}
}

// isSetting says whether a text is a key of Ocelot's sections.
func isSetting(text string) bool {
	for _, section := range []string{"Routes:", "DynamicRoutes:", "GlobalConfiguration:"} {
		if len(text) > len(section) && strings.EqualFold(text[:len(section)], section) {
			return true
		}
	}
	return false
}

// set says whether the text at token i is a key that gets a value: ["key"] = …,
// {"key", …} or UseSetting("key", …).
func set(s *csharp.Source, i int) bool {
	is := func(at int, text string) bool { return at >= 0 && at < len(s.Tokens) && s.Tokens[at].Is(text) }
	switch {
	case is(i-1, "[") && is(i+1, "]"):
		return is(i+2, "=")
	case is(i-1, "{"):
		return is(i+1, ",")
	case is(i-1, "("):
		return is(i+1, ",") && (is(i-2, "UseSetting") || i >= 2 && strings.HasPrefix(s.Tokens[i-2].Text, "KeyValuePair") || is(i-2, ">") || is(i-2, "new"))
	}
	return false
}

// chosenEnvironment notes an environment that the program sets to something
// else than what is asked about.
func (c *code) chosenEnvironment() {
	for _, source := range c.program.With("EnvironmentName", "UseEnvironment") {
		for i := 0; i+2 < len(source.Tokens); i++ {
			name, sign, value := &source.Tokens[i], &source.Tokens[i+1], &source.Tokens[i+2]
			if !(name.Is("EnvironmentName") && sign.Is("=") || name.Is("UseEnvironment") && sign.Is("(")) || value.Kind != csharp.Text || value.Holes != nil ||
				strings.EqualFold(value.Text, c.q.Environment) {
				continue
			}
			place := Place{File: source.Name, Line: name.Line}
			c.out.doubt(Load, false, []Place{place}, "%s sets the environment %s: say --env %s for its files", shown(place), value.Text, value.Text)
			return
		}
	}
}
