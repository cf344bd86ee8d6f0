package emit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
)

// JSON writes what every route gets, for programs: an object, or an array of
// them for several results.
func JSON(w io.Writer, results []*Result, view View) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(records(results, view)); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

func records(results []*Result, view View) any {
	all := make([]*gatewayJSON, 0, len(results))
	for _, r := range results {
		all = append(all, r.record(view))
	}
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// MarshalJSON gives aggregates their own members.
func (r routeJSON) MarshalJSON() ([]byte, error) {
	var v any
	if r.members != nil {
		v = aggregateJSON{r.Kind, *r.Index, r.Name, r.members}
	} else {
		type plain routeJSON
		v = plain(r)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// YAML writes what JSON writes, as YAML: the members in the same order.
func YAML(w io.Writer, results []*Result, view View) error {
	var text bytes.Buffer
	if err := JSON(&text, results, view); err != nil {
		return err
	}
	return asYAML(w, text.Bytes())
}

// asYAML writes a JSON text as YAML.
func asYAML(w io.Writer, text []byte) error {
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return fmt.Errorf("write YAML: %w", err)
	}
	blockStyle(&node)
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	if err := enc.Encode(&node); err != nil {
		return fmt.Errorf("write YAML: %w", err)
	}
	return nil
}

// blockStyle takes away the braces and quotes that JSON, read as YAML, leaves
// on nodes. A string that would read as something else keeps its quotes.
func blockStyle(n *yaml.Node) {
	n.Style &^= yaml.FlowStyle
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		n.SetString(n.Value)
	}
	for _, child := range n.Content {
		blockStyle(child)
	}
}
