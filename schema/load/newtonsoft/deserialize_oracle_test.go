package newtonsoft_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/load/newtonsoft"
	"github.com/margay-dev/margay/schema/model"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// recording is one record of load-newtonsoft.jsonl: what the administration
// API makes of a text.
type recording struct {
	ID, Text string
	Bound    json.RawMessage
	Error    *recordedError
}

type recordedError struct {
	Type, Message string
	Inner         *recordedError
}

func (e *recordedError) String() string {
	if e == nil {
		return "no error"
	}
	return e.Type + ": " + e.Message + " → " + e.Inner.String()
}

func errorText(e *newtonsoft.Error) string {
	if e == nil {
		return "no error"
	}
	return e.Type + ": " + e.Message + " → " + errorText(e.Inner)
}

func TestOracleDeserialize(t *testing.T) {
	tally := oracletest.NewTally("load-newtonsoft")
	oracletest.Each(t, "load-newtonsoft.jsonl.gz", func(rec recording) {
		group := strings.Join(strings.SplitN(rec.ID, ".", 3)[:2], ".")
		var tree syntax.Tree
		object, _, err := newtonsoft.Deserialize(&tree, source.NewFile("posted.json", []byte(rec.Text)), model.Root())
		if got, want := errorText(err), rec.Error.String(); got != want {
			tally.Differ(group, rec.ID, "error:\n got %s\nwant %s\nin %s", got, want, rec.Text)
			return
		}
		if err == nil {
			got, _ := json.Marshal(boundObject(&tree, object))
			want := canonical(rec.Bound)
			if got := canonical(got); got != want {
				tally.Differ(group, rec.ID, "bound:\n got %s\nwant %s\nin %s", got, want, rec.Text)
				return
			}
		}
		tally.Agree(group)
	})
	tally.Report(t)
}

func canonical(text []byte) string {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	out, _ := json.Marshal(v)
	return string(out)
}

// boundObject returns the members that differ from those of a new object.
func boundObject(tree *syntax.Tree, o *newtonsoft.Object) any {
	if o == nil {
		return nil
	}
	out := map[string]any{}
	for i := range o.Type.Members {
		m, v := &o.Type.Members[i], o.At(i)
		if !v.Set {
			continue
		}
		if value := boundValue(tree, m, v); !isNew(m, value) {
			out[m.Name] = value
		}
	}
	return out
}

func boundValue(tree *syntax.Tree, m *model.Member, v newtonsoft.Value) any {
	switch {
	case v.Scalar != 0:
		return scalar(tree, v.Scalar)
	case v.Object != nil:
		return boundObject(tree, v.Object)
	case m.Shape == model.Dictionary:
		out := map[string]any{}
		for _, item := range v.Items {
			out[tree.Key(item.Scalar)] = scalar(tree, item.Scalar)
		}
		return out
	}
	out := []any{}
	for _, item := range v.Items {
		switch {
		case item.Object != nil:
			out = append(out, boundObject(tree, item.Object))
		case item.Scalar != 0:
			out = append(out, scalar(tree, item.Scalar))
		default:
			out = append(out, item.Initial)
		}
	}
	return out
}

func scalar(tree *syntax.Tree, id syntax.ID) any {
	switch tree.Node(id).Kind {
	case syntax.Null:
		return nil
	case syntax.Number:
		if text := tree.Text(id); text != "-0.0" {
			return json.Number(strings.TrimSuffix(text, ".0"))
		}
		return json.Number("-0.0")
	case syntax.True, syntax.False:
		return tree.Node(id).Kind == syntax.True
	}
	return tree.Text(id)
}

// isNew says whether a value is what a new object holds.
func isNew(m *model.Member, value any) bool {
	if value == nil {
		return !m.Present
	}
	if !m.Present {
		return false
	}
	got, _ := json.Marshal(value)
	switch {
	case m.Shape == model.Dictionary || m.Object != nil && !m.Collection():
		return string(got) == "{}"
	case m.Collection():
		want, _ := json.Marshal(append([]string{}, m.Initial...))
		return string(got) == string(want)
	}
	return strings.Trim(string(got), `"`) == fmt.Sprint(strings.Join(m.Initial, ""))
}
