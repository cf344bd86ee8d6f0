package plan_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/runtime/plan"
)

// node is what the tests read of a JSON Schema.
type node struct {
	Ref         string          `json:"$ref"`
	Description string          `json:"description"`
	Type        string          `json:"type"`
	Enum        []string        `json:"enum"`
	AllOf       []node          `json:"allOf"`
	Items       *node           `json:"items"`
	Required    []string        `json:"required"`
	Properties  map[string]node `json:"properties"`
	Definitions map[string]node `json:"definitions"`
}

func compileSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft7
	if err := c.AddResource("plan.schema.json", bytes.NewReader(plan.Schema())); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("plan.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(schema *jsonschema.Schema, text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	return schema.Validate(v)
}

func TestSchemaAcceptsWhatEncodeWrites(t *testing.T) {
	if err := validate(compileSchema(t), encode(t, full())); err != nil {
		t.Error(err)
	}
}

func TestSchemaRefuses(t *testing.T) {
	schema := compileSchema(t)
	text := string(encode(t, full()))
	tests := []struct{ name, old, new string }{
		{"unknown member", `"digest":`, `"digset":`},
		{"text for a number", `"attemptTimeout": 500`, `"attemptTimeout": "500"`},
		{"unknown kind", `"kind": "polly"`, `"kind": "hystrix"`},
		{"status text", `"500-508"`, `"5xx"`},
		{"missing id", `"id": "agg",`, ``},
	}
	for _, test := range tests {
		changed := strings.Replace(text, test.old, test.new, 1)
		if changed == text {
			t.Fatalf("%s: the plan holds no %s", test.name, test.old)
		}
		if validate(schema, []byte(changed)) == nil {
			t.Errorf("%s: got accepted, want refused", test.name)
		}
		if _, err := plan.Decode(strings.NewReader(changed)); err == nil {
			t.Errorf("%s: Decode accepts it", test.name)
		}
	}
}

// TestSchemaListsTheFieldsOfTheTypes walks types and schema together: the same
// members in the same places, of the same JSON types, each described.
func TestSchemaListsTheFieldsOfTheTypes(t *testing.T) {
	var root node
	if err := json.Unmarshal(plan.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	w := &schemaWalk{T: t, definitions: root.Definitions, used: map[string]bool{}}
	w.object("plan", reflect.TypeFor[plan.Plan](), root)
	for name := range root.Definitions {
		if !w.used[name] {
			t.Errorf("definition %s is used by no member", name)
		}
	}
}

type schemaWalk struct {
	*testing.T
	definitions map[string]node
	used        map[string]bool
}

func (w *schemaWalk) object(path string, typ reflect.Type, n node) {
	var names []string
	for f := range typ.Fields() {
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
		prop, ok := n.Properties[name]
		if !ok {
			w.Errorf("%s.%s is missing in the schema", path, name)
			continue
		}
		if option == "" && !slices.Contains(n.Required, name) {
			w.Errorf("%s.%s is always written but not required", path, name)
		}
		w.value(path+"."+name, f.Type, prop)
	}
	for name := range n.Properties {
		if !slices.Contains(names, name) {
			w.Errorf("%s.%s is in the schema only", path, name)
		}
	}
}

func (w *schemaWalk) value(path string, typ reflect.Type, n node) {
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if n.Description == "" {
		w.Errorf("%s has no description", path)
	}
	n = w.resolve(n)
	want := jsonType(typ)
	if got := n.Type; got != want && !(want == "string" && len(n.Enum) > 0) {
		w.Errorf("%s: got type %q, want %q", path, got, want)
	}
	switch want {
	case "object":
		w.object(path, typ, n)
	case "array":
		items := w.resolve(*n.Items)
		if items.Description == "" {
			items.Description = n.Description
		}
		w.value(path+"[]", typ.Elem(), items)
	}
}

// resolve follows a reference, which may stand in an allOf beside a description.
func (w *schemaWalk) resolve(n node) node {
	if len(n.AllOf) == 1 {
		n = n.AllOf[0]
	}
	name, ok := strings.CutPrefix(n.Ref, "#/definitions/")
	if !ok {
		return n
	}
	w.used[name] = true
	return w.definitions[name]
}

func jsonType(typ reflect.Type) string {
	if reflect.PointerTo(typ).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "string"
	}
	switch typ.Kind() {
	case reflect.Struct:
		return "object"
	case reflect.Slice:
		return "array"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Int, reflect.Int64:
		return "integer"
	default:
		return typ.Kind().String()
	}
}
