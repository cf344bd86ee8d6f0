package model_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// recordedType is a class as reflection over the real program showed it.
type recordedType struct {
	Parameterless bool       `json:"parameterless_ctor"`
	Constructors  [][]string `json:"ctor_parameters"`
	Members       []struct {
		Name       string          `json:"name"`
		Type       string          `json:"type"`
		Default    json.RawMessage `json:"default"`
		Settable   bool            `json:"settable"`
		Obsolete   bool            `json:"obsolete"`
		DeclaredIn string          `json:"declared_in"`
		Ignored    bool            `json:"json_ignored"`
	} `json:"bind_order"`
}

func TestOracleModel(t *testing.T) {
	var recorded map[string]recordedType
	if err := json.Unmarshal(oracletest.Bytes(t, "model.json.gz"), &recorded); err != nil {
		t.Fatal(err)
	}
	tally := oracletest.NewTally("model")
	ours := map[string]*model.Type{}
	collect(model.Root(), ours)
	for name, want := range recorded {
		typ := ours[name]
		delete(ours, name)
		if typ == nil {
			tally.Differ("types", name, "the model has no such type")
			continue
		}
		if got, want := describe(typ), describeRecorded(want); got != want {
			tally.Differ("types", name, "got\n%swant\n%s", got, want)
			continue
		}
		tally.Agree("types")
	}
	for name := range ours {
		tally.Differ("types", name, "the program has no such type")
	}
	tally.Report(t)
}

func collect(typ *model.Type, into map[string]*model.Type) {
	into[typ.Name] = typ
	for i := range typ.Members {
		if object := typ.Members[i].Object; object != nil {
			collect(object, into)
		}
	}
}

func describe(typ *model.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "constructor %q\n", typ.Constructor)
	for i := range typ.Members {
		m := &typ.Members[i]
		fmt.Fprintf(&b, "%s %s = %s settable %t obsolete %t ignored %t\n", m.Name, csharp(m), initial(m),
			!m.Is(model.GetOnly), m.Is(model.Deprecated), m.Is(model.NotInJSON))
	}
	return b.String()
}

func describeRecorded(typ recordedType) string {
	var b strings.Builder
	constructor := []string(nil)
	if !typ.Parameterless {
		for _, parameter := range typ.Constructors[0] {
			constructor = append(constructor, strings.ToUpper(parameter[:1])+parameter[1:])
		}
	}
	fmt.Fprintf(&b, "constructor %q\n", constructor)
	for _, m := range typ.Members {
		fmt.Fprintf(&b, "%s %s = %s settable %t obsolete %t ignored %t\n", m.Name, m.Type, m.Default, m.Settable, m.Obsolete, m.Ignored)
	}
	return b.String()
}

// csharp returns a member's type as the recording writes it.
func csharp(m *model.Member) string {
	element := [...]string{"", "string", "int", "long", "double", "bool", "char"}[m.Scalar]
	if m.Object != nil {
		element = m.Object.Name
	}
	if m.Is(model.Nullable) {
		element += "?"
	}
	i := ""
	if m.Is(model.Interface) {
		i = "I"
	}
	switch m.Shape {
	case model.List:
		return i + "List<" + element + ">"
	case model.Set:
		return i + "HashSet<" + element + ">"
	case model.Array:
		return element + "[]"
	case model.Dictionary:
		return i + "Dictionary<string," + element + ">"
	}
	return element
}

// initial returns a member's default as the recording writes it.
func initial(m *model.Member) string {
	switch {
	case !m.Present:
		return "null"
	case m.Shape == model.Dictionary:
		return "{}"
	case m.Collection():
		return quoted(m.Initial)
	case m.Object != nil:
		return `{"object":{}}`
	case m.Scalar == model.String:
		return fmt.Sprintf("%q", strings.Join(m.Initial, ""))
	}
	return strings.Join(m.Initial, "")
}

func quoted(elements []string) string {
	out := make([]string, len(elements))
	for i, e := range elements {
		out[i] = fmt.Sprintf("%q", e)
	}
	return "[" + strings.Join(out, ",") + "]"
}

func TestMemberIsFoundWithoutRegardToCase(t *testing.T) {
	root := model.Root()
	for name, want := range map[string]bool{"Routes": true, "rOUTES": true, "Route": false, "Routeſ": false, "": false} {
		if got := root.Member(name) != nil; got != want {
			t.Errorf("Member(%q) found = %t, want %t", name, got, want)
		}
	}
}

func TestTypeName(t *testing.T) {
	route := root(t, "Routes").Object
	global := root(t, "GlobalConfiguration").Object
	for want, m := range map[string]*model.Member{
		"System.Collections.Generic.List`1[Ocelot.Configuration.File.FileRoute]": root(t, "Routes"),
		"System.Collections.Generic.HashSet`1[System.String]":                    route.Member("UpstreamHttpMethod"),
		"System.Collections.Generic.IDictionary`2[System.String,System.String]":  route.Member("Metadata"),
		"System.Char[]": global.Member("MetadataOptions").Object.Member("TrimChars"),
		"System.Int32":  route.Member("Timeout"),
		"Ocelot.Configuration.File.FileQoSOptions": route.Member("QoSOptions"),
	} {
		if got := m.TypeName(); got != want {
			t.Errorf("TypeName of %s = %s, want %s", m.Name, got, want)
		}
	}
}

func TestConstructorNamesMembers(t *testing.T) {
	config := root(t, "Aggregates").Object.Member("RouteKeysConfig").Object
	if want := []string{"RouteKey", "JsonPath", "Parameter"}; !slices.Equal(config.Constructor, want) {
		t.Errorf("Constructor = %q, want %q", config.Constructor, want)
	}
}

func root(t *testing.T, name string) *model.Member {
	t.Helper()
	m := model.Root().Member(name)
	if m == nil {
		t.Fatalf("no member %s", name)
	}
	return m
}
