package change_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit/change"
	"github.com/margay-dev/margay/testdata/gatewaygen"
)

// config writes a configuration of routes, each as the members beside those that
// every route needs.
func config(routes ...string) string {
	var b strings.Builder
	b.WriteString("{ \"Routes\": [\n")
	for i, r := range routes {
		comma := ","
		if i == len(routes)-1 {
			comma = ""
		}
		fmt.Fprintf(&b, `  { %s, "DownstreamPathTemplate": "/", "DownstreamScheme": "http", "DownstreamHostAndPorts": [{ "Host": "h", "Port": 80 }] }%s`+"\n", r, comma)
	}
	return b.String() + "] }\n"
}

const (
	guarded = `, "AuthenticationOptions": { "AuthenticationProviderKeys": ["Bearer"] }`
	crossA  = `"UpstreamPathTemplate": "/a/{x}/b"`
	crossB  = `"UpstreamPathTemplate": "/a/c/{y}"`
	all     = `"UpstreamPathTemplate": "/{everything}"`
)

// TestSentences holds pairs of configurations against what has to be said, and
// what must not.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []string
		never          string
	}{
		{"order that changes nothing", config(crossA, `"UpstreamPathTemplate": "/z"`, all), config(`"UpstreamPathTemplate": "/z"`, all, crossA),
			[]string{"only the order of routes differs: every request is taken by the same route as before"}, "less protected"},
		{"order that decides", config(crossA, crossB), config(crossB, crossA),
			[]string{"~ order of routes", "/a/c/b now reaches /a/c/{y} instead of /a/{x}/b", "requests move to another route in 1 place"}, "less protected"},
		{"order that opens", config(crossA+guarded, crossB), config(crossB, crossA+guarded),
			[]string{"! order of routes", "less protected: ", "/a/c/b now reaches /a/c/{y} instead of"}, ""},
		{"priority that decides", config(crossA, crossB), config(crossA, crossB+`, "Priority": 5`),
			[]string{"has priority 5 instead of 1", "/a/c/b now reaches /a/c/{y}"}, ""},
		{"shadowed by an open route", config(`"UpstreamPathTemplate": "/a/b"`+guarded, `"UpstreamPathTemplate": "/a/{x}"`), config(`"UpstreamPathTemplate": "/a/{x}"`, `"UpstreamPathTemplate": "/a/b"`+guarded),
			[]string{"! /a/b", "no request reaches it any more: /a/{x} takes them first", "that route demands no authentication"}, ""},
		{"removed to an open route", config(`"UpstreamPathTemplate": "/a/b"`+guarded, all), config(all),
			[]string{"! /a/b", "less protected: removed", "its requests now reach /{everything}, which demands no authentication"}, ""},
		{"removed to nowhere", config(`"UpstreamPathTemplate": "/a/b"`, `"UpstreamPathTemplate": "/c"`), config(`"UpstreamPathTemplate": "/c"`),
			[]string{"- /a/b", "its requests are answered 404 now"}, "less protected"},
		{"dropped", config(`"UpstreamPathTemplate": "/a/b", "Timeout": 5`, all), config(`"UpstreamPathTemplate": "/a/b", "Timeout": "5s"`, all),
			[]string{`"5s" is not a whole number`, "line 2", "its requests now reach /{everything}"}, "line 2 removed"},
		{"added before a guarded route", config(`"UpstreamPathTemplate": "/a/{x}"` + guarded), config(`"UpstreamPathTemplate": "/a/{x}"`+guarded, `"UpstreamPathTemplate": "/a/b", "Priority": 9`),
			[]string{"! /a/b", "it demands no authentication"}, ""},
		{"renamed", config(`"Key": "k", "UpstreamPathTemplate": "/old/{x}"`, `"UpstreamPathTemplate": "/z"`), config(`"Key": "k", "UpstreamPathTemplate": "/new/{x}"`, `"UpstreamPathTemplate": "/z"`),
			[]string{"~ /new/{x} (was /old/{x})", "takes /new/{x} instead of /old/{x}"}, "removed"},
		{"twins stay apart", config(`"UpstreamPathTemplate": "/old/{x}"`, `"UpstreamPathTemplate": "/old2/{x}"`), config(`"UpstreamPathTemplate": "/new/{x}"`, `"UpstreamPathTemplate": "/new2/{x}"`),
			[]string{"- /old/{x}", "+ /new/{x}", "- /old2/{x}"}, "(was"},
		{"a global section that comes", config(`"UpstreamPathTemplate": "/a"`), strings.Replace(config(`"UpstreamPathTemplate": "/a"`), "\n] }\n", "\n],\n\"GlobalConfiguration\": { \"QoSOptions\": {\n \"MinimumThroughput\": 3 } } }\n", 1),
			[]string{"has a breaker now: opens after 3", "line 5"}, ""},
		{"RouteKeys that lose a route", grouped(`"a"`), grouped(`"b"`),
			[]string{"no breaker any more", "line 4"}, "removed"},
		{"does not start", config(`"UpstreamPathTemplate": "/a"`), strings.Replace(config(`"UpstreamPathTemplate": "/a"`), `"DownstreamPathTemplate": "/"`, `"DownstreamPathTemplate": "x"`, 1),
			[]string{"Ocelot would not start with new.json: "}, ""},
		{"not JSON", config(all), "{ \"Routes\": [ }", []string{"Ocelot would not start with new.json: it is not JSON", "the routes are not compared"}, "removed"},
		{"claims", config(all + `, "RouteClaimsRequirement": { "role": "admin" }`), config(all + `, "RouteClaimsRequirement": { "role": "user", "team": "x" }`),
			[]string{"demands the claim role=user instead of role=admin", "demands the claim team=x"}, "less protected"},
		{"blocked addresses", config(all + `, "SecurityOptions": { "IPBlockedList": ["10.0.0.1", "10.0.0.2"] }`), config(all + `, "SecurityOptions": { "IPBlockedList": ["10.0.0.1"] }`),
			[]string{"less protected: does not block 10.0.0.2"}, ""},
		{"one more scheme", config(all + guarded), config(all + strings.Replace(guarded, `"Bearer"`, `"Bearer", "Key"`, 1)),
			[]string{"less protected: accepts clients of Key too"}, ""},
		{"routes of a group", group3("3000"), group3("4000"), []string{"~ /a", "instead of 3 s", "also /b, /c"}, "~ /b"},
		{"in other words", config(all + `, "QoSOptions": { "ExceptionsAllowedBeforeBreaking": 4 }`), config(all + `, "QoSOptions": { "MinimumThroughput": 4 }`),
			[]string{"what is written differs, and comes to the same"}, "~"},
	} {
		r := compare(t, c.old, c.new)
		got := text(t, r)
		flat := strings.Join(strings.Fields(got+sentences(r)), " ")
		for _, want := range c.want {
			if !strings.Contains(flat, strings.Join(strings.Fields(want), " ")) {
				t.Errorf("%s: %q is missing in\n%s", c.name, want, got)
			}
		}
		if c.never != "" && strings.Contains(flat, c.never) {
			t.Errorf("%s: %q is in\n%s", c.name, c.never, got)
		}
		for _, line := range strings.Split(got, "\n") {
			if n := len([]rune(line)); n > 80 {
				t.Errorf("%s: a line has %d columns: %s", c.name, n, line)
			}
		}
	}
}

