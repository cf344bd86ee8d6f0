package emit_test

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/margay-dev/margay/emit"
)

// TestYAMLSaysWhatJSONSays reads both forms of one and of several gateways, with
// and without routes, with texts of several lines and such that look like something
// else.
func TestYAMLSaysWhatJSONSays(t *testing.T) {
	var all []*emit.Result
	for _, s := range screens {
		all = append(all, compilePath(t, s.input, s.by))
	}
	all = append(all, compile(t, "none.json", []byte(`{}`), emit.Options{}),
		compile(t, "odd.json", []byte(`{"Routes":[{"UpstreamPathTemplate":"/a\n\n /b","Key":"- x: y"},{"UpstreamPathTemplate":"no","Key":"null"}]}`), emit.Options{}))
	for _, some := range [][]*emit.Result{nil, all[:1], all[len(all)-2 : len(all)-1], all[len(all)-1:], all} {
		for _, view := range []emit.View{{}, {Route: "#1"}, {Route: "nothing"}} {
			want := parsed(t, json.Unmarshal, output(t, func(w io.Writer) error { return emit.JSON(w, some, view) }))
			got := parsed(t, yaml.Unmarshal, output(t, func(w io.Writer) error { return emit.YAML(w, some, view) }))
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%d gateways, route %q: got\n%v\nwant\n%v", len(some), view.Route, got, want)
			}
		}
	}
}

// parsed reads a text, and makes of its numbers and names what JSON makes of them.
func parsed(t *testing.T, read func([]byte, any) error, text string) any {
	t.Helper()
	var v, out any
	if err := read([]byte(text), &v); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	again, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(bytes.NewReader(again)).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}
