package syntax_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/source"
	"github.com/margay-dev/margay/schema/syntax"
	"github.com/margay-dev/margay/testdata/oracletest"
)

type recordedError struct {
	Type    string
	Message string
	Inner   *recordedError
}

// TestOracleSyntax holds every recorded single file against Parse: .NET and
// margay agree on what is JSON, and on the words where it is not.
func TestOracleSyntax(t *testing.T) {
	type record struct {
		ID         string
		Group      string
		Mode       string
		Files      map[string]string
		FileBase64 map[string]string `json:"file_base64"`
		Expect     struct {
			LoadError *recordedError `json:"load_error"`
		}
	}
	tally := oracletest.NewTally("load.jsonl.gz, syntax")
	oracletest.Each(t, "load.jsonl.gz", func(rec record) {
		text, ok := rec.Files["ocelot.json"]
		if raw, err := base64.StdEncoding.DecodeString(rec.FileBase64["ocelot.json"]); err == nil && len(raw) > 0 {
			text, ok = string(raw), true
		}
		if rec.Mode != "file" || !ok {
			return
		}
		cause := rec.Expect.LoadError
		for cause != nil && cause.Inner != nil {
			cause = cause.Inner
		}
		if cause != nil && strings.HasPrefix(cause.Message, "A duplicate key") {
			cause = nil // a question of keys, not of syntax
		}
		doc := syntax.Parse(&syntax.Tree{}, source.NewFile("ocelot.json", []byte(text)))
		got := doc.Stop()
		switch {
		case cause == nil && got == nil:
			tally.Agree(rec.Group)
		case cause == nil:
			tally.Differ(rec.Group, rec.ID, "%q: .NET takes it, got %q", text, got.Message)
		case got == nil:
			tally.Differ(rec.Group, rec.ID, "%q: got no defect, want %q", text, cause.Message)
		case got.Net != cause.Message || got.Phase.Exception() != cause.Type:
			tally.Differ(rec.Group, rec.ID, "%q:\n got %s %q\nwant %s %q", text, got.Phase.Exception(), got.Net, cause.Type, cause.Message)
		default:
			tally.Agree(rec.Group)
		}
	})
	tally.Report(t)
}
