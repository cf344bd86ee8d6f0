package schema_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/profile"
)

// TestJSONFor: the schema of every release compiles, every reference included,
// and has the options of the release and no later ones.
func TestJSONFor(t *testing.T) {
	for _, version := range append(profile.Versions(), "23.3", "23.0") {
		p, _ := profile.Find(version)
		text := schema.JSONFor(p)
		c := jsonschema.NewCompiler()
		if err := c.AddResource("urn:test", bytes.NewReader(text)); err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		if _, err := c.Compile("urn:test"); err != nil {
			t.Errorf("%s: %v", version, err)
		}
		later := p.Names() != nil
		for name, isLater := range map[string]bool{`"BreakDuration"`: true, `"DurationOfBreak"`: false, `"deprecated"`: true, `"ResilienceOptions"`: false} {
			if got := bytes.Contains(text, []byte(name)); got != (!isLater || !later) {
				t.Errorf("%s: %s is there: %v", version, name, got)
			}
		}
	}
	if p, _ := profile.Find("25.0"); !bytes.Equal(schema.JSONFor(p), schema.JSON()) {
		t.Error("the schema of 25.0 is not the whole one")
	}
}

// TestJSONForAgreesWithFindings: what an editor underlines as unknown is what
// is reported as unknown.
func TestJSONForAgreesWithFindings(t *testing.T) {
	const text = `{"Routes":[{"UpstreamPathTemplate":"/a","Metadata":{},"QoSOptions":{"Timeout":1,"TimeoutValue":2}}],"GlobalConfiguration":{"Timeout":3,"CacheOptions":{}}}`
	for version, want := range map[string]string{
		"22.0": "Metadata Timeout Timeout CacheOptions", "23.3": "Timeout Timeout", "24.1": "",
	} {
		p, _ := profile.Find(version)
		var doc struct {
			Definitions map[string]struct{ Properties map[string]any }
		}
		if err := json.Unmarshal(schema.JSONFor(p), &doc); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, member := range []string{"Route.Metadata", "QoSOptions.Timeout", "GlobalConfiguration.Timeout", "GlobalConfiguration.CacheOptions"} {
			class, name, _ := strings.Cut(member, ".")
			if doc.Definitions[class].Properties[name] == nil {
				got = append(got, name)
			}
		}
		var found []string
		for _, d := range check(text, schema.CheckOptions{Profile: p}) {
			if d.Rule == "unknown-name" {
				found = append(found, d.Span.Text())
			}
		}
		if fmt.Sprint(strings.Join(got, " ")) != want || strings.ReplaceAll(strings.Join(found, " "), `"`, "") != want {
			t.Errorf("%s: the schema lacks %q, findings name %q, want %q", version, got, found, want)
		}
	}
}
