package emit_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/unified"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/gatewaygen"
	"github.com/margay-dev/margay/validate/rules"
)

// TestOutputDoesNotDependOnOrder compiles gateways again and again, with rules in
// another order and another number of workers, and wants the same bytes.
func TestOutputDoesNotDependOnOrder(t *testing.T) {
	texts := map[string][]byte{"many of the same": manyMistakes()}
	for _, pattern := range []string{"../testdata/gateways/*/*.json", "../testdata/views/*.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.Base(file)] = text
		}
	}
	chance := rand.New(rand.NewPCG(1, 2))
	for name, text := range texts {
		var first []byte
		for n := range 10 {
			shuffled := rules.All()
			chance.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			got := allFormats(t, name, text, emit.Options{Rules: shuffled, Workers: n})
			if n == 0 {
				first = got
			} else if !bytes.Equal(got, first) {
				t.Fatalf("%s: run %d gives another output:\n%s", name, n, unified.Diff("first", "now", string(first), string(got)))
			}
		}
	}
}

// manyMistakes is a gateway in several blocks whose routes share mistakes of the
// global section and have some of their own.
func manyMistakes() []byte {
	text := string(gatewaygen.Bytes(700, 3))
	text = strings.Replace(text, `"BreakDuration": 5000`, `"BreakDuration": 50, "SamplingDuration": 9000`, 1)
	text = strings.Replace(text, `"GlobalConfiguration": {`, `"GlobalConfiguration": { "ResilienceOptions": { "Retry": { "MaxRetryAttempts": 9 }, "Chaos": { "Fault": { "InjectionRate": 0.5 } } },`, 1)
	text = strings.ReplaceAll(text, `"Port": 8001`, `"Port": 0`)
	text = strings.ReplaceAll(text, `"Timeout": 45`, `"Timeout": 45000`)
	return []byte(strings.ReplaceAll(text, `"BreakDuration": 3000`, `"DurationOfBreak": 3000`))
}

// allFormats writes findings and records.
func allFormats(t *testing.T, name string, text []byte, opts emit.Options) []byte {
	t.Helper()
	r, err := emit.Compile(context.Background(), load.Input{Name: name, File: source.NewFile(name, text)}, opts)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, format := range []string{"text", "json", "sarif"} {
		printer, ok := report.New(format, report.Options{})
		if !ok {
			t.Fatalf("there is no report %s", format)
		}
		if err := printer.Print(&out, r.Findings); err != nil {
			t.Fatal(err)
		}
	}
	if err := emit.JSON(&out, []*emit.Result{r}, emit.View{}); err != nil {
		t.Fatal(err)
	}
	if p, _ := emit.Plan(r); p != nil {
		if err := p.Encode(&out); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}
