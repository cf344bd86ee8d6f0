package project

import (
	"slices"
	"strings"

	"github.com/margay-dev/margay/schema/project/csharp"
)

// handlers are the calls that register an authentication scheme, with the name
// that it has when none is written; "" where one has to be.
var handlers = map[string]string{
	"AddJwtBearer":                    "Bearer",
	"AddIdentityServerAuthentication": "Bearer",
	"AddOAuth2Introspection":          "Bearer",
	"AddMicrosoftIdentityWebApi":      "Bearer",
	"AddCookie":                       "Cookies",
	"AddOpenIdConnect":                "OpenIdConnect",
	"AddCertificate":                  "Certificate",
	"AddNegotiate":                    "Negotiate",
	"AddGoogle":                       "Google",
	"AddFacebook":                     "Facebook",
	"AddMicrosoftAccount":             "Microsoft",
	"AddScheme":                       "",
	"AddPolicyScheme":                 "",
	"AddRemoteScheme":                 "",
	"AddOAuth":                        "",
}

// innocent are calls on services that register no scheme.
const innocent = " AddAuthentication AddAuthorization AddAuthorizationBuilder AddOcelot AddSwaggerForOcelot AddSwaggerGen AddEndpointsApiExplorer AddControllers AddMvc" +
	" AddMvcCore AddCors AddHttpClient AddHttpContextAccessor AddSingleton AddScoped AddTransient AddHostedService AddHealthChecks AddLogging AddOptions" +
	" AddMemoryCache AddDistributedMemoryCache AddStackExchangeRedisCache AddSignalR AddRazorPages AddControllersWithViews AddResponseCompression" +
	" AddRouting AddOpenApi AddSerilog AddApplicationInsightsTelemetry AddOpenTelemetry AddDataProtection AddLocalization AddProblemDetails AddRateLimiter" +
	" AddDbContext AddAutoMapper AddMediatR AddResponseCaching AddOutputCache AddAntiforgery AddSession AddHsts AddHttpsRedirection AddHttpLogging AddW3CLogging AddMetrics" +
	" AddAdministration AddCacheManager AddHealthChecksUI AddSwaggerGenNewtonsoftSupport AddNewtonsoftJson AddHttpMessageHandler AddApiVersioning AddVersionedApiExplorer" +
	" AddOpenTracing AddFluentValidation AddFluentValidationAutoValidation AddValidatorsFromAssembly AddRefitClient AddGrpc AddGrpcClient AddSqlServer AddNpgsql AddRedis" +
	" AddHybridCache AddPolicyHandler AddStandardResilienceHandler AddResiliencePipeline AddFeatureManagement AddServerSideBlazor AddRazorComponents AddOutputCache" +
	" Configure PostConfigure ConfigureAll ConfigureHttpJsonOptions AddKeyedSingleton AddKeyedScoped AddKeyedTransient TryAddSingleton TryAddScoped TryAddTransient TryAddEnumerable AddApplicationInsightsTelemetryProcessor AddW3CLogging "

// schemes decides which authentication schemes are registered.
func (c *code) schemes() {
	var names []string
	for name := range handlers {
		names = append(names, name)
	}
	slices.Sort(names)
	fact := Fact[[]string]{Value: []string{}}
	for _, call := range c.program.Calls(names...) {
		if handlers[call.Name] == "" && !call.Generic && call.Name == "AddScheme" && len(call.Args) == 0 {
			continue
		}
		scheme, why := c.scheme(&call)
		if why == "" {
			why = c.program.Doubt(&call)
		}
		if why != "" {
			c.out.doubt(Schemes, false, []Place{at(&call)}, "%s calls %s %s", shown(at(&call)), call.Name, why)
			return
		}
		if !slices.Contains(fact.Value, scheme) {
			fact.Value = append(fact.Value, scheme)
			fact.At = append(fact.At, at(&call))
		}
	}
	if place, why := c.otherSchemes(); why != "" {
		c.out.doubt(Schemes, false, []Place{place}, "%s", why)
		return
	}
	fact.Known = true
	if len(fact.At) == 0 {
		fact.At = c.where()
	}
	c.out.Schemes = fact
}

// scheme returns the name that a call registers.
func (c *code) scheme(call *csharp.Call) (name, why string) {
	name = handlers[call.Name]
	for i, arg := range call.Args {
		switch {
		case arg.Name == "authenticationScheme" || arg.Name == "jwtBearerScheme" || arg.Name == "name":
		case i > 0 || arg.Name != "" || call.Lambda(arg) || call.Name == "AddMicrosoftIdentityWebApi":
			if arg.Name == "" && !call.Lambda(arg) && i > 0 && call.Name == "AddMicrosoftIdentityWebApi" && i >= 2 {
				return "", "with a scheme in a place that is not known here"
			}
			continue
		}
		text, known := c.program.Text(call, arg)
		if known && !strings.Contains(text, csharp.Env) {
			return text, ""
		}
		if names := call.Names(arg); len(names) == 1 && c.isAction(call, names[0]) {
			continue
		}
		return "", "with a name that is not written here"
	}
	if name == "" {
		why = "with a name that is not written here"
	}
	return name, why
}

// isAction says whether a name is that of a method or a variable that holds the
// options, not of a scheme.
func (c *code) isAction(call *csharp.Call, name string) bool {
	return len(call.Args) == 1 && (c.program.Declares(name) || strings.HasSuffix(strings.ToLower(name), "options"))
}

// otherSchemes says what else may register schemes.
func (c *code) otherSchemes() (Place, string) {
	if c.gap != "" {
		return Place{File: c.root.File, Line: 1}, "schemes may be registered out of sight: " + c.gap
	}
	if c.added == nil {
		return Place{File: c.root.File, Line: 1}, "schemes may be registered where AddOcelot is, and that is not found"
	}
	return c.strangers()
}
