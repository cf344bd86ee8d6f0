package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/source"
)

func TestRead(t *testing.T) {
	s, found := Read(source.NewFile(Name, []byte(`{
		// the gateway of the shop
		"ocelot": "25.0", "provider": "polly", "schemes": [], "discovery": false,
		"rules": { "inactive-qos": "off", },
	}`)))
	if len(found) > 0 {
		t.Fatalf("got findings %v", found)
	}
	got := fmt.Sprintf("%s %s %v %t %v", s.Ocelot, s.Provider, s.Schemes != nil && len(s.Schemes) == 0, *s.Discovery, s.Rules)
	if want := "25.0 polly true false map[inactive-qos:off]"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	if got := s.RuleSpan("inactive-qos").Text(); got != `"inactive-qos"` {
		t.Errorf("place of a rule: got %q", got)
	}
}

func TestFindings(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty object", `{}`, ``},
		{"unknown name", `{"provder": "polly"}`, `1:2 "provder" is not a setting (did you mean "provider"?)`},
		{"letter case", `{"Provider": "polly"}`, `1:2 "Provider" is not a setting (did you mean "provider"?)`},
		{"unknown value", `{"provider": "pollly"}`, `1:14 "provider" is "pollly"; expected one of builtin, polly, none (did you mean "polly"?)`},
		{"number for a text", `{"env": 5}`, `1:9 "env" is 5; expected a text`},
		{"text for a number", `{"maxFileSize": "5"}`, `1:17 "maxFileSize" is "5"; expected a whole number from 1 on`},
		{"too small", `{"maxFileSize": 0}`, `1:17 "maxFileSize" is 0; expected a whole number from 1 on`},
		{"text for a boolean", `{"discovery": "no"}`, `1:15 "discovery" is "no"; expected true or false`},
		{"text for an array", `{"schemes": "Bearer"}`, `1:13 "schemes" is "Bearer"; expected an array of texts`},
		{"element", `{"schemes": ["a", 1]}`, `1:19 "schemes" is 1; expected a text`},
		{"empty name", `{"allowNames": [""]}`, `1:17 "allowNames" is ""; expected a text that is not empty`},
		{"ratio", `{"passiveHealth": {"failureRatio": 1.5}}`, `1:36 "failureRatio" is 1.5; expected a number above 0 and up to 1`},
		{"range", `{"passiveHealth": {"breakDuration": 0}}`, `1:37 "breakDuration" is 0; expected a whole number from 1 to 86400000`},
		{"unknown inside", `{"passiveHealth": {"breakDuraton": 5}}`, `1:20 "breakDuraton" is not a setting (did you mean "breakDuration"?)`},
		{"severity", `{"rules": {"inactive-qos": "warnin"}}`, `1:28 "inactive-qos" is "warnin"; expected one of error, warning, info, off (did you mean "warning"?)`},
		{"version", `{"ocelot": "latest"}`, `1:12 "latest" is no version of Ocelot; expected a number such as 25.0, 24.1, 24.0, 23.4, 23.2, 22.0 (leave it out for the documentation of 25.0)`},
		{"root", `[]`, `1:1 the file is an array; expected an object`},
		{"two", "{\"load\": 1,\n \"env\": 2}", "1:10 \"load\" is 1; expected a text that is not empty\n2:9 \"env\" is 2; expected a text"},
		{"broken", `{"env": }`, `1:9 *`},
		{"empty file", ``, `1:1 the file is empty: settings are an object in braces (write {} where nothing is to be set, or delete the file)`},
		{"only comments", "// none\n", `1:1 the file holds nothing but comments: settings are an object in braces (write {} where nothing is to be set, or delete the file)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, found := Read(source.NewFile(Name, []byte(tt.text)))
			var lines []string
			for _, f := range found {
				at := f.Span.Position()
				line := fmt.Sprintf("%d:%d %s", at.Line, at.Column, f.Message)
				if f.Help != "" {
					line += " (" + f.Help + ")"
				}
				lines = append(lines, line)
			}
			got := strings.Join(lines, "\n")
			if start, ok := strings.CutSuffix(tt.want, "*"); ok && strings.HasPrefix(got, start) {
				return
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestFindLooksUpwards(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(root, Name)
	if err := os.WriteFile(want, []byte(`{}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{root, deep, filepath.Join(deep, "ocelot.json"), filepath.Join(deep, "*.json")} {
		if got := Find(path); got != want {
			t.Errorf("from %s: got %q want %q", path, got, want)
		}
	}
	nearer := filepath.Join(deep, Name)
	if err := os.WriteFile(nearer, []byte(`{}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := Find(filepath.Join(deep, "ocelot.json")); got != nearer {
		t.Errorf("nearer: got %q want %q", got, nearer)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"provider": "polly", "rules": {"a": "off"}}`))
	f.Add([]byte(`{"schemes": [1, "a"], "x": {}}`))
	f.Add([]byte(`{"env": 1, "env": 2}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, found := Read(source.NewFile(Name, text))
		if s == nil {
			t.Fatal("got no settings")
		}
		for _, d := range found {
			if d.Span.File == nil || d.Span.Start > d.Span.End || d.Message == "" {
				t.Errorf("got a finding without a place or text: %+v", d)
			}
		}
	})
}
