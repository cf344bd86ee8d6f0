package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/margay-dev/margay/schema/profile"
)

// JSONFor returns the JSON Schema for an editor of a configuration that the
// profile's release reads: without the options that came later, and without the
// notes that call others deprecated. What the newest release knows is in JSON.
func JSONFor(p profile.Profile) []byte {
	names := p.Names()
	if names == nil {
		return JSON()
	}
	w := writer{later: map[string]bool{}, release: p.Reader()}
	if err := json.Unmarshal([]byte(document), &w.whole); err != nil {
		panic(fmt.Sprintf("schema: read the embedded schema: %v", err))
	}
	w.collect(shapes().root, names)
	w.value(json.RawMessage(strings.TrimSpace(document)), nil)
	var out bytes.Buffer
	if err := json.Indent(&out, w.out.Bytes(), "", "  "); err != nil {
		panic(fmt.Sprintf("schema: write the schema of %s: %v", p.Number(), err))
	}
	return append(out.Bytes(), '\n')
}

// writer writes the document again without what a release does not know.
type writer struct {
	// later are the properties that came later: "Route.Metadata".
	later   map[string]bool
	release string
	whole   struct {
		Definitions map[string]struct{ Properties map[string]json.RawMessage }
	}
	out bytes.Buffer
}

// collect finds the properties that are not read, by the class that has them.
func (w *writer) collect(s *shape, names *profile.Names) {
	if names.Items != nil && s.isList() {
		w.collect(s.items, names.Items)
	}
	for i, name := range s.names {
		switch member := names.Member(name); {
		case member == nil:
		case member.Reading == profile.Unread:
			w.later[s.class+"."+name] = true
		default:
			w.collect(s.members[i], member)
		}
	}
}

// skips says whether the member at a path is left out: a property that came
// later, and what calls a name deprecated, as 24.1 was the first to do.
func (w *writer) skips(path []string) bool {
	n := len(path)
	if n == 4 && path[0] == "definitions" && path[2] == "properties" {
		return w.later[path[1]+"."+path[3]]
	}
	return path[n-1] == "deprecated" || path[n-1] == "deprecationMessage"
}

// referred returns the property that a value refers to, where that is left out
// at its own place; else the value.
func (w *writer) referred(raw json.RawMessage) json.RawMessage {
	var to struct {
		Ref string `json:"$ref"`
	}
	if json.Unmarshal(raw, &to) != nil || to.Ref == "" {
		return raw
	}
	class, name, ok := strings.Cut(strings.TrimPrefix(to.Ref, "#/definitions/"), "/properties/")
	if !ok || !w.later[class+"."+name] {
		return raw
	}
	return w.referred(w.whole.Definitions[class].Properties[name])
}

// value writes a value, members in their order.
func (w *writer) value(raw json.RawMessage, path []string) {
	if raw[0] == '{' {
		raw = w.referred(raw)
	}
	if raw[0] != '{' {
		w.out.Write(raw)
		return
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	_, _ = d.Token() // the brace
	w.out.WriteByte('{')
	for first := true; d.More(); {
		key, _ := d.Token()
		var member json.RawMessage
		if err := d.Decode(&member); err != nil {
			panic(fmt.Sprintf("schema: read the embedded schema: %v", err))
		}
		inner := append(path[:len(path):len(path)], key.(string))
		if w.skips(inner) {
			continue
		}
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		fmt.Fprintf(&w.out, "%q:", key)
		switch {
		case len(inner) == 1 && key == "$id":
			member = json.RawMessage(fmt.Sprintf("%q", address+":"+w.release))
		case len(inner) == 1 && key == "description":
			member = bytes.Replace(member, []byte("Ocelot 25.0"), []byte("Ocelot "+w.release), 1)
		}
		w.value(member, inner)
	}
	w.out.WriteByte('}')
}
