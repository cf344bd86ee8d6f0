package report_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
)

// The JSON format is what its schema says, and the schema names no member that
// the format has not.
func TestJSONIsValid(t *testing.T) {
	schema, err := jsonschema.CompileString("findings.schema.json", string(report.JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	ds, secrets := findings()
	ds = append(ds, hostile(diag.Error)...)
	slices.SortStableFunc(ds, diag.Compare)
	left := []report.Left{{Reason: report.LeftBaseline, Source: "b.json", Findings: 1, Stops: 1, Gone: 1}, {Reason: report.LeftUnchanged, Source: "main"}}
	seen := map[string]bool{}
	for _, list := range [][]diag.Diagnostic{nil, ds} {
		for _, opts := range []report.Options{{}, {Secrets: secrets, Least: diag.Info, Files: 2, Routes: 3, Left: left}} {
			var got any
			if err := json.Unmarshal([]byte(output(t, "json", opts, list)), &got); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(got); err != nil {
				t.Errorf("%#v", err)
			}
			collect(got, seen)
		}
	}
	var described any
	if err := json.Unmarshal(report.JSONSchema(), &described); err != nil {
		t.Fatal(err)
	}
	for name := range membersOf(described) {
		if !seen[name] {
			t.Errorf("the schema has a member %q, the format has none", name)
		}
	}
}

// collect notes the names of all members of a value.
func collect(v any, into map[string]bool) {
	switch x := v.(type) {
	case []any:
		for _, item := range x {
			collect(item, into)
		}
	case map[string]any:
		for name, item := range x {
			into[name] = true
			collect(item, into)
		}
	}
}

// membersOf returns the names under "properties" at any depth.
func membersOf(v any) map[string]bool {
	names := map[string]bool{}
	switch x := v.(type) {
	case []any:
		for _, item := range x {
			for name := range membersOf(item) {
				names[name] = true
			}
		}
	case map[string]any:
		for key, item := range x {
			if object, ok := item.(map[string]any); ok && key == "properties" {
				for name := range object {
					names[name] = true
				}
			}
			for name := range membersOf(item) {
				names[name] = true
			}
		}
	}
	return names
}

// The schema must be able to refuse.
func TestJSONSchemaRefuses(t *testing.T) {
	schema, err := jsonschema.CompileString("findings.schema.json", string(report.JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		`{}`, `{"version":2,"findings":[],"summary":{"errors":0,"warnings":0,"infos":0,"fixable":0}}`,
		`{"version":1,"findings":[{}],"summary":{"errors":0,"warnings":0,"infos":0,"fixable":0}}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if schema.Validate(v) == nil {
			t.Errorf("%s is valid", text)
		}
	}
}
