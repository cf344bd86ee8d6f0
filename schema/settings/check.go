package settings

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/syntax"
)

//go:embed settings.schema.json
var schemaText string

// address is the schema's own name, a URN so that nothing is ever fetched.
const address = "urn:margay:schema:settings"

// SchemaURL is where editors find the JSON Schema of the file; margay itself
// never fetches it.
const SchemaURL = "https://raw.githubusercontent.com/margay-dev/margay/main/schema/settings/settings.schema.json"

// JSONSchema returns the JSON Schema (draft-07) of the file.
func JSONSchema() []byte { return []byte(schemaText) }

var compiled = sync.OnceValue(func() *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft7
	c.ExtractAnnotations = true
	c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("load %s: not embedded", url) }
	if err := c.AddResource(address, strings.NewReader(schemaText)); err != nil {
		panic(fmt.Sprintf("settings: add the embedded schema: %v", err))
	}
	return c.MustCompile(address)
})

// check holds the file against the schema. The library's errors come in random
// order; findings come in the order of the file.
func (d *document) check(plain []byte) []diag.Diagnostic {
	var value any
	if err := json.Unmarshal(plain, &value); err != nil {
		return []diag.Diagnostic{d.finding(d.root, "the file is not JSON: "+err.Error())}
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](compiled().Validate(value))
	if !ok {
		return nil
	}
	var list diag.List
	for leaf := range leaves(invalid) {
		list.Add(d.describe(leaf)...)
	}
	return list.Sorted()
}

// leaves yields the errors that have no further cause.
func leaves(e *jsonschema.ValidationError) func(yield func(*jsonschema.ValidationError) bool) {
	return func(yield func(*jsonschema.ValidationError) bool) {
		if len(e.Causes) == 0 {
			yield(e)
			return
		}
		for _, cause := range e.Causes {
			for leaf := range leaves(cause) {
				if !yield(leaf) {
					return
				}
			}
		}
	}
}

// describe words one error of the library.
func (d *document) describe(e *jsonschema.ValidationError) []diag.Diagnostic {
	at, schema := d.root, compiled()
	name := "the file"
	for step := range strings.SplitSeq(strings.TrimPrefix(e.InstanceLocation, "/"), "/") {
		if step == "" {
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if at, schema = d.step(at, schema, step); at == 0 {
			return nil
		}
		if d.tree.Key(at) != "" {
			name = strconv.Quote(step)
		}
	}
	switch {
	case strings.HasSuffix(e.KeywordLocation, "/additionalProperties"):
		return d.unknown(at, schema)
	case strings.HasSuffix(e.KeywordLocation, "/required"):
		return d.missing(at, schema)
	}
	written := d.written(at)
	if strings.HasSuffix(e.KeywordLocation, "/minItems") {
		written = "an empty array"
	}
	f := d.finding(at, fmt.Sprintf("%s is %s; expected %s", name, written, expected(schema)))
	if near, ok := diag.Suggest(d.tree.Text(at), names(schema.Enum)); ok {
		f.Help = "did you mean " + strconv.Quote(near) + "?"
	}
	return []diag.Diagnostic{f}
}

// step goes one member or element down, in the text and in the schema.
func (d *document) step(at syntax.ID, schema *jsonschema.Schema, step string) (syntax.ID, *jsonschema.Schema) {
	if index, err := strconv.Atoi(step); err == nil && d.tree.Node(at).Kind == syntax.Array {
		items, _ := schema.Items.(*jsonschema.Schema)
		for id := range d.tree.Children(at) {
			if index == 0 {
				return id, items
			}
			index--
		}
	}
	if below := schema.Properties[step]; below != nil {
		return d.member(at, step), below
	}
	below, _ := schema.AdditionalProperties.(*jsonschema.Schema)
	return d.member(at, step), below
}

// unknown reports the members that the schema does not have.
func (d *document) unknown(at syntax.ID, schema *jsonschema.Schema) []diag.Diagnostic {
	known := slices.DeleteFunc(slices.Sorted(maps.Keys(schema.Properties)), func(name string) bool { return name == "$schema" })
	var found []diag.Diagnostic
	for id := range d.tree.Children(at) {
		key := d.tree.Key(id)
		if schema.Properties[key] != nil {
			continue
		}
		f := diag.Diagnostic{Rule: Rule, Severity: diag.Error, Message: fmt.Sprintf("%q is not a setting", key), Span: d.tree.KeySpan(id)}
		if near, ok := diag.Suggest(key, known); ok {
			f.Help = "did you mean " + strconv.Quote(near) + "?"
		} else {
			f.Help = "write one of " + strings.Join(known, ", ")
		}
		found = append(found, f)
	}
	return found
}

// missing reports the members that an object needs and does not have.
func (d *document) missing(at syntax.ID, schema *jsonschema.Schema) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, name := range schema.Required {
		if d.member(at, name) != 0 {
			continue
		}
		f := d.finding(at, strconv.Quote(name)+" is missing")
		f.Help = map[string]string{
			"files":  `write the patterns of the files that it is about: "files": ["legacy/**"]`,
			"rules":  `write the severities: "rules": { "RULE": "off" }`,
			"issuer": `write who signs the tokens: "issuer": "https://id.example"`,
		}[name]
		found = append(found, f)
	}
	return found
}

// written quotes a value as it stands in the file.
func (d *document) written(at syntax.ID) string {
	switch kind := d.tree.Node(at).Kind; kind {
	case syntax.String:
		return strconv.Quote(d.tree.Text(at))
	case syntax.Number:
		return d.tree.Text(at)
	default:
		return kind.String()
	}
}

// expected says what a schema takes.
func expected(s *jsonschema.Schema) string {
	switch {
	case len(s.Enum) > 0:
		return "one of " + strings.Join(names(s.Enum), ", ")
	case s.ExclusiveMinimum != nil:
		return "a number above " + s.ExclusiveMinimum.RatString() + " and up to " + s.Maximum.RatString()
	case s.Minimum != nil && s.Maximum != nil:
		return "a whole number from " + s.Minimum.RatString() + " to " + s.Maximum.RatString()
	case s.Minimum != nil:
		return "a whole number from " + s.Minimum.RatString() + " on"
	case s.MinLength > 0:
		return "a text that is not empty"
	case slices.Equal(s.Types, []string{"boolean"}):
		return "true or false"
	case slices.Equal(s.Types, []string{"array"}):
		return expectedArray(s)
	case slices.Equal(s.Types, []string{"object"}):
		return "an object"
	}
	return "a text"
}

func expectedArray(s *jsonschema.Schema) string {
	items, _ := s.Items.(*jsonschema.Schema)
	switch {
	case items != nil && slices.Equal(items.Types, []string{"object"}):
		return "an array of objects"
	case s.MinItems > 0:
		return "an array of texts that is not empty"
	}
	return "an array of texts"
}

func names(enum []any) []string {
	var out []string
	for _, v := range enum {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// checkVersion reports a text that is no number of a release.
func (s *Settings) checkVersion() []diag.Diagnostic {
	if s.Ocelot == "" {
		return nil
	}
	if _, ok := profile.Find(s.Ocelot); ok {
		return nil
	}
	f := s.document.finding(s.document.member(s.document.root, "ocelot"),
		fmt.Sprintf("%s is no version of Ocelot; expected a number such as %s", strconv.Quote(s.Ocelot), strings.Join(profile.Versions(), ", ")))
	f.Help = "leave it out for the documentation of 25.0"
	return []diag.Diagnostic{f}
}
