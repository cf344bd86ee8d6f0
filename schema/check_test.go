package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

// check returns the findings about one file.
func check(text string, opts schema.CheckOptions) []diag.Diagnostic {
	res := load.Single(source.NewFile("ocelot.json", []byte(text)), load.Options{})
	cfg := schema.Decode(res.Tree, res.Bound, schema.DecodeOptions{Profile: opts.Profile})
	findings, _ := schema.Check(res, cfg, opts)
	return findings.Sorted()
}

// route puts members into a route that is otherwise good.
func route(members string) string {
	return `{"Routes":[{"UpstreamPathTemplate":"/a","DownstreamPathTemplate":"/b",` + members + `}]}`
}

func global(members string) string { return `{"GlobalConfiguration":{` + members + `}}` }

// expectFindings compares findings, written as
//
//	rule @text underlined: message | effect | help | what the fix makes of the file
//
// where parts at the end may be left out.
func expectFindings(t *testing.T, text string, want ...string) {
	t.Helper()
	got := check(text, schema.CheckOptions{})
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(want):
			t.Errorf("%s\nunexpected %s", text, describe(text, got[i]))
		case i >= len(got):
			t.Errorf("%s\nmissing    %s", text, want[i])
		case !strings.HasPrefix(describe(text, got[i]), want[i]):
			t.Errorf("%s\ngot  %s\nwant %s", text, describe(text, got[i]), want[i])
		}
	}
}

func describe(text string, d diag.Diagnostic) string {
	out := fmt.Sprintf("%s @%s: %s | %s | %s", d.Rule, d.Span.Text(), d.Message, d.Effect, d.Help)
	if d.Fix != nil {
		out += " | " + apply(text, d.Fix)
	}
	return out
}

// apply returns a text with the edits of a fix; they come in ascending order.
func apply(text string, fix *diag.Fix) string {
	for i := len(fix.Edits) - 1; i >= 0; i-- {
		e := fix.Edits[i]
		text = text[:e.Span.Start] + e.NewText + text[e.Span.End:]
	}
	return text
}

func TestQuiet(t *testing.T) {
	for _, text := range []string{
		route(`"Timeout":5`),
		route(`"timeout":"5","PRIORITY":" 0x10 "`),
		route(`"Timeout":null,"Priority":2,"Key":5,"QoSOptions":{}`),
		route(`"QoSOptions":null,"UpstreamHttpMethod":null,"DelegatingHandlers":""`),
		route(`"UpstreamHttpMethod":{"0":"GET","1":"PUT"}`),
		route(`"_note":"x","$id":1,"//":"margay:ignore x","SwaggerKey":"a","VirtualDirectory":"/v"`),
		route(`"DangerousAcceptAnyServerCertificateValidator":"TRUE"`),
		route(`"QoSOptions":{"FailureRatio":"NaN","Timeout":""}`),
		global(`"BaseUrl":"http://localhost","Timeout":"&h10"`),
		global(`"ServiceDiscoveryProvider":{"Token":"{TOKEN}"}`),
		global(`"ServiceDiscoveryProvider":{"Token":"your-token-here"}`),
		global(`"DownstreamHeaderTransform":{"Authorization":">>"}`),
		`{"$schema":"x","BaseUrl":"http://a","Routes":[],"Serilog":{"MinimumLevel":"Debug"},"Roles":["a"]}`,
		`{"SwaggerEndPoints":[{"Key":"a"}],"Routes":[]}`,
		`{"GlobalConfiguration:BaseUrl":"u"}`,
	} {
		expectFindings(t, text)
	}
}

