package schema

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/schema/convert"
)

//go:embed ocelot.schema.json
var document string

// address is the schema's own name. It is a URN, so that no message of the
// library can show a path of the machine and nothing is ever fetched.
const address = "urn:margay:schema:ocelot"

// JSON returns the JSON Schema (draft-07) of an Ocelot 25.0 configuration with
// ResilienceOptions: every property with title, description, unit and default.
func JSON() []byte { return []byte(document) }

// library returns the compiled schemas of a whole configuration ("") and of
// its classes, by name. Compiling happens once, and only if something has to
// be said.
var library = sync.OnceValue(func() func(class string) *jsonschema.Schema {
	c := jsonschema.NewCompiler()
	c.Draft = jsonschema.Draft7
	c.AssertFormat = true
	c.Formats = formats()
	c.LoadURL = func(url string) (io.ReadCloser, error) { return nil, fmt.Errorf("load %s: not embedded", url) }
	if err := c.AddResource(address, strings.NewReader(document)); err != nil {
		panic(fmt.Sprintf("schema: add the embedded schema: %v", err))
	}
	compiled := map[string]*jsonschema.Schema{"": c.MustCompile(address)}
	for class := range shapes().classes {
		compiled[class] = c.MustCompile(address + "#/definitions/" + class)
	}
	return func(class string) *jsonschema.Schema { return compiled[class] }
})

// texts are the formats of scalars: whether .NET converts a text. They see
// numbers as they are written.
var texts = map[string]func(text string) bool{
	"int32":            func(text string) bool { _, ok := convert.Int32(text); return ok },
	"optional-int32":   func(text string) bool { _, ok := convert.Int32(text); return ok || text == "" },
	"optional-int64":   func(text string) bool { _, ok := convert.Int64(text); return ok || text == "" },
	"optional-double":  func(text string) bool { _, ok := convert.Double(text); return ok || text == "" },
	"boolean":          func(text string) bool { _, ok := convert.Bool(text); return ok },
	"optional-boolean": func(text string) bool { _, ok := convert.Bool(text); return ok || text == "" },
	"char":             func(text string) bool { _, ok := convert.Char(text); return ok },
	"status-codes":     isStatusCodes,
}

// formats returns the formats in the form of the library.
func formats() map[string]func(any) bool {
	out := make(map[string]func(any) bool, len(texts))
	for name, check := range texts {
		out[name] = func(v any) bool {
			switch v := v.(type) {
			case string:
				return check(v)
			case json.Number:
				return check(string(v))
			}
			return true
		}
	}
	return out
}

// isStatusCodes says whether a text is a status code or a class such as "5xx".
func isStatusCodes(text string) bool {
	if len(text) == 3 && strings.EqualFold(text[1:], "xx") && '1' <= text[0] && text[0] <= '9' {
		return true
	}
	_, ok := convert.Int32(text)
	return ok
}
