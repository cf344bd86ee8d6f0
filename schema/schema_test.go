package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// jsonSchema is the part of a schema that the tests look at.
type jsonSchema struct {
	Ref         string `json:"$ref"`
	AllOf       []jsonSchema
	Title       string
	Description string
	Type        any
	Format      string
	Default     any
	Deprecated  bool
	Message     string `json:"deprecationMessage"`
	ReadOnly    bool
	Properties  map[string]*jsonSchema
	Required    []string
	Items       *jsonSchema
	Additional  json.RawMessage `json:"additionalProperties"`
	Definitions map[string]*jsonSchema
}

func readSchema(t *testing.T) *jsonSchema {
	t.Helper()
	var doc jsonSchema
	d := json.NewDecoder(bytes.NewReader(schema.JSON()))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	return &doc
}

// property returns the schema that a property refers to, with the words that
// stand beside the reference.
func (doc *jsonSchema) property(p *jsonSchema) jsonSchema {
	switch {
	case p.Ref != "":
		return doc.property(doc.at(p.Ref))
	case len(p.AllOf) == 1:
		whole := doc.property(&p.AllOf[0])
		whole.Title, whole.Description, whole.Default, whole.Deprecated, whole.Message = p.Title, p.Description, p.Default, p.Deprecated, p.Message
		return whole
	}
	return *p
}

func (doc *jsonSchema) at(ref string) *jsonSchema {
	path := strings.Split(strings.TrimPrefix(ref, "#/definitions/"), "/")
	if len(path) == 3 {
		return doc.Definitions[path[0]].Properties[path[2]]
	}
	return doc.Definitions[path[0]]
}

// class returns the definition that a property holds an object of, or a list
// of; "" for any other.
func (doc *jsonSchema) class(p *jsonSchema) string {
	switch {
	case strings.Count(p.Ref, "/") == 4:
		return doc.class(doc.at(p.Ref))
	case p.Ref != "":
		return strings.TrimPrefix(p.Ref, "#/definitions/")
	case len(p.AllOf) == 1:
		return doc.class(&p.AllOf[0])
	case p.Items != nil:
		return doc.class(p.Items)
	}
	return ""
}

// own are the classes of ResilienceOptions, extensions what SwaggerForOcelot
// reads, and a root BaseUrl is read by the program without being bound.
var (
	extensions = []string{"ResilienceOptions", "SwaggerEndPoints", "VirtualDirectory", "ParametersMap", "$schema"}
	beside     = map[string][]string{"FileConfiguration": {"BaseUrl"}, "FileAggregateRoute": {"Description"}}
)

func TestOracleSchema(t *testing.T) {
	var recorded map[string]struct {
		Members []struct {
			Name, Type string
			Default    any
			Settable   bool
			Obsolete   bool
		} `json:"bind_order"`
	}
	d := json.NewDecoder(bytes.NewReader(oracletest.Bytes(t, "model.json.gz")))
	d.UseNumber()
	if err := d.Decode(&recorded); err != nil {
		t.Fatal(err)
	}
	doc := readSchema(t)
	tally := oracletest.NewTally("model")
	for _, name := range slices.Sorted(maps.Keys(recorded)) {
		definition := doc.Definitions[strings.TrimPrefix(name, "File")]
		if name == "FileConfiguration" {
			definition = doc
		}
		if definition == nil {
			tally.Differ("classes", name, "the schema has no such definition")
			continue
		}
		extra := maps.Clone(definition.Properties)
		for _, m := range recorded[name].Members {
			p := definition.Properties[m.Name]
			delete(extra, m.Name)
			if p == nil {
				tally.Differ("properties", name+"."+m.Name, "the schema has no such property")
				continue
			}
			full := doc.property(p)
			got := fmt.Sprintf("type %s, default %v, deprecated %t, read only %t", doc.typeOf(&full, p), full.Default, full.Deprecated, full.ReadOnly)
			want := fmt.Sprintf("type %s, default %v, deprecated %t, read only %t", plainType(m.Type), defaultOf(m.Default), m.Obsolete, !m.Settable)
			if got != want {
				tally.Differ("properties", name+"."+m.Name, "\n got %s\nwant %s", got, want)
				continue
			}
			tally.Agree("properties")
		}
		for property := range extra {
			if !slices.Contains(extensions, property) && !slices.Contains(beside[name], property) {
				tally.Differ("properties", name+"."+property, "the program has no such property")
			}
		}
		tally.Agree("classes")
	}
	tally.Report(t)
}

// typeOf returns the C# type that a property describes, as the recording
// writes it.
func (doc *jsonSchema) typeOf(full, written *jsonSchema) string {
	nullable := ""
	if strings.HasPrefix(full.Format, "optional-") {
		nullable = "?"
	}
	switch strings.TrimPrefix(full.Format, "optional-") {
	case "int32":
		return "int" + nullable
	case "int64":
		return "long" + nullable
	case "double":
		return "double" + nullable
	case "boolean":
		return "bool" + nullable
	}
	types, _ := full.Type.([]any)
	switch {
	case len(full.Additional) > 0 && full.Additional[0] == '{':
		return "Dictionary<string,string>"
	case types[0] == "array":
		return "List<" + doc.elementOf(full) + ">"
	case types[0] == "object":
		return "File" + doc.class(written)
	}
	return "string"
}

func (doc *jsonSchema) elementOf(full *jsonSchema) string {
	name := doc.class(full)
	switch {
	case full.Items.Format == "char":
		return "char"
	case name == "AggregateRouteConfig":
		return name
	case name != "":
		return "File" + name
	}
	return "string"
}

// defaultOf returns a recorded default as the schema writes it.
func defaultOf(v any) any {
	if object, ok := v.(map[string]any); ok && len(object) > 0 {
		return map[string]any{}
	}
	return v
}

// plainType names collections of C# that look the same in JSON by one name.
func plainType(name string) string {
	if element, ok := strings.CutSuffix(name, "[]"); ok {
		return "List<" + element + ">"
	}
	return strings.NewReplacer("IList<", "List<", "HashSet<", "List<", "IDictionary<", "Dictionary<").Replace(name)
}

func TestSchemaIsDocumentation(t *testing.T) {
	doc := readSchema(t)
	check := func(path string, p *jsonSchema) {
		full := doc.property(p)
		if full.Title == "" || full.Description == "" {
			t.Errorf("%s has no title or description", path)
		}
		if !strings.HasSuffix(full.Description, ".") {
			t.Errorf("%s: description %q does not end in a full stop", path, full.Description)
		}
		if full.Deprecated != (full.Message != "") {
			t.Errorf("%s: deprecated %t, message %q", path, full.Deprecated, full.Message)
		}
	}
	for name, definition := range doc.Definitions {
		check(name, definition)
		if string(definition.Additional) != "false" {
			t.Errorf("%s accepts any name: additionalProperties %s", name, definition.Additional)
		}
		for property, p := range definition.Properties {
			check(name+"."+property, p)
		}
	}
	for property, p := range doc.Properties {
		check(property, p)
	}
}

func TestGlobalVariantsHaveTheMembersOfTheirBase(t *testing.T) {
	doc := readSchema(t)
	for name, definition := range doc.Definitions {
		base, ok := strings.CutPrefix(name, "Global")
		if !ok || doc.Definitions[base] == nil {
			continue
		}
		want := maps.Clone(doc.Definitions[base].Properties)
		want["RouteKeys"] = definition.Properties["RouteKeys"]
		got := slices.Sorted(maps.Keys(definition.Properties))
		if want := slices.Sorted(maps.Keys(want)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s has\n%v, want\n%v", name, got, want)
		}
	}
}