func TestTypeMismatch(t *testing.T) {
	expectFindings(t, route(`"QoSOptions":{"Timeout":"5s"}`),
		`type-mismatch @"5s": "5s" is not a whole number | Ocelot drops the whole route /a without a message | write 5000 (milliseconds) | `+
			route(`"QoSOptions":{"Timeout":5000}`))
	expectFindings(t, route(`"Timeout":"00:01:30"`),
		`type-mismatch @"00:01:30": "00:01:30" is not a whole number | Ocelot drops the whole route /a without a message | write 90 (seconds)`)
	expectFindings(t, route(`"Timeout":"500ms"`),
		`type-mismatch @"500ms": "500ms" is not a whole number | Ocelot drops the whole route /a without a message | write a whole number of seconds`)
	expectFindings(t, route(`"Priority":1.0`),
		`type-mismatch @1.0: 1.0 is not a whole number | Ocelot drops the whole route /a without a message | write 1`)
	expectFindings(t, route(`"Priority":99999999999`),
		`type-mismatch @99999999999: 99999999999 does not fit into a whole number | Ocelot drops the whole route /a without a message | write a whole number`)
	expectFindings(t, route(`"RouteIsCaseSensitive":"yes"`),
		`type-mismatch @"yes": "yes" is not true or false | Ocelot drops the whole route /a without a message | write true`)
	expectFindings(t, route(`"QoSOptions":{"FailureRatio":"50%"}`),
		`type-mismatch @"50%": "50%" is not a number | Ocelot drops the whole route /a without a message | write 0.5`)
	expectFindings(t, route(`"DownstreamHostAndPorts":[{"Host":"a","Port":"http"}]`),
		`type-mismatch @"http": "http" is not a whole number | Ocelot drops this host without a message | write a whole number`)
	expectFindings(t, global(`"Timeout":"5s"`),
		`type-mismatch @"5s": "5s" is not a whole number | Ocelot does not start | write 5 (seconds)`)
	expectFindings(t, route(`"Metadata":{"a":[1]}`),
		`type-mismatch @[: an array stands where "a" takes a text | Ocelot drops this entry without a message | write a text`)
	expectFindings(t, route(`"RouteClaimsRequirement":{"role":["Admin"]}`),
		`type-mismatch @[: an array stands where "role" takes a text | Ocelot drops this entry without a message, and the claim is not enforced | write "Admin" | `+
			route(`"RouteClaimsRequirement":{"role":"Admin"}`))
	expectFindings(t, route(`"RouteClaimsRequirement":{"role":["Admin","Owner"]}`),
		`type-mismatch @[: an array stands where "role" takes a text | Ocelot drops this entry without a message, and the claim is not enforced | `+
			`write one of them: Ocelot compares a claim with one text, so several take a policy in code`)
	expectFindings(t, route(`"Timeout":{"Value":1}`),
		`type-mismatch @{: an object stands where "Timeout" takes a whole number | Ocelot reads 0 instead | write a whole number`)
	expectFindings(t, route(`"Priority":{"Value":1}`),
		`type-mismatch @{: an object stands where "Priority" takes a whole number | Ocelot keeps the default | write a whole number`)
	expectFindings(t, route(`"Key":{"a":1}`),
		`type-mismatch @{: an object stands where "Key" takes a text | Ocelot drops the whole route /a without a message | write a text`)
	expectFindings(t, route(`"DownstreamHostAndPorts":{"Host":"a","Port":80}`),
		`type-mismatch @{: an object stands where "DownstreamHostAndPorts" takes a list of objects | Ocelot takes its members for entries, and loses them | put it into brackets: [ { … } ] | `+
			route(`"DownstreamHostAndPorts":[{"Host":"a","Port":80}]`))
	expectFindings(t, route(`"QoSOptions":[{"Timeout":1}]`),
		`type-mismatch @[: an array stands where "QoSOptions" takes an object | Ocelot reads nothing from it | write an object: { … }`)
	expectFindings(t, `{"Aggregates":[{"UpstreamPathTemplate":"/g","RouteKeysConfig":[{"RouteKey":"b","JsonPath":"$.id"}]}]}`,
		`type-mismatch @{"RouteKey":"b","JsonPath":"$.id"}: the entry has no "Parameter" | Ocelot drops this entry without a message | give it "Parameter"`)
	expectFindings(t, route(`"Timeout":"5s","Priority":"x"`),
		`type-mismatch @"5s": "5s" is not a whole number`, `type-mismatch @"x": "x" is not a whole number`)
}