// sentences are the texts of a report in one line each.
func sentences(r *change.Report) string {
	var b strings.Builder
	for _, route := range r.Routes {
		for _, c := range route.Changes {
			b.WriteString("\n" + c.Text + "\n" + c.Detail)
			if c.LessProtected {
				b.WriteString("\nless protected: " + c.Text)
			}
		}
	}
	for _, q := range r.Requests {
		fmt.Fprintf(&b, "\n%s now reaches %s instead of %s", q.Request, *q.New, *q.Old)
	}
	return b.String()
}

// group3 are three routes that get the timeout of the global section.
func group3(timeout string) string {
	routes := config(`"UpstreamPathTemplate": "/a"`, `"UpstreamPathTemplate": "/b"`, `"UpstreamPathTemplate": "/c"`)
	return strings.Replace(routes, "\n] }\n", "\n], \"GlobalConfiguration\": { \"QoSOptions\": { \"Timeout\": "+timeout+" } } }", 1)
}

func grouped(key string) string {
	return `{ "Routes": [ { "Key": "a", "UpstreamPathTemplate": "/a", "DownstreamPathTemplate": "/", "DownstreamScheme": "http", "DownstreamHostAndPorts": [{ "Host": "h", "Port": 80 }] } ],
  "GlobalConfiguration": {
    "QoSOptions": {
      "RouteKeys": [` + key + `],
      "MinimumThroughput": 3 } } }`
}

// TestOutputIsTheSameEveryTime compares large gateways ten times.
func TestOutputIsTheSameEveryTime(t *testing.T) {
	old := string(gatewaygen.Bytes(200, 1))
	new := tenth(turned(old))
	first := everything(t, compare(t, old, new))
	for range 9 {
		if again := everything(t, compare(t, old, new)); again != first {
			t.Fatalf("got\n%s\nthe first time, then\n%s", first, again)
		}
	}
}

func everything(t testing.TB, r *change.Report) string {
	t.Helper()
	var b strings.Builder
	if err := change.Markdown(&b, r); err != nil {
		t.Fatal(err)
	}
	return text(t, r) + jsonText(t, r) + b.String()
}

// TestSecretsStayHidden plants secrets on both sides and looks for them in every
// form.
func TestSecretsStayHidden(t *testing.T) {
	with := func(secret string) string {
		return config(`"UpstreamPathTemplate": "/a", "UpstreamHeaderTransform": { "Authorization": "Bearer ` + secret + `" }`)
	}
	got := everything(t, compare(t, with("s3cr3t-before-abcdef"), with("s3cr3t-after-abcdef")))
	if strings.Contains(got, "s3cr3t") {
		t.Errorf("a secret gets through:\n%s", got)
	}
	if !strings.Contains(got, "headers to the backend") {
		t.Errorf("the change of a secret is not reported:\n%s", got)
	}
}
