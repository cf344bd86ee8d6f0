package emit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"
)

// JSON writes what every route gets, for programs: an object, or an array of
// them for several results.
func JSON(w io.Writer, results []*Result, view View) error {
	return writeJSON(w, documents(results, view))
}

// document is what is written of one gateway: what stands before its routes,
// which are the last member and empty in it, and then these. One route after the
// other is made and written, so that a large gateway takes no more room than a
// small one.
type document struct {
	head   any
	routes iter.Seq[any]
}

func documents(results []*Result, view View) []document {
	all := make([]document, len(results))
	for i, r := range results {
		all[i] = document{r.record(), r.routeRecords(view)}
	}
	return all
}

func (r *Result) routeRecords(view View) iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, route := range Select(r, view.Route) {
			if !yield(r.routeRecord(route)) {
				return
			}
		}
	}
}

// writeJSON writes an only document as an object, others as an array.
func writeJSON(w io.Writer, documents []document) error {
	out := recordWriter{w: bufio.NewWriterSize(w, 1<<16)}
	if len(documents) == 1 {
		out.document(documents[0], "")
	} else {
		out.list(documents)
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

func (o *recordWriter) list(documents []document) {
	o.text("[")
	for i, d := range documents {
		o.text(separator(i) + "  ")
		o.document(d, "  ")
	}
	if len(documents) > 0 {
		o.text("\n")
	}
	o.text("]")
}

func (o *recordWriter) document(d document, indent string) {
	end := "]\n" + indent + "}"
	o.text(strings.TrimSuffix(o.encode(d.head, indent), end))
	written := 0
	for route := range d.routes {
		o.text(separator(written) + indent + "    ")
		o.text(o.encode(route, indent+"    "))
		written++
	}
	if written > 0 {
		o.text("\n" + indent + "  ")
	}
	o.text(end)
}

func separator(i int) string {
	if i == 0 {
		return "\n"
	}
	return ",\n"
}
