package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// bindings is what a version of .NET made of a text.
type bindings struct {
	Bound     any
	BindError *struct{ Type string } `json:"bind_error"`
}

// TestOracleDotNetVersions: wherever a null makes .NET 8 lose something that
// 10 keeps, or the other way round, a finding says so.
func TestOracleDotNetVersions(t *testing.T) {
	var recorded struct {
		Different []struct {
			ID, Text string
			Net8     bindings
			Net10    bindings
		}
	}
	if err := json.Unmarshal(oracletest.Bytes(t, "load-dotnet-versions.json.gz"), &recorded); err != nil {
		t.Fatal(err)
	}
	tally := oracletest.NewTally("load-dotnet-versions")
	for _, c := range recorded.Different {
		if !strings.Contains(c.Text, "null") || !loses(c.Net8, c.Net10) {
			continue
		}
		if !reported(c.Text) {
			tally.Differ("null", c.ID, "nothing is said about %s", c.Text)
			continue
		}
		tally.Agree("null")
	}
	tally.Report(t)
}

// loses says whether one of two versions has something that the other has not:
// an error, or more elements in a list.
func loses(a, b bindings) bool {
	return (a.BindError == nil) != (b.BindError == nil) || elements(a.Bound) != elements(b.Bound)
}

func elements(v any) int {
	n := 0
	switch v := v.(type) {
	case []any:
		n = len(v)
		for _, item := range v {
			n += elements(item)
		}
	case map[string]any:
		for _, member := range v {
			n += elements(member)
		}
	}
	return n
}

// reported says whether a null, or a mistake that weighs more, is reported.
func reported(text string) bool {
	for _, d := range check(text, schema.CheckOptions{}) {
		if d.Rule == "null-value" || d.Rule == "type-mismatch" {
			return true
		}
	}
	return false
}
