package report_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/testdata/gatewaygen"
)

// BenchmarkPrint prints one finding a route, in a file as written and in one
// without line ends; the cost of a finding must not depend on their number.
func BenchmarkPrint(b *testing.B) {
	for _, routes := range []int{10, 1_000, 100_000} {
		text := gatewaygen.Bytes(routes, 1)
		for name, text := range map[string][]byte{"lines": text, "minified": bytes.ReplaceAll(text, []byte("\n"), []byte(" "))} {
			ds := oneEach(text)
			for _, format := range report.Formats() {
				b.Run(fmt.Sprintf("%s/%s/findings=%d", format, name, routes), func(b *testing.B) {
					printer, _ := report.New(format, report.Options{})
					b.ReportAllocs()
					for b.Loop() {
						if err := printer.Print(io.Discard, ds); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(ds)), "ns/finding")
				})
			}
		}
	}
}

// oneEach returns a finding on the key of every route.
func oneEach(text []byte) []diag.Diagnostic {
	file := source.NewFile("ocelot.json", text)
	var list diag.List
	name := []byte(`"Key"`)
	for at := bytes.Index(text, name); at >= 0; {
		list.Add(diag.Diagnostic{
			Rule: "rule", Severity: diag.Warning, Message: "a message of ordinary length about a value", Help: "write another",
			Span: source.Span{File: file, Start: at, End: at + len(name)},
		})
		next := bytes.Index(text[at+1:], name)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return list.Sorted()
}
