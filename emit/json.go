package emit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// JSON writes what every route gets, for programs: an object, or an array of
// them for several results. One route after the other is made and written, so
// that a large gateway takes no more room than a small one.
func JSON(w io.Writer, results []*Result, view View) error {
	out := recordWriter{w: bufio.NewWriterSize(w, 1<<16)}
	if len(results) == 1 {
		out.gateway(results[0], view, "")
	} else {
		out.list(results, view)
	}
	out.text("\n")
	if out.err == nil {
		out.err = out.w.Flush()
	}
	if out.err != nil {
		return fmt.Errorf("write JSON: %w", out.err)
	}
	return nil
}

// recordWriter writes records as an indenting encoder would write all of them at
// once. It keeps the first error.
type recordWriter struct {
	w   *bufio.Writer
	buf bytes.Buffer
	err error
}

func (o *recordWriter) text(text string) {
	if o.err == nil {
		_, o.err = o.w.WriteString(text)
	}
}

// encode returns the JSON of a value, each further line behind indent.
func (o *recordWriter) encode(v any, indent string) string {
	o.buf.Reset()
	enc := json.NewEncoder(&o.buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent(indent, "  ")
	if err := enc.Encode(v); err != nil && o.err == nil {
		o.err = err
	}
	return strings.TrimSuffix(o.buf.String(), "\n")
}

func (o *recordWriter) list(results []*Result, view View) {
	o.text("[")
	for i, r := range results {
		o.text(separator(i) + "  ")
		o.gateway(r, view, "  ")
	}
	if len(results) > 0 {
		o.text("\n")
	}
	o.text("]")
}

// gateway writes one gateway: what stands before its routes, which are the last
// member, and then these.
func (o *recordWriter) gateway(r *Result, view View, indent string) {
	routes := Select(r, view.Route)
	end := "[]\n" + indent + "}"
	head, last := strings.CutSuffix(o.encode(r.record(), indent), end)
	o.text(head)
	if len(routes) == 0 || !last {
		o.text(end)
		return
	}
	o.text("[")
	for i, route := range routes {
		o.text(separator(i) + indent + "    ")
		o.text(o.encode(r.routeRecord(route), indent+"    "))
	}
	o.text("\n" + indent + "  ]\n" + indent + "}")
}

func separator(i int) string {
	if i == 0 {
		return "\n"
	}
	return ",\n"
}