func TestTypeMismatchQuotesOcelot(t *testing.T) {
	got := check(route(`"Timeout":"5s"`), schema.CheckOptions{})
	want := "Failed to convert configuration value '5s' at 'Routes:0:Timeout' to type 'System.Int32'."
	if len(got) != 1 || got[0].Ocelot != want {
		t.Errorf("got %+v, want one finding that quotes %q", got, want)
	}
}

func TestIgnoredScalar(t *testing.T) {
	expectFindings(t, global(`"QoSOptions":{"RouteKeys":"R1"}`),
		`ignored-scalar @"R1": "R1" stands where "RouteKeys" takes a list | Ocelot ignores it, so that the section applies to all routes | write ["R1"] | `+
			global(`"QoSOptions":{"RouteKeys":["R1"]}`))
	expectFindings(t, route(`"UpstreamHttpMethod":"Get,Post"`),
		`ignored-scalar @"Get,Post": "Get,Post" stands where "UpstreamHttpMethod" takes a list | Ocelot ignores it, so that the route takes all methods | write ["Get", "Post"]`)
	expectFindings(t, route(`"QoSOptions":5`),
		`ignored-scalar @5: 5 stands where "QoSOptions" takes an object | Ocelot ignores it | write an object`)
	expectFindings(t, route(`"LoadBalancerOptions":"RoundRobin"`),
		`ignored-scalar @"RoundRobin": "RoundRobin" stands where "LoadBalancerOptions" takes an object | Ocelot ignores it | write { "Type": "RoundRobin" }`)
	expectFindings(t, route(`"DownstreamHostAndPorts":["svc:80"]`),
		`ignored-scalar @"svc:80": "svc:80" stands where an element of "DownstreamHostAndPorts" takes an object | Ocelot passes over this element | write { "Host": "svc", "Port": 80 }`)
	expectFindings(t, `{"Routes":"x"}`,
		`ignored-scalar @"x": "x" stands where "Routes" takes a list of objects | Ocelot ignores it | write a list of objects`)
	expectFindings(t, `{"Routes":[],"GlobalConfiguration":true}`,
		`ignored-scalar @true: true stands where "GlobalConfiguration" takes an object`)
}

