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
		{"far from all inside", `{"passiveHealth": {"zzzzzz": 5}}`, `1:20 "zzzzzz" is not a setting (write one of breakDuration, failureRatio, minimumThroughput, samplingDuration)`},
		{"no address", `{"services": {"a": []}}`, `1:20 "a" is an empty array; expected an array of texts that is not empty`},
		{"unknown inside", `{"passiveHealth": {"breakDuraton": 5}}`, `1:20 "breakDuraton" is not a setting (did you mean "breakDuration"?)`},
		{"severity", `{"rules": {"inactive-qos": "warnin"}}`, `1:28 "inactive-qos" is "warnin"; expected one of error, warning, info, off (did you mean "warning"?)`},
		{"override that is no object", `{"overrides": {}}`, `1:15 "overrides" is an object; expected an array of objects`},
		{"override without files", `{"overrides": [{"rules": {}}]}`, `1:16 "files" is missing (write the patterns of the files that it is about: "files": ["legacy/**"])`},
		{"override without rules", `{"overrides": [{"files": ["a"]}]}`, `1:16 "rules" is missing (write the severities: "rules": { "RULE": "off" })`},
		{"override of no file", `{"overrides": [{"files": [], "rules": {}}]}`, `1:26 "files" is an empty array; expected an array of texts that is not empty`},
		{"one pattern without array", `{"overrides": [{"files": "a", "rules": {}}]}`, `1:26 "files" is "a"; expected an array of texts that is not empty`},
		{"unknown in override", `{"overrides": [{"file": ["a"], "rules": {}}]}`, "1:16 \"files\" is missing (write the patterns of the files that it is about: \"files\": [\"legacy/**\"])\n1:17 \"file\" is not a setting (did you mean \"files\"?)"},
		{"severity in override", `{"overrides": [{"files": ["a"], "rules": {"x": "oof"}}]}`, `1:48 "x" is "oof"; expected one of error, warning, info, off (did you mean "off"?)`},
		{"pattern", `{"overrides": [{"files": ["a", "b/[c"], "rules": {}}]}`, `1:32 "b/[c" is no pattern: a [ or { has no end (write [[] for a [ and [{] for a { in a name)`},
		{"pattern with backslash", `{"overrides": [{"files": ["legacy\\**"], "rules": {}}]}`, `1:27 "legacy\**" names no folder: \ is no separator of patterns (write / on every system: "legacy/**")`},
		{"pattern of a folder", `{"overrides": [{"files": ["legacy/"], "rules": {}}]}`, `1:27 "legacy/" ends in /, which no file does (for all files of the folder, write "legacy/**")`},
		{"absolute pattern", `{"overrides": [{"files": ["/etc/x"], "rules": {}}]}`, `1:27 "/etc/x" fits no file: patterns start at the folder of this file (leave out what leads to it)`},
		{"pattern with drive", `{"overrides": [{"files": ["C:/x/*"], "rules": {}}]}`, `1:27 "C:/x/*" fits no file: patterns start at the folder of this file (leave out what leads to it)`},
		{"pattern upwards", `{"overrides": [{"files": ["../x"], "rules": {}}]}`, `1:27 "../x" fits no file: patterns start at the folder of this file (put the settings into a folder above the files)`},
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
