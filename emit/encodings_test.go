package emit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/validate/rules"
)

// TestSpansCutTheSameTextInEveryEncoding takes the spans that machine formats
// write and cuts them out of the bytes on disk: whatever the encoding, what
// comes out is the text that the spans of a plain file stand for.
func TestSpansCutTheSameTextInEveryEncoding(t *testing.T) {
	text, err := os.ReadFile("../testdata/views/odd.json")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("{"), []byte("{ // 😀 ä\n"), 1)
	plain := cutSpans(t, source.UTF8, text)
	if len(plain) < 20 {
		t.Fatalf("got %d spans, want some dozens", len(plain))
	}
	for _, encoding := range []source.Encoding{source.UTF8BOM, source.UTF16LE, source.UTF16BE, source.UTF32LE, source.UTF32BE} {
		got := cutSpans(t, encoding, text)
		if !slices.Equal(got, plain) {
			for i := range min(len(got), len(plain)) {
				if got[i] != plain[i] {
					t.Errorf("%s: span %d cuts %+v, want %+v", encoding, i, got[i], plain[i])
					break
				}
			}
			t.Errorf("%s: got %d spans, want %d equal ones", encoding, len(got), len(plain))
		}
	}
}

// cut is a span without its offsets, and the text that these delimit.
type cut struct {
	line, column, endLine, endColumn int
	text                             string
}

// cutSpans writes a gateway that is stored in an encoding in all machine
// formats and cuts out every span.
func cutSpans(t *testing.T, encoding source.Encoding, text []byte) []cut {
	t.Helper()
	raw := encoding.Encode(text)
	in := load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", raw)}
	r, err := emit.Compile(context.Background(), in, emit.Options{Rules: rules.All()})
	if err != nil {
		t.Fatal(err)
	}
	var resolved, findings bytes.Buffer
	if err := emit.JSON(&resolved, []*emit.Result{r}, emit.View{}); err != nil {
		t.Fatal(err)
	}
	printer, _ := report.New("json", report.Options{})
	if err := printer.Print(&findings, r.Findings); err != nil {
		t.Fatal(err)
	}
	var cuts []cut
	for _, out := range [][]byte{resolved.Bytes(), findings.Bytes()} {
		var v any
		if err := json.Unmarshal(out, &v); err != nil {
			t.Fatal(err)
		}
		eachSpan(v, func(s report.Span) {
			part := slices.Concat([]byte(encoding.Mark()), raw[s.Offset:s.Offset+s.Length])
			cuts = append(cuts, cut{s.Line, s.Column, s.EndLine, s.EndColumn, string(source.NewFile("part", part).Text)})
		})
	}
	return cuts
}

// eachSpan finds the objects that look like spans, in the order of their keys.
func eachSpan(v any, f func(report.Span)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			eachSpan(item, f)
		}
	case map[string]any:
		if offset, ok := v["offset"].(float64); ok {
			number := func(name string) int { return int(v[name].(float64)) }
			f(report.Span{Line: number("line"), Column: number("column"), EndLine: number("endLine"), EndColumn: number("endColumn"), Offset: int(offset), Length: number("length")})
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			eachSpan(v[key], f)
		}
	}
}