func TestNames(t *testing.T) {
	expectFindings(t, route(`"DownstreamSchema":"http"`),
		`unknown-name @"DownstreamSchema": Ocelot has no option "DownstreamSchema" on a route | Ocelot ignores it | did you mean "DownstreamScheme"? | `+
			route(`"DownstreamScheme":"http"`))
	expectFindings(t, route(`"Timeouts":5`), `unknown-name @"Timeouts": Ocelot has no option "Timeouts" on a route | Ocelot ignores it | did you mean "Timeout"?`)
	expectFindings(t, route(`"Timeout ":5`), `unknown-name @"Timeout ": Ocelot has no option "Timeout " on a route | Ocelot ignores it | did you mean "Timeout"? | `+route(`"Timeout":5`))
	expectFindings(t, route(`"RouteName":"x"`), `unknown-name @"RouteName": Ocelot has no option "RouteName" on a route | Ocelot ignores it | remove it, or begin its name with "_" if it is a note`)
	expectFindings(t, route(`"UpstreamScheme":"x"`), `unknown-name @"UpstreamScheme": Ocelot has no option "UpstreamScheme" on a route | Ocelot ignores it | remove it`)
	expectFindings(t, `{"GlobalConfiguration ":{"BaseUrl":"u"}}`, `unknown-name @"GlobalConfiguration ": Ocelot has no option "GlobalConfiguration " at the top of the file`)
	expectFindings(t, `{"Route":[{"Key":"a"}],"GlobalConfiguration":{}}`, `unknown-name @"Route": Ocelot has no option "Route" at the top of the file | Ocelot ignores it | did you mean "Routes"?`)
	expectFindings(t, route(`"ResilienceOptions":{"Retri":{}}`), `resilience-ignored`,
		`unknown-name @"Retri": margay has no option "Retri" in "ResilienceOptions" | margay ignores it | did you mean "Retry"?`)
	expectFindings(t, route(`"TimeoutValue":5`), `misplaced-name @"TimeoutValue": "TimeoutValue" has no meaning on a route: it belongs in "QoSOptions" | Ocelot ignores it here | move it into "QoSOptions"`)
	expectFindings(t, route(`"Host":"a"`), `misplaced-name @"Host": "Host" has no meaning on a route: it belongs in an entry of "DownstreamHostAndPorts"`)
	expectFindings(t, `{"Routes":[],"QoSOptions":{"Timeout":5}}`, `misplaced-name @"QoSOptions": "QoSOptions" has no meaning at the top of the file: it belongs in "GlobalConfiguration" | Ocelot ignores it here | move it into "GlobalConfiguration"`)
	expectFindings(t, `{"DynamicRoutes":[{"ServiceName":"a","UpstreamHttpMethod":["GET"]}]}`, `misplaced-name @"UpstreamHttpMethod": "UpstreamHttpMethod" has no meaning on a dynamic route: it belongs on a static route`)
	expectFindings(t, route(`"ServiceDiscoveryProvider":{}`), `misplaced-name @"ServiceDiscoveryProvider": "ServiceDiscoveryProvider" has no meaning on a route: it belongs in "GlobalConfiguration"`)
	expectFindings(t, route(`"QoSOptions":{"RouteKeys":["a"]}`), `misplaced-name @"RouteKeys": "RouteKeys" has no meaning in "QoSOptions": it belongs in "QoSOptions" of "GlobalConfiguration"`)
	expectFindings(t, `{"ReRoutes":[]}`, `removed-name @"ReRoutes": "ReRoutes" is called "Routes" since Ocelot 16.0 | Ocelot ignores the old name | rename it to "Routes" | {"Routes":[]}`)
	expectFindings(t, `{"ReRoutes":[],"Routes":[]}`, `removed-name @"ReRoutes": "ReRoutes" is called "Routes" since Ocelot 16.0 | Ocelot ignores the old name | rename it to "Routes"`)
	expectFindings(t, route(`"UseServiceDiscovery":true`), `removed-name @"UseServiceDiscovery": Ocelot reads no "UseServiceDiscovery" since 11.0 | Ocelot ignores it | remove it: "ServiceName" alone asks for service discovery`)
	expectFindings(t, route(`"LoadBalancer":"RoundRobin"`), `removed-name @"LoadBalancer": Ocelot reads no "LoadBalancer" since 6.0 | Ocelot ignores it | write "LoadBalancerOptions": { "Type": … }`)
	expectFindings(t, route(`"RetryOptions":{"Count":3}`), `invented-resilience @"RetryOptions": no version of Ocelot has "RetryOptions" | Ocelot ignores it | Ocelot never repeats a request`)
}

func TestAllowedNames(t *testing.T) {
	text := route(`"RouteName":"x","x-team":"y","X-Owner":"z"`)
	if got := check(text, schema.CheckOptions{AllowNames: []string{"routename", "X-*"}}); len(got) != 0 {
		t.Errorf("got %v, want no finding", got)
	}
	if got := check(text, schema.CheckOptions{AllowNames: []string{"RouteName"}}); len(got) != 2 {
		t.Errorf("got %v, want two findings", got)
	}
}

func TestColonInKey(t *testing.T) {
	expectFindings(t, route(`"RouteClaimsRequirement":{"http://a/role":"admin"}`),
		`colon-in-key @"http://a/role": "http://a/role" contains a colon, at which .NET splits names into objects within objects | Ocelot drops this entry without a message, and the claim is not enforced | map the claim to a type without a colon in code, and write that`)
	expectFindings(t, route(`"Metadata":{"a":"1","a:b":"2"}`),
		`colon-in-key @"a:b": "a:b" contains a colon, at which .NET splits names into objects within objects | Ocelot drops this entry without a message | write a name without a colon`)
}

