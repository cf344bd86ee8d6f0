package project

import (
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/project/csharp"
)

// strangers looks for what may register something out of sight: a call that is
// not known, on services or the application's builder, or one that they are
// handed to. It returns the first.
func (c *code) strangers() (Place, string) {
	if !c.looked {
		c.strangerAt, c.strangerText = c.lookForStrangers()
		c.looked = true
	}
	return c.strangerAt, c.strangerText
}

func (c *code) lookForStrangers() (Place, string) {
	for _, s := range c.program.With("ervices", "uilder", "AddOcelot") {
		carriers := carriersOf(s)
		for _, call := range s.Calls(func(string) bool { return true }) {
			if c.stranger(&call, carriers) {
				return at(&call), fmt.Sprintf("%s calls %s, which may register more", shown(at(&call)), call.Name)
			}
		}
	}
	return Place{}, ""
}

// carriersOf returns the names that stand for services or a builder in a file:
// by their form, and those on which something is called that only services have.
func carriersOf(s *csharp.Source) map[string]bool {
	found := map[string]bool{}
	for _, call := range s.Calls(func(name string) bool { return isWord(innocent, name) }) {
		if receiver := call.Receiver(); len(receiver) == 1 {
			found[receiver[0]] = true
		}
	}
	return found
}

func isCarrier(name string, carriers map[string]bool) bool {
	lower := strings.ToLower(name)
	return carriers[name] || strings.HasSuffix(lower, "services") || lower == "builder" || lower == "hostbuilder" || lower == "webbuilder"
}

// stranger says whether a call is not known and gets at services or a builder.
func (c *code) stranger(call *csharp.Call, carriers map[string]bool) bool {
	if _, scheme := handlers[call.Name]; scheme || isWord(innocent, call.Name) || isWord(builderCalls, call.Name) || isWord(hosting, call.Name) || strings.HasPrefix(call.Name, "Use") || c.program.Declares(call.Name) {
		return false
	}
	receiver := call.Receiver()
	if len(receiver) > 0 && (isCarrier(receiver[0], carriers) || receiver[0] == "AddAuthentication" || handlers[receiver[0]] != "") {
		return true
	}
	for _, arg := range call.Args {
		if names := call.Names(arg); len(names) > 0 && isCarrier(names[0], carriers) {
			return true
		}
	}
	return false
}

// hosting are calls on builders and on services that have nothing to register.
const hosting = " Build BuildServiceProvider ConfigureServices ConfigureAppConfiguration ConfigureHostConfiguration ConfigureLogging ConfigureWebHost" +
	" ConfigureWebHostDefaults ConfigureKestrel CreateBuilder CreateDefaultBuilder CreateHostBuilder Run RunAsync GetService GetRequiredService" +
	" Bind Get GetSection GetValue SetBasePath AddJsonFile AddEnvironmentVariables AddCommandLine AddUserSecrets AddOcelotWithSwaggerSupport Add TryAdd Remove RemoveAll Replace Any Where FirstOrDefault" +
	" ToString SetMinimumLevel ClearProviders AddConsole AddDebug AddFilter AddConfiguration WriteTo ReadFrom GetConnectionString CreateScope GetServices IsDevelopment" +
	" AllowAnyOrigin AllowAnyMethod AllowAnyHeader AllowCredentials WithOrigins WithMethods WithHeaders WithExposedHeaders SetIsOriginAllowed" +
	" SetPreflightMaxAge AddPolicy AddDefaultPolicy RequireAuthenticatedUser RequireClaim RequireRole RequireAssertion Append AppendLine AppendFormat Ignore "
