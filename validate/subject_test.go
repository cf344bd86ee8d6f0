package validate_test

import (
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate"
)

// A finding without a subject gets the route and the option of its place.
func TestSubjectsComeFromThePlace(t *testing.T) {
	const text = `{
  "Ocelot": {
    "Routes": [
      { "UpstreamPathTemplate": "/b", "UpstreamHost": "h", "UpstreamHttpMethod": ["put", "Get"], "QoSOptions": { "HERE1": 1 } },
      { "ServiceName": "orders", "ServiceNamespace": "shop", "List": [ { "HERE2": 1 } ] },
      { "Key": "k", "HERE3": 1 },
      "HERE4"
    ],
    "GlobalConfiguration": { "QoSOptions": { "HERE5": 1 } }
  },
  "ReRoutes": [ { "UpstreamPathTemplate": "/old", "HERE6": 1 } ]
}`
	for mark, want := range map[string]diag.Subject{
		"HERE1": {Route: "GET,PUT /b host=h", Option: "QoSOptions.HERE1"},
		"HERE2": {Route: "shop.orders", Option: "List.HERE2"},
		"HERE3": {Route: "k", Option: "HERE3"},
		"HERE4": {},
		"HERE5": {Option: "Ocelot.GlobalConfiguration.QoSOptions.HERE5"},
		"HERE6": {Route: "/old", Option: "HERE6"},
	} {
		// Lines in front and other routes before it change nothing.
		for _, before := range []string{"", "\n\n// moved\n"} {
			if got := subjectOf(t, before+text, mark); got != want {
				t.Errorf("%s: got %+v, want %+v", mark, got, want)
			}
		}
	}
}

func subjectOf(t *testing.T, text, mark string) diag.Subject {
	t.Helper()
	folder := load.Folder{FS: fstest.MapFS{"ocelot.json": {Data: []byte(text)}}}
	loaded, err := load.Run(folder, []load.Provider{load.File{Name: "ocelot.json"}}, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := loaded.Texts[0].File
	start := 0
	for text[start:start+len(mark)] != mark {
		start++
	}
	var reported diag.List
	reported.Add(diag.Diagnostic{Rule: "r", Severity: diag.Error, Message: "m", Span: source.Span{File: file, Start: start, End: start + len(mark)}})
	return validate.Run(&validate.Input{Loaded: loaded}, nil, &reported, validate.Options{}).Sorted()[0].Subject
}
