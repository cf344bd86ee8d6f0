package project

import (
	"fmt"
	"path"
	"strings"

	"github.com/margay-dev/margay/schema/project/csharp"
	"github.com/margay-dev/margay/schema/project/msbuild"
)

// code finds what an application registers in its sources.
type code struct {
	*graph
	root *msbuild.Project
	out  *Project
	q    Query
	// dir is the folder of the project.
	dir     string
	program *csharp.Program
	// gap says why something may be registered out of sight; "" if all sources
	// are read.
	gap string
	// added is the chain on services.AddOcelot(…).
	added *registration

	// strangerAt and strangerText are what strangers found, once it looked.
	looked       bool
	strangerAt   Place
	strangerText string
}

// registration is one call of AddOcelot on services with what follows it.
type registration struct {
	call  csharp.Call
	chain []csharp.Call
	// doubt says why the call may not run.
	doubt string
	// open says why more may be registered on its result; "" if not.
	open string
}

func newCode(g *graph, root *msbuild.Project, out *Project, q Query) *code {
	c := &code{graph: g, root: root, out: out, q: q, dir: path.Dir(root.File), program: &csharp.Program{Known: constants}}
	levels, complete := g.levels(root)
	if !complete {
		c.gap = "a project that it refers to is not here"
	}
	for _, level := range levels {
		for _, p := range level {
			s := sources{graph: g, project: p, program: c.program}
			if why := s.collect(); why != "" && c.gap == "" {
				c.gap = why
			}
		}
	}
	return c
}

// constants are values that the libraries define.
var constants = map[string]string{
	"JwtBearerDefaults.AuthenticationScheme":                    "Bearer",
	"CookieAuthenticationDefaults.AuthenticationScheme":         "Cookies",
	"OpenIdConnectDefaults.AuthenticationScheme":                "OpenIdConnect",
	"IdentityServerAuthenticationDefaults.AuthenticationScheme": "Bearer",
	"OAuth2IntrospectionDefaults.AuthenticationScheme":          "Bearer",
	"CertificateAuthenticationDefaults.AuthenticationScheme":    "Certificate",
	"NegotiateDefaults.AuthenticationScheme":                    "Negotiate",
	"GoogleDefaults.AuthenticationScheme":                       "Google",
	"MicrosoftAccountDefaults.AuthenticationScheme":             "Microsoft",
	"FacebookDefaults.AuthenticationScheme":                     "Facebook",
	"OcelotPipelineExtensions.PrimaryConfigFile":                "ocelot.json",
	"ConfigurationBuilderExtensions.PrimaryConfigFile":          "ocelot.json",
	"ConfigurationBuilderExtensions.GlobalConfigFile":           "ocelot.global.json",
}

func (c *code) decide() {
	c.register()
	c.provider()
	c.loading()
	c.section()
	c.schemes()
	c.discovery()
}

func at(call *csharp.Call) Place { return Place{File: call.Source.Name, Line: call.Line()} }

func shown(p Place) string { return fmt.Sprintf("%s:%d", path.Base(p.File), p.Line) }

// builderCalls are what Ocelot's own packages offer on the result of AddOcelot;
// none registers a QoS or discovery provider out of sight.
const builderCalls = " AddPolly AddPollyV7 AddQualityOfService AddConsul AddEureka AddKubernetes AddConfigStoredInConsul AddDelegatingHandler" +
	" AddCacheManager AddAdministration AddCustomLoadBalancer AddSingletonDefinedAggregator AddTransientDefinedAggregator AddButterfly" +
	" AddOpenTracing AddAppConfiguration AddCustomMetadata AddCustomServiceDiscovery "

// register finds services.AddOcelot(…).
func (c *code) register() {
	for _, call := range c.program.Calls("AddOcelot", "AddOcelotUsingBuilder") {
		if call.Name == "AddOcelot" && !onServices(&call) {
			continue
		}
		r := &registration{call: call, doubt: c.program.Doubt(&call)}
		last := call
		for next := call.Next(); next != nil; next = next.Next() {
			r.chain = append(r.chain, *next)
			if !isWord(builderCalls, next.Name) && !c.program.Declares(next.Name) {
				r.open = fmt.Sprintf("%s calls %s, which may register more", shown(at(next)), next.Name)
			}
			last = *next
		}
		switch {
		case call.Name != "AddOcelot":
			r.open = shown(at(&call)) + " builds Ocelot's services in its own way"
		case r.open == "" && !last.Discarded():
			r.open = shown(at(&call)) + " keeps the result of AddOcelot, on which more may be registered"
		}
		if c.added != nil && r.doubt == "" {
			r.doubt = "beside another AddOcelot in " + shown(at(&c.added.call))
		}
		c.added = r
	}
}

func isWord(words, text string) bool { return strings.Contains(words, " "+text+" ") }

// configurationCalls are calls on a configuration builder.
const configurationCalls = " SetBasePath AddJsonFile AddEnvironmentVariables AddCommandLine AddInMemoryCollection AddUserSecrets AddJsonStream AddOcelotWithSwaggerSupport "

// onServices says whether AddOcelot is called on services rather than on a
// configuration builder: both have it.
func onServices(call *csharp.Call) bool {
	for i, name := range call.Receiver() {
		lower := strings.ToLower(name)
		switch {
		case i == 0 && strings.HasSuffix(lower, "services") || lower == "servicecollection":
			return true
		case isWord(configurationCalls, name), i == 0 && (strings.Contains(lower, "config") || lower == "cfg") && !strings.HasPrefix(name, "Configure"):
			return false
		}
	}
	for _, arg := range call.Args {
		names := call.Names(arg)
		if arg.Name == "folder" || arg.Name == "env" || len(names) > 0 && isEnvironment(names[0]) || call.Literal(arg) {
			return false
		}
	}
	return true
}

// isEnvironment says whether a name is that of a host environment.
func isEnvironment(name string) bool {
	lower := strings.ToLower(name)
	return lower == "env" || lower == "_env" || strings.HasSuffix(lower, "environment")
}

// absent says why it is not certain that something is not registered; "" where
// it is.
func (c *code) absent() string {
	switch {
	case c.gap != "":
		return c.gap
	case c.added == nil:
		return "no AddOcelot is found on services"
	case c.added.doubt != "":
		return fmt.Sprintf("%s calls AddOcelot %s", shown(at(&c.added.call)), c.added.doubt)
	case c.added.open != "":
		return c.added.open
	}
	_, text := c.strangers()
	return text
}

// where is a place for doubts about the sources as a whole.
func (c *code) where() []Place {
	if c.added != nil {
		return []Place{at(&c.added.call)}
	}
	return []Place{{File: c.root.File, Line: 1}}
}
