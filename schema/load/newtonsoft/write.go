package newtonsoft

import (
	"bytes"
	"strings"

	"github.com/margay-dev/margay/schema/syntax"
)

// Write returns a value as the library writes it with Formatting.Indented: two
// blanks a level, line feeds, scalars in the library's own form.
func Write(tree *syntax.Tree, id syntax.ID) []byte {
	w := writer{tree: tree}
	w.value(id)
	return w.out.Bytes()
}

// WriteCompact returns a value as the library writes it with Formatting.None:
// without any blanks.
func WriteCompact(tree *syntax.Tree, id syntax.ID) []byte {
	w := writer{tree: tree, compact: true}
	w.value(id)
	return w.out.Bytes()
}

type writer struct {
	tree    *syntax.Tree
	out     bytes.Buffer
	level   int
	compact bool
}

func (w *writer) value(id syntax.ID) {
	switch w.tree.Node(id).Kind {
	case syntax.Object:
		w.container(id, '{', '}')
	case syntax.Array:
		w.container(id, '[', ']')
	case syntax.Bad:
		w.script(id)
	default:
		w.scalar(id)
	}
}

func (w *writer) container(id syntax.ID, open, end byte) {
	w.out.WriteByte(open)
	w.level++
	first := true
	for child := range w.tree.Children(id) {
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		w.newLine()
		if open == '{' {
			w.quoted(w.tree.Key(child))
			w.out.WriteByte(':')
			if !w.compact {
				w.out.WriteByte(' ')
			}
		}
		w.value(child)
	}
	w.level--
	if !first {
		w.newLine()
	}
	w.out.WriteByte(end)
}

// script writes JavaScript's undefined, or a constructor with its arguments.
func (w *writer) script(id syntax.ID) {
	word := w.tree.Text(id)
	w.out.WriteString(word)
	if !strings.HasPrefix(word, constructorPrefix) {
		return
	}
	w.container(id, '(', ')')
	if w.tree.Node(id).First == 0 {
		// An empty constructor is closed on a line of its own.
		w.out.Truncate(w.out.Len() - 1)
		w.newLine()
		w.out.WriteByte(')')
	}
}

func (w *writer) newLine() {
	if w.compact {
		return
	}
	w.out.WriteByte('\n')
	for range w.level {
		w.out.WriteString("  ")
	}
}

func (w *writer) scalar(id syntax.ID) {
	switch n := w.tree.Node(id); n.Kind {
	case syntax.String:
		w.quoted(w.tree.Text(id))
	case syntax.Null:
		w.out.WriteString("null")
	case syntax.True:
		w.out.WriteString("true")
	case syntax.False:
		w.out.WriteString("false")
	default:
		w.out.WriteString(w.tree.Text(id))
	}
}

func (w *writer) quoted(s string) {
	w.out.WriteByte('"')
	writeEscaped(&w.out, s, '"')
	w.out.WriteByte('"')
}

// textWriter is what strings.Builder and bytes.Buffer have in common.
type textWriter interface {
	WriteByte(c byte) error
	WriteString(s string) (int, error)
}

// writeEscaped writes a string with the escapes that the library uses within
// the given quotes.
func writeEscaped(w textWriter, s string, quote byte) {
	const hex = "0123456789abcdef"
	from := 0
	for i, c := range s {
		escape := ""
		switch {
		case c == rune(quote):
			escape = `\` + string(quote)
		case c == '\\':
			escape = `\\`
		case c == '\u0085', c == '\u2028', c == '\u2029':
			escape = map[rune]string{'\u0085': `\u0085`, '\u2028': `\u2028`, '\u2029': `\u2029`}[c]
		case c >= ' ':
			continue
		case c == '\t':
			escape = `\t`
		case c == '\n':
			escape = `\n`
		case c == '\r':
			escape = `\r`
		case c == '\f':
			escape = `\f`
		case c == '\b':
			escape = `\b`
		default:
			escape = `\u00` + string(hex[c>>4]) + string(hex[c&15])
		}
		w.WriteString(s[from:i])
		w.WriteString(escape)
		from = i + len(string(c))
	}
	w.WriteString(s[from:])
}
