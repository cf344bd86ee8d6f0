package startup_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate/startup"
)

// started says how a start ends: "ok", the first failure, or the exception.
func started(t *testing.T, text string) string {
	t.Helper()
	result := load.Single(source.NewFile("ocelot.json", []byte(text)), load.Options{})
	if result.Failure != nil {
		t.Fatalf("%s: %s", text, result.Failure.Cause().Message)
	}
	cfg := schema.Decode(result.Tree, result.Bound, schema.DecodeOptions{})
	report := startup.Check(cfg, profile.Profile{})
	switch {
	case report.Exception != nil:
		return report.Exception.Type[strings.LastIndexByte(report.Exception.Type, '.')+1:] + " at " + report.Exception.Thrower
	case len(report.Failures) > 0:
		return report.Failures[0].Message
	}
	return "ok"
}

const (
	nullTransform = "NullReferenceException at HeaderFindAndReplaceCreator.ProcessHeaders"
	openTransform = "ArgumentOutOfRangeException at HeaderFindAndReplaceCreator.Map"
	badRegex      = "RegexParseException at "
)

// TestRoute holds what the start makes of one good route with more members.
func TestRoute(t *testing.T) {
	for _, test := range []struct{ members, global, want string }{
		{``, ``, "ok"},

		// A pattern's $ stands before a last line feed too, but the empty text
		// is none of the names.
		{`"DownstreamHttpVersionPolicy":"RequestVersionExact\n"`, ``, "ok"},
		{`"DownstreamHttpVersionPolicy":"\n"`, ``, "'Downstream Http Version Policy' is not in the correct format."},

		// "header" is found in any letter case.
		{`"UpstreamHeaderTemplates":{"X":"{header:a-b}"}`, ``, badRegex + "RegexGlobal.New"},
		{`"UpstreamHeaderTemplates":{"X":"{HEADER:a-b}"}`, ``, badRegex + "RegexGlobal.New"},
		{`"UpstreamHeaderTemplates":{"X":"{Header:a}"}`, ``, "ok"},
		{`"UpstreamHeaderTemplates":{"X":"{header:a"}`, ``, "ok"},
		{`"UpstreamHeaderTemplates":{"X":"\\c("}`, ``, badRegex + "RegexGlobal.New"},
		{`"UpstreamHeaderTemplates":{"X":"\\c["}`, ``, "ok"},

		// Outer blanks of any sort are cut before a brace is looked for.
		{`"UpstreamHeaderTransform":{"X":"a, b{c"}`, ``, openTransform},
		{`"UpstreamHeaderTransform":{"X":"a,{c"}`, ``, "ok"},
		{`"UpstreamHeaderTransform":{"X":"a,\u2003{c"}`, ``, "ok"},

		// What the route has takes the place of the global one, and both of a
		// side come before the other side.
		{``, `"UpstreamHeaderTransform":{"X":null}`, nullTransform},
		{`"UpstreamHeaderTransform":{"X":"a"}`, `"UpstreamHeaderTransform":{"X":null}`, "ok"},
		{`"UpstreamHeaderTransform":{"x":"a"}`, `"UpstreamHeaderTransform":{"X":null}`, nullTransform},
		{`"DownstreamHeaderTransform":{"X":"a"}`, `"UpstreamHeaderTransform":{"X":null}`, nullTransform},
		{`"DownstreamHeaderTransform":{"X":null}`, `"UpstreamHeaderTransform":{"Y":"a, b{c"}`, openTransform},
		{`"DownstreamHeaderTransform":{"X":null}`, `"DownstreamHeaderTransform":{"Y":"a, b{c"}`, nullTransform},
	} {
		members := strings.TrimSuffix(`"UpstreamPathTemplate":"/a","DownstreamPathTemplate":"/b","DownstreamHostAndPorts":[{"Host":"h","Port":1}],`+test.members, ",")
		text := fmt.Sprintf(`{"Routes":[{%s}],"GlobalConfiguration":{%s}}`, members, test.global)
		if got := started(t, text); got != test.want {
			t.Errorf("%s with %s: %s, want %s", test.members, test.global, got, test.want)
		}
	}
}

