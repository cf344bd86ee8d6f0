package report_test

import (
	"os"

	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/schema/source"
)

func ExampleText() {
	file := source.NewFile("ocelot.json", []byte("{ \"Timeout\": \"5s\" }\n"))
	finding := diag.Diagnostic{
		Rule: "type-mismatch", Severity: diag.Error, Message: `"5s" is not a whole number`,
		Span: source.Span{File: file, Start: 13, End: 17}, Help: "write 5",
	}
	printer := report.Text(report.Options{Files: 1})
	if err := printer.Print(os.Stdout, []diag.Diagnostic{finding}); err != nil {
		panic(err)
	}
	// Output:
	// ocelot.json:1:14: error: "5s" is not a whole number [type-mismatch]
	//     1 | { "Timeout": "5s" }
	//       |              ^^^^
	//    help: write 5
	//
	// 1 file: 1 error
}
