package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"path/filepath"
	stdruntime "runtime"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/schema/diag/report"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestCorpusFormats reports on all real files in every format: the same bytes
// from run to run, whatever runs side by side, and valid by the format's own
// schema.
func TestCorpusFormats(t *testing.T) {
	t.Chdir(oracletest.CorpusDir(t))
	files, _ := filepath.Glob("*.json")
	for _, format := range report.Formats() {
		t.Run(format, func(t *testing.T) {
			args := append([]string{"lint", "--config=", "--detect=false", "--severity", "info", "--format", format}, files...)
			first := reported(t, args)
			for _, processors := range []int{1, 4} {
				before := stdruntime.GOMAXPROCS(processors)
				again := reported(t, args)
				stdruntime.GOMAXPROCS(before)
				if !bytes.Equal(again, first) {
					t.Errorf("another run on %d processors prints something else", processors)
				}
			}
			if check := formatChecks()[format]; check != nil {
				check(t, first)
			}
		})
	}
}

func reported(t *testing.T, args []string) []byte {
	t.Helper()
	var out, problems bytes.Buffer
	if status := run(args, nil, &out, &problems); status == exitTrouble {
		t.Fatal(problems.String())
	}
	return out.Bytes()
}

// formatChecks hold an output against the schema of its format.
func formatChecks() map[string]func(*testing.T, []byte) {
	return map[string]func(*testing.T, []byte){
		"json": func(t *testing.T, text []byte) {
			schema, err := jsonschema.CompileString("findings.schema.json", string(report.JSONSchema()))
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if err := json.Unmarshal(text, &v); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Error(err)
			}
		},
		"sarif": func(t *testing.T, text []byte) {
			log, err := sarif.FromBytes(text, sarif.WithStrictValidation())
			if err != nil {
				t.Fatal(err)
			}
			if err := log.Validate(); err != nil {
				t.Error(err)
			}
		},
		"junit": func(t *testing.T, text []byte) {
			var v struct {
				XMLName xml.Name `xml:"testsuites"`
				Tests   int      `xml:"tests,attr"`
			}
			if err := xml.Unmarshal(text, &v); err != nil || v.Tests == 0 {
				t.Errorf("got %d tests, %v", v.Tests, err)
			}
		},
		"gitlab": func(t *testing.T, text []byte) {
			var v []map[string]any
			if err := json.Unmarshal(text, &v); err != nil || len(v) == 0 {
				t.Errorf("got %d issues, %v", len(v), err)
			}
		},
	}
}
