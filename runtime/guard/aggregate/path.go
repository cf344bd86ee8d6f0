package aggregate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ohler55/ojg/jp"
)

// Path selects values of a document. It is safe for concurrent use.
type Path struct{ expression jp.Expr }

// NewPath reads a JSONPath such as $[*].id; the dollar may be missing.
func NewPath(text string) (*Path, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("the JSONPath is empty")
	}
	e, err := jp.ParseString(text)
	if err != nil {
		return nil, fmt.Errorf("the JSONPath %q cannot be read: %w", text, err)
	}
	return &Path{expression: e}, nil
}

// Document is a JSON text that values are selected from.
type Document struct{ root any }

// ErrNotJSON means that a document is none.
var ErrNotJSON = errors.New("the answer of the first member is not JSON")

// NewDocument reads a document. It fails with [ErrNotJSON].
func NewDocument(text []byte) (*Document, error) {
	root, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotJSON, err)
	}
	return &Document{root: root}, nil
}

// Select returns the selected values as texts, in the order of the document and
// each once, in the words of JToken.ToString: a text is its content, null
// nothing, true is True.
func (p *Path) Select(d *Document) (out []string, err error) {
	defer func() { // the library panics where a filter compares what has no order
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("select %s: %v", p.expression, r)
		}
	}()
	seen := map[string]bool{}
	for _, v := range p.expression.Get(d.root) {
		if text := textOf(v); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out, nil
}

func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		if v {
			return "True"
		}
		return "False"
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return floatText(v)
	case json.Number:
		return v.String()
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "" // what was decoded encodes
	}
	return string(text)
}

// floatText writes a number as Double.ToString of .NET does: shortest, with an
// exponent from 1E+15 on and below 0.0001.
func floatText(v float64) string {
	text := strconv.FormatFloat(v, 'E', -1, 64)
	mantissa, exponent, _ := strings.Cut(text, "E")
	n, err := strconv.Atoi(exponent)
	if err != nil || n < -5 || n >= 15 {
		return mantissa + "E" + exponent
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