// An aggregate with a key that no route has is left out before its template is
// looked at; the validator lets it pass where another key occurs twice.
func TestAggregateOfLostRoute(t *testing.T) {
	const route = `{"Key":%q,"UpstreamPathTemplate":%q,"DownstreamPathTemplate":"/b","DownstreamHostAndPorts":[{"Host":"h","Port":1}]}`
	for _, test := range []struct{ second, want string }{
		{"a", "ok"},
		{"b", badRegex + "UpstreamTemplatePatternCreator.Create"},
	} {
		text := fmt.Sprintf(`{"Routes":[`+route+`,`+route+`],"Aggregates":[{"RouteKeys":["a","b"],"UpstreamPathTemplate":"/c("}]}`, "a", "/a1", test.second, "/a2")
		if got := started(t, text); got != test.want {
			t.Errorf("second key %s: %s, want %s", test.second, got, test.want)
		}
	}
}

// An aggregate's template is not validated, so that it may come without the
// slash that compiling takes for granted.
func TestAggregateWithoutSlash(t *testing.T) {
	const outOfRange = "ArgumentOutOfRangeException at UpstreamTemplatePatternCreator.Create"
	for template, want := range map[string]string{
		"": "ok", "a": "ok", "a/{x}": "ok", "x{a}": "ok", "/{x}": "ok", "/.": "ok", "a/.b": "ok",
		"{x}": outOfRange, ".": outOfRange, ".a": outOfRange, "{x}/": "ok", "{x}{y}": outOfRange, "{x}/{y}": "ok",
	} {
		text := fmt.Sprintf(`{"Aggregates":[{"RouteKeys":[],"UpstreamPathTemplate":%q}]}`, template)
		if got := started(t, text); got != want {
			t.Errorf("%q: %s, want %s", template, got, want)
		}
	}
}

// What is missing is not the same as an empty text.
func TestMissingIsNotEmpty(t *testing.T) {
	const route = `{"UpstreamPathTemplate":"/a","DownstreamPathTemplate":"/b","DownstreamHostAndPorts":[{"Host":"h","Port":1}],%s}`
	for text, want := range map[string]string{
		`{"Aggregates":[{"RouteKeys":["x"],"UpstreamPathTemplate":""},{"RouteKeys":["x"]}]}`:                                              "Routes for aggregateRoute  either do not exist or do not have correct ServiceName property",
		`{"Aggregates":[{"RouteKeys":["x"]},{"RouteKeys":["x"]}]}`:                                                                        "aggregate  has duplicate aggregate",
		`{"Routes":[` + fmt.Sprintf(route+","+route, `"UpstreamHeaderTemplates":{"X":""}`, `"UpstreamHeaderTemplates":{"X":""}`) + `]}`:   "route /a has duplicate",
		`{"Routes":[` + fmt.Sprintf(route+","+route, `"UpstreamHeaderTemplates":{"X":""}`, `"UpstreamHeaderTemplates":{"X":null}`) + `]}`: "ArgumentNullException at UpstreamHeaderTemplatePatternCreator.Create",
		`{"Routes":[` + fmt.Sprintf(route+","+route, `"UpstreamHost":""`, `"UpstreamHost":null`) + `]}`:                                   "ok",
	} {
		if got := started(t, text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Enum.Parse takes numbers of 32 bits, and throws another exception over others.
func TestMetadataEnumerations(t *testing.T) {
	const thrower = " at DefaultMetadataCreator.Create"
	for value, want := range map[string]string{
		"7": "ok", "+7": "ok", " -1 ": "ok", "Any": "ok", " Float , Integer": "ok", "any": "ArgumentException" + thrower, "": "ArgumentException" + thrower,
		"1.5": "ArgumentException" + thrower, "7,Any": "ArgumentException" + thrower, "2147483648": "OverflowException" + thrower, "-2147483649 ": "OverflowException" + thrower,
	} {
		if got := started(t, fmt.Sprintf(`{"GlobalConfiguration":{"MetadataOptions":{"NumberStyle":%q}}}`, value)); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}
