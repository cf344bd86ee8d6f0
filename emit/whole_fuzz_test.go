package emit_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/runtime/plan"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/oracletest"
	"github.com/margay-dev/margay/validate/rules"
)

// FuzzWhole runs every stage over any text: nothing panics, every finding
// points into the text, a plan that is written can be read, and the same text
// gives the same bytes again.
func FuzzWhole(f *testing.F) {
	seeds := 0
	for _, text := range []string{"", "{}", `{"Routes":[{}]}`, `{"Routes":[{"UpstreamPathTemplate":"/a/{b}","DownstreamPathTemplate":"/{b}",` +
		`"DownstreamHostAndPorts":[{"Host":"h","Port":1}],"QoSOptions":{"MinimumThroughput":3,"Timeout":5}}],"GlobalConfiguration":{"QoSOptions":{"RouteKeys":["k"],"FailureRatio":0.5}}}`} {
		f.Add([]byte(text), true)
	}
	oracletest.Each(f, "load.jsonl.gz", func(rec struct{ Files map[string]string }) {
		text := rec.Files["ocelot.json"]
		if seeds++; seeds%400 == 0 {
			f.Add([]byte(text), seeds%800 == 0)
		}
	})
	all := rules.All()
	f.Fuzz(func(t *testing.T, text []byte, program bool) {
		opts := emit.Options{Rules: all}
		if program {
			versions := profile.Versions()
			opts.Profile = profile.Profile{Version: versions[len(text)%len(versions)], Provider: profile.Polly}
		}
		first, second := whole(t, text, opts), whole(t, text, opts)
		if !bytes.Equal(first, second) {
			t.Errorf("the same text gives\n%s\nand\n%s", first, second)
		}
	})
}

// whole returns everything that margay prints about a text.
func whole(t *testing.T, text []byte, opts emit.Options) []byte {
	t.Helper()
	r, err := emit.Compile(context.Background(), load.Input{Name: "ocelot.json", File: source.NewFile("ocelot.json", text)}, opts)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for i := range r.Findings {
		d := &r.Findings[i]
		if d.Span.File != nil && (d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > len(d.Span.File.Text)) {
			t.Fatalf("the finding %q has the place %d-%d", d.Message, d.Span.Start, d.Span.End)
		}
		out.WriteString(d.Rule + d.Message + d.Span.Text() + "\n")
	}
	if err := emit.JSON(&out, []*emit.Result{r}, emit.View{}); err != nil {
		t.Fatal(err)
	}
	if err := emit.Table(&out, []*emit.Result{r}, emit.View{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if p, _ := emit.Plan(r); p != nil {
		at := out.Len()
		if err := p.Encode(&out); err != nil {
			t.Fatal(err)
		}
		if _, err := plan.Decode(bytes.NewReader(out.Bytes()[at:])); err != nil {
			t.Fatalf("the plan cannot be read again: %v", err)
		}
	}
	return out.Bytes()
}
