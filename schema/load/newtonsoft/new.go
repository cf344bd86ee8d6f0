package newtonsoft

import (
	"bytes"

	"github.com/margay-dev/margay/schema/model"
)

// WriteNew returns a new object of a type as the library writes it with
// Formatting.Indented: every member, unset ones as null.
func WriteNew(t *model.Type) []byte {
	w := newWriter{}
	w.object(t)
	return w.out.Bytes()
}

// newWriter writes objects that nothing was read into.
type newWriter struct {
	out   bytes.Buffer
	level int
}

func (w *newWriter) object(t *model.Type) {
	w.open('{')
	first := true
	for i := range t.Members {
		m := &t.Members[i]
		if m.Is(model.NotInJSON) {
			continue
		}
		w.separate(first)
		first = false
		w.out.WriteString(`"` + m.Name + `": `)
		w.member(m)
	}
	w.end('}', first)
}

func (w *newWriter) member(m *model.Member) {
	switch {
	case !m.Present:
		w.out.WriteString("null")
	case m.Shape == model.Dictionary:
		w.out.WriteString("{}")
	case m.Collection():
		w.open('[')
		for i, element := range m.Initial {
			w.separate(i == 0)
			w.quoted(element)
		}
		w.end(']', len(m.Initial) == 0)
	case m.Object != nil:
		w.object(m.Object)
	case m.Scalar == model.String:
		w.quoted(m.Initial[0])
	default:
		w.out.WriteString(m.Initial[0])
	}
}

func (w *newWriter) open(c byte) {
	w.out.WriteByte(c)
	w.level++
}

func (w *newWriter) separate(first bool) {
	if !first {
		w.out.WriteByte(',')
	}
	w.newLine()
}

func (w *newWriter) end(c byte, empty bool) {
	w.level--
	if !empty {
		w.newLine()
	}
	w.out.WriteByte(c)
}

func (w *newWriter) newLine() {
	w.out.WriteByte('\n')
	for range w.level {
		w.out.WriteString("  ")
	}
}

func (w *newWriter) quoted(s string) {
	w.out.WriteByte('"')
	writeEscaped(&w.out, s, '"')
	w.out.WriteByte('"')
}