func TestResilienceIgnored(t *testing.T) {
	text := route(`"ResilienceOptions":{"TotalTimeout":5000}`)
	expectFindings(t, text, `resilience-ignored @"ResilienceOptions": only margay runs "ResilienceOptions" | an Ocelot gateway ignores it`)
	if got := check(text, schema.CheckOptions{Margay: true}); len(got) != 0 {
		t.Errorf("got %v, want no finding for margay's own runtime", got)
	}
	expectFindings(t, `{"Routes":[{"ResilienceOptions":{"TotalTimeout":1}},{"X":1,"ResilienceOptions":{"TotalTimeout":1}}]}`,
		`resilience-ignored @"ResilienceOptions": only margay runs "ResilienceOptions", which stands here in 2 places`, `unknown-name @"X"`)
	expectFindings(t, global(`"ResilienceOptions":{"Retry":{"Delay":"2s","BackoffType":"linear"}}`),
		`resilience-ignored`,
		`type-mismatch @"2s": "2s" is not a whole number | margay takes it as not set | write 2000 (milliseconds)`,
		`type-mismatch @"linear": "linear" is not Constant, Linear or Exponential | margay takes it as not set | write "Linear"`)
}

func TestNullValue(t *testing.T) {
	expectFindings(t, route(`"Priority":null`),
		`null-value @null: null for "Priority" becomes 0 with .NET 10, and with .NET 8 and 9 does not convert | with .NET 8 and 9 Ocelot drops the whole route /a without a message`)
	expectFindings(t, global(`"QoSOptions":{"RouteKeys":["a",null]}`), `null-value @null: null stays null with .NET 10, and is an empty text with .NET 8 and 9`)
	expectFindings(t, route(`"Metadata":{"a":null}`), `null-value @null: null stays null with .NET 10`)
	expectFindings(t, route(`"Key":null`))
}

func TestSecrets(t *testing.T) {
	expectFindings(t, global(`"ServiceDiscoveryProvider":{"Token":"s3cr3t-t0k3n"}`),
		`secret-in-config @s3cr3t-t0k3n: the value of "Token" is a secret, and everybody who reads the file knows it |  | leave it out, and set the environment variable GlobalConfiguration__ServiceDiscoveryProvider__Token`)
	expectFindings(t, global(`"BaseUrl":"http://bob:hunter2@gw.example/"`),
		`secret-in-config @bob:hunter2: the URL contains a password`)
	expectFindings(t, `{"Routes":[]/* http://bob:hunter2@x */}`, `secret-in-config @bob:hunter2`)
	expectFindings(t, route(`"UpstreamHeaderTransform":{"Authorization":"Basic dXNlcjpwYXNz"}`), `secret-in-config @Basic dXNlcjpwYXNz`)
	expectFindings(t, global(`"ServiceDiscoveryProvider":{"Token":"s3cr{t-t0k<n"}`), `secret-in-config @s3cr{t-t0k<n`)
	expectFindings(t, global(`"ServiceDiscoveryProvider":{"Token":"REDACTED"}`))
	expectFindings(t, global(`"ServiceDiscoveryProvider":{"Token":"[redacted]"}`))
	expectFindings(t, global(`"ServiceDiscoveryProvider":{"Token":"Bearer {token}"}`))
	expectFindings(t, route(`"Metadata":{"ConnectionString":"redis:6379,password=REDACTED"}`))
	expectFindings(t, route(`"Metadata":{"ConnectionString":"Server=x;Pwd=${DB_PASSWORD};Port=1"}`))
	expectFindings(t, route(`"Metadata":{"ConnectionString":"Server=x;Pwd=hunter2;Port=1"}`), `secret-in-config @Server=x;Pwd=hunter2;Port=1`)
}

