package emit

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// YAML writes what JSON writes, as YAML: the members in the same order.
func YAML(w io.Writer, results []*Result, view View) error {
	return writeYAML(w, documents(results, view))
}

// writeYAML writes an only document as a mapping, others as a sequence.
func writeYAML(w io.Writer, documents []document) error {
	out := yamlWriter{w: bufio.NewWriterSize(w, 1<<16)}
	switch len(documents) {
	case 0:
		out.write("", "", "[]\n")
	case 1:
		out.document(documents[0], "", "")
	default:
		for _, d := range documents {
			out.document(d, "- ", "  ")
		}
	}
	if out.err == nil {
		out.err = out.w.Flush()
	}
	if out.err != nil {
		return fmt.Errorf("write YAML: %w", out.err)
	}
	return nil
}

// yamlWriter writes records as an encoder would write all of them at once. It
// keeps the first error.
type yamlWriter struct {
	w      *bufio.Writer
	record recordWriter
	err    error
}

// write writes the lines of a YAML text, the first one behind first and all others
// behind rest.
func (o *yamlWriter) write(first, rest, text string) {
	indent := first
	for line := range strings.Lines(text) {
		if line != "\n" { // of a text of several lines
			line = indent + line
		}
		if indent = rest; o.err == nil {
			_, o.err = o.w.WriteString(line)
		}
	}
}

// encode returns the YAML of a value that is made for JSON.
func (o *yamlWriter) encode(v any) string {
	var b strings.Builder
	if err := asYAML(&b, []byte(o.record.encode(v, ""))); err != nil && o.err == nil {
		o.err = err
	}
	if o.err == nil {
		o.err = o.record.err
	}
	return b.String()
}

func (o *yamlWriter) document(d document, first, rest string) {
	const none = " []\n"
	head := strings.TrimSuffix(o.encode(d.head), none)
	written := false
	for route := range d.routes {
		if !written {
			o.write(first, rest, head+"\n")
		}
		o.write(rest+"  - ", rest+"    ", o.encode(route))
		written = true
	}
	if !written {
		o.write(first, rest, head+none)
	}
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
