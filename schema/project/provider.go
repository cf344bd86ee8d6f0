package project

import (
	"fmt"

	"github.com/margay-dev/margay/schema/project/csharp"
)

// provider decides which QoS provider is registered.
func (c *code) provider() {
	var sure, open []csharp.Call
	for _, call := range c.program.Calls("AddPolly", "AddPollyV7", "AddQualityOfService") {
		why := c.doubt(&call)
		switch {
		case c.program.Declares(call.Name):
			c.out.doubt(Provider, false, []Place{at(&call)}, "%s calls an %s that the project declares itself", shown(at(&call)), call.Name)
			return
		case why != "":
			open = append(open, call)
		default:
			sure = append(sure, call)
		}
	}
	switch {
	case len(sure) == 0 && len(open) == 0:
		c.noProvider()
	case len(sure) == 0:
		c.out.doubt(Provider, false, []Place{at(&open[0])}, "%s calls %s %s", shown(at(&open[0])), open[0].Name, c.doubt(&open[0]))
	default:
		c.registered(sure, open)
	}
}

// doubt says why it is not certain that a call registers a QoS provider of
// Ocelot.
func (c *code) doubt(call *csharp.Call) string {
	if !onOcelot(call) {
		return "on something that does not surely come from AddOcelot"
	}
	return c.program.Doubt(call)
}

// onOcelot says whether a call is made on the result of AddOcelot: in one chain
// with it, or on a name that holds it.
func onOcelot(call *csharp.Call) bool {
	receiver := call.Receiver()
	for _, name := range receiver {
		if name == "AddOcelot" || name == "AddOcelotUsingBuilder" {
			return true
		}
	}
	if len(receiver) == 0 {
		return false
	}
	root := receiver[len(receiver)-1]
	return call.Source.Declared("IOcelotBuilder", root) || call.Source.Assigned(root, "AddOcelot")
}

// providerOf returns the provider that a call registers.
func providerOf(call *csharp.Call) string {
	if call.Name == "AddQualityOfService" {
		return "builtin"
	}
	return "polly"
}

// registered takes the last of the calls that run: in one method that is the
// last in the text.
func (c *code) registered(sure, open []csharp.Call) {
	last := &sure[len(sure)-1]
	for _, call := range append(sure[:len(sure)-1:len(sure)-1], open...) {
		if providerOf(&call) == providerOf(last) {
			continue
		}
		if why := c.doubt(&call); why != "" {
			c.out.doubt(Provider, false, []Place{at(last), at(&call)}, "%s calls %s, and %s %s %s: the last call wins", shown(at(last)), last.Name, shown(at(&call)), call.Name, why)
			return
		}
		if call.Source != last.Source || call.Source.Enclosing(call.At) != last.Source.Enclosing(last.At) {
			c.out.doubt(Provider, false, []Place{at(last), at(&call)}, "%s calls %s and %s %s, in an order that is not seen here: the last call wins",
				shown(at(&call)), call.Name, shown(at(last)), last.Name)
			return
		}
	}
	if why := c.impossible(last); why != "" {
		c.out.doubt(Provider, false, []Place{at(last)}, "%s", why)
		return
	}
	c.out.Provider = Fact[string]{Value: providerOf(last), Known: true, At: []Place{at(last)}}
	c.special(last)
}

// impossible says that a call does not go with the version.
func (c *code) impossible(call *csharp.Call) string {
	version := c.out.Ocelot
	if call.Name == "AddQualityOfService" && version.Known && older(version.Value, "25.0.0-0") {
		return fmt.Sprintf("%s calls AddQualityOfService, which Ocelot %s does not have", shown(at(call)), version.Value)
	}
	return ""
}

// special notes providers that behave in their own way.
func (c *code) special(call *csharp.Call) {
	switch {
	case call.Name == "AddPollyV7":
		c.out.doubt(Provider, false, []Place{at(call)}, "%s calls AddPollyV7, the old engine: answers are those of AddPolly", shown(at(call)))
	case call.Generic || len(call.Args) > 0:
		c.out.doubt(Provider, false, []Place{at(call)}, "%s gives %s a class or a mapping of its own: answers are those of %s()", shown(at(call)), call.Name, call.Name)
	}
}

// noProvider is an application that calls none of them.
func (c *code) noProvider() {
	for _, pkg := range c.out.Packages {
		if among(pollyPackages, pkg.Name) {
			c.out.doubt(Provider, false, []Place{pkg.At}, "%s is referred to, but no AddPolly is found", pkg.Name)
			return
		}
	}
	if found := c.program.With("QosDelegatingHandlerDelegate", "IQoSFactory"); len(found) > 0 {
		c.out.doubt(Provider, false, []Place{{File: found[0].Name, Line: 1}}, "%s has a QoS handler of its own", found[0].Name)
		return
	}
	if why := c.absent(); why != "" {
		c.out.doubt(Provider, false, c.where(), "neither AddPolly nor AddQualityOfService is found: %s", why)
		return
	}
	c.out.Provider = Fact[string]{Value: "none", Known: true, At: c.where()}
}

// discoveryCalls register a discovery provider on the result of AddOcelot.
const discoveryCalls = " AddConsul AddEureka AddKubernetes "

// discovery decides whether a discovery provider is registered.
func (c *code) discovery() {
	if c.added != nil && c.added.doubt == "" {
		for _, call := range c.added.chain {
			if isWord(discoveryCalls, call.Name) {
				c.out.Discovery = Fact[bool]{Value: true, Known: true, At: []Place{at(&call)}}
				return
			}
		}
	}
	if found := c.program.With("ServiceDiscoveryFinderDelegate"); len(found) > 0 {
		c.out.doubt(Discovery, false, []Place{{File: found[0].Name, Line: 1}}, "%s speaks of ServiceDiscoveryFinderDelegate", found[0].Name)
		return
	}
	for _, pkg := range c.out.Packages {
		if among([]string{"Ocelot.Provider.Consul", "Ocelot.Provider.Eureka", "Ocelot.Provider.Kubernetes", "Ocelot.Discovery.Consul", "Ocelot.Discovery.Eureka", "Ocelot.Discovery.Kubernetes"}, pkg.Name) {
			c.out.doubt(Discovery, false, []Place{pkg.At}, "%s is referred to, but no call on AddOcelot that registers it is sure", pkg.Name)
			return
		}
	}
	if why := c.absent(); why != "" {
		c.out.doubt(Discovery, false, c.where(), "no discovery provider is found: %s", why)
		return
	}
	c.out.Discovery = Fact[bool]{Known: true, At: c.where()}
}