func TestNotOcelot(t *testing.T) {
	expectFindings(t, `{"Logging":{}}`, `not-ocelot @{: there is no section of Ocelot's in here | Ocelot starts without any route`)
	expectFindings(t, `{}`, `not-ocelot`)
}

func TestSubjectNamesRouteAndOption(t *testing.T) {
	text := `{"Routes":[{"UpstreamPathTemplate":"/o/{id}","UpstreamHttpMethod":["Post","get"],"UpstreamHost":"a.example","QoSOptions":{"Timeout":"x"}}]}`
	want := diag.Subject{Route: "GET,POST /o/{id} host=a.example", Option: "QoSOptions.Timeout"}
	if got := check(text, schema.CheckOptions{}); len(got) != 1 || got[0].Subject != want {
		t.Errorf("got %+v, want one finding about %+v", got, want)
	}
}

func TestEmptyNameOfAnEntry(t *testing.T) {
	expectFindings(t, route(`"Metadata":{"":[1]}`), `type-mismatch @[: an array stands where "" takes a text | Ocelot drops this entry without a message`)
	expectFindings(t, route(`"Metadata":{":":"x"}`), `colon-in-key @":"`)
}

// TestScalarBesideMembers: a name with a colon gives a value members as well;
// .NET converts the scalar.
func TestScalarBesideMembers(t *testing.T) {
	expectFindings(t, route(`"Timeout":"x","Timeout:a":1`),
		`type-mismatch @"x": "x" is not a whole number | Ocelot drops the whole route /a without a message`)
	expectFindings(t, route(`"Timeout":5,"Timeout:a":1`))
}

func TestPlacesOfOtherShapes(t *testing.T) {
	expectFindings(t, route(`"Metadata":["a"]`),
		`type-mismatch @[: an array stands where "Metadata" takes an object | Ocelot takes the positions 0, 1 … for keys`)
	expectFindings(t, route(`"UpstreamHttpMethod":{"a":"GET"}`),
		`type-mismatch @{: an object stands where "UpstreamHttpMethod" takes a list | Ocelot takes its values for elements`)
	expectFindings(t, global(`"MetadataOptions":{"NumberStyle":{"a":1}}`),
		`type-mismatch @{: an object stands where "NumberStyle" takes a text | Ocelot keeps the default`)
	expectFindings(t, global(`"MetadataOptions":{"NumberStyle":{"Length":"x"}}`),
		`type-mismatch @{: an object stands where "NumberStyle" takes a text | Ocelot does not start`)
	expectFindings(t, global(`"MetadataOptions":{"TrimChars":["ab",null]}`),
		`type-mismatch @"ab": "ab" is not a single character | Ocelot drops this element without a message`,
		`type-mismatch @null: null is not a single character | Ocelot does not start`)
	expectFindings(t, route(`"Priority":[]`),
		`type-mismatch @[: an array stands where "Priority" takes a whole number | Ocelot drops the whole route /a without a message`)
	expectFindings(t, route(`"Key":{}`),
		`type-mismatch @{: an object stands where "Key" takes a text | Ocelot reads nothing from it`)
	expectFindings(t, `{"DynamicRoutes":[{"ServiceName":"s","ServiceNamespace":"n","Timeout":"x"}]}`,
		`type-mismatch @"x": "x" is not a whole number | Ocelot drops the whole dynamic route n.s without a message`)
	expectFindings(t, `{"Aggregates":[{"UpstreamPathTemplate":"/g","Priority":"x"}]}`,
		`type-mismatch @"x": "x" is not a whole number | Ocelot drops the whole aggregate /g without a message`)
	expectFindings(t, route(`"ResilienceOptions":{"Retry":"yes"}`), `resilience-ignored`,
		`ignored-scalar @"yes": "yes" stands where "Retry" takes an object | margay takes it as not set`)
}
