package schema_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/source"
)

func TestSyntaxErrorQuotesDotNet(t *testing.T) {
	got := check(`{"Routes":[] "x":1}`, schema.CheckOptions{})
	if len(got) != 1 || got[0].Rule != "syntax-error" || !strings.Contains(got[0].Ocelot, "LineNumber: 0 | BytePositionInLine: 13") {
		t.Errorf("got %+v, want one syntax-error with .NET's text", got)
	}
}

// TestMergeLetsThrough: Newtonsoft takes a constructor, writes it into the
// merged file, and .NET's reader stops there.
func TestMergeLetsThrough(t *testing.T) {
	got := checkFolder(t, map[string]string{"ocelot.a.json": `{"Routes":[{"Key":new Date(1)}]}`}, load.Merge{})
	for _, d := range got {
		if d.Rule == "syntax-error" && strings.Contains(d.Message, "lets it through") && d.Span.File.Name == "gw/ocelot.a.json" {
			return
		}
	}
	t.Errorf("got %+v, want a syntax-error on the part", got)
}

func checkFolder(t *testing.T, files map[string]string, merge load.Merge) []diag.Diagnostic {
	t.Helper()
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	res, err := load.Run(load.Folder{FS: folder, Name: "gw"}, []load.Provider{merge}, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := schema.Decode(res.Tree, res.Bound, schema.DecodeOptions{})
	findings, _ := schema.Check(res, cfg, schema.CheckOptions{})
	return findings.Sorted()
}

func TestInvalidEncoding(t *testing.T) {
	text := "{\"Routes\":[{\"Key\":\"a\xffb\xfe\"}]}"
	got := check(text, schema.CheckOptions{})
	want := "bytes here and in one more place are not UTF-8"
	if len(got) != 1 || got[0].Rule != "invalid-encoding" || got[0].Message != want {
		t.Errorf("got %+v, want one finding: %s", got, want)
	}
}

func TestSectionThatDoesNotExist(t *testing.T) {
	opts := load.Options{Section: "Ocelot"}
	res := load.Single(source.NewFile("appsettings.json", []byte(`{"Routes":[]}`)), opts)
	cfg := schema.Decode(res.Tree, res.Bound, schema.DecodeOptions{Section: res.Section})
	findings, _ := schema.Check(res, cfg, schema.CheckOptions{})
	got := findings.Sorted()
	if len(got) != 1 || got[0].Rule != "not-ocelot" || got[0].Message != `there is no section "Ocelot"` {
		t.Errorf("got %+v, want not-ocelot about the section", got)
	}
}

// TestApplicationSettingsAreNotJudged: appsettings.json holds whatever the
// application needs beside Ocelot's sections.
func TestApplicationSettingsAreNotJudged(t *testing.T) {
	text := `{"Routes":[],"QoSOptions":{"Timeout":5},"Route":{"a":1}}`
	for name, want := range map[string]int{"ocelot.json": 2, "conf/appsettings.Production.json": 0} {
		res := load.Single(source.NewFile(name, []byte(text)), load.Options{})
		findings, _ := schema.Check(res, schema.Decode(res.Tree, res.Bound, schema.DecodeOptions{}), schema.CheckOptions{})
		if got := findings.Sorted(); len(got) != want {
			t.Errorf("%s: got %v, want %d findings", name, got, want)
		}
	}
}
