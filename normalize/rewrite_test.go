package normalize_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema/config"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/testdata/oracletest"
)

// must compiles a text that has no fatal error.
func must(t interface{ Fatalf(string, ...any) }, text string) *config.Configuration {
	cfg, failure := compile([]byte(text))
	if failure != nil {
		t.Fatalf("%q\n%s", failure, text)
	}
	return cfg
}

// apply makes edits in the only file of a configuration.
func apply(cfg *config.Configuration, edits []diag.Edit) string {
	return string(diag.Apply(cfg.Files()[0], edits))
}

// inGateway puts a route's QoSOptions and the global ones into a file.
const inGateway = `{"Routes": [{"UpstreamPathTemplate": "/a", "Key": "a", "QoSOptions": %s}], "GlobalConfiguration": {"QoSOptions": %s}}`

func TestRewrite(t *testing.T) {
	for _, tt := range []struct {
		name                    string
		route, global           string
		wantRoute, wantGlobal   string
		preferred               string // wantRoute with PreferDocumented, if another
		outvoted, kept, renamed int
	}{
		{name: "nothing to do", route: `{"BreakDuration": 1}`, global: `{}`, wantRoute: `{"BreakDuration": 1}`, wantGlobal: `{}`},
		{name: "all three", renamed: 3,
			route:     `{"DurationOfBreak": 1, "ExceptionsAllowedBeforeBreaking": 2, "TimeoutValue": 3}`,
			wantRoute: `{"BreakDuration": 1, "MinimumThroughput": 2, "Timeout": 3}`, global: `{}`, wantGlobal: `{}`},
		{name: "case of the first letter", renamed: 1, route: `{"durationOfBreak": 1}`, wantRoute: `{"breakDuration": 1}`, global: `{}`, wantGlobal: `{}`},
		{name: "escaped name", renamed: 1, route: `{"Duration\u004ffBreak": 1}`, wantRoute: `{"BreakDuration": 1}`, global: `{}`, wantGlobal: `{}`},
		{name: "both names, the old one counts", renamed: 1, route: `{"BreakDuration": 5, "DurationOfBreak": 1}`, wantRoute: `{"BreakDuration": 1}`, global: `{}`, wantGlobal: `{}`},
		{name: "both names, the old one is null", route: `{"DurationOfBreak": null, "BreakDuration": 5}`, wantRoute: `{"BreakDuration": 5}`, global: `{}`, wantGlobal: `{}`},
		{name: "old null alone", renamed: 1, route: `{"DurationOfBreak": null}`, wantRoute: `{"BreakDuration": null}`, global: `{}`, wantGlobal: `{}`},
		{name: "global and route together", renamed: 2,
			route: `{"TimeoutValue": 1}`, global: `{"TimeoutValue": 2}`, wantRoute: `{"Timeout": 1}`, wantGlobal: `{"Timeout": 2}`},
		{name: "the global old name wins", renamed: 1, outvoted: 1,
			route: `{"Timeout": 1, "MinimumThroughput": 3}`, global: `{"TimeoutValue": 2}`,
			wantRoute: `{"MinimumThroughput": 3}`, wantGlobal: `{"Timeout": 2}`, preferred: `{"Timeout": 1, "MinimumThroughput": 3}`},
		{name: "the global old name wins over all there is", renamed: 1, outvoted: 1,
			route: `{ "Timeout": 1 }`, global: `{"TimeoutValue": 2}`, wantRoute: `{ }`, wantGlobal: `{"Timeout": 2}`, preferred: `{ "Timeout": 1 }`},
		{name: "a null hides nothing", renamed: 1, outvoted: 1,
			route: `{"TimeoutValue": null, "Timeout": 1}`, global: `{"TimeoutValue": 2}`, wantRoute: `{}`, wantGlobal: `{"Timeout": 2}`, preferred: `{"Timeout": 1}`},
		{name: "outside of the group", renamed: 1,
			route: `{"Timeout": 1}`, global: `{"RouteKeys": ["b"], "TimeoutValue": 2}`, wantRoute: `{"Timeout": 1}`, wantGlobal: `{"RouteKeys": ["b"], "Timeout": 2}`},
		{name: "lines and comments", renamed: 1,
			route:     "{\r\n  // why five\r\n  \"BreakDuration\": 5, // never used\r\n  \"DurationOfBreak\": 1 // used\r\n}",
			wantRoute: "{\r\n  // why five\r\n  // never used\r\n  \"BreakDuration\": 1 // used\r\n}", global: `{}`, wantGlobal: `{}`},
		{name: "a line of its own goes", renamed: 1,
			route:     "{\n  \"BreakDuration\": 5,\n  \"DurationOfBreak\": 1,\n}",
			wantRoute: "{\n  \"BreakDuration\": 1,\n}", global: `{}`, wantGlobal: `{}`},
		{name: "the last one goes", renamed: 1,
			route:     "{\n  \"DurationOfBreak\": 1 /* a */ , // b\n  \"BreakDuration\": 5\n}",
			wantRoute: "{\n  \"BreakDuration\": 1 /* a */ // b\n}", global: `{}`, wantGlobal: `{}`},
		{name: "a comment keeps its distance", renamed: 1,
			route:     "{\n  \"DurationOfBreak\": 1, // why\n  \"BreakDuration\": 5\n}",
			wantRoute: "{\n  \"BreakDuration\": 1 // why\n}", global: `{}`, wantGlobal: `{}`},
		{name: "the last two go", renamed: 2,
			route:     "{ \"DurationOfBreak\": 1, \"TimeoutValue\": 2, \"BreakDuration\": 5, \"Timeout\": {} }",
			wantRoute: "{ \"BreakDuration\": 1, \"Timeout\": 2 }", global: `{}`, wantGlobal: `{}`},
		{name: "colon in the name", kept: 1, route: `{"DurationOfBreak:": 1}`, wantRoute: `{"DurationOfBreak:": 1}`, global: `{}`, wantGlobal: `{}`},
		{name: "a name twice", kept: 1, route: `{"DurationOfBreak": {}, "DurationOfBreak": {}}`, wantRoute: `{"DurationOfBreak": {}, "DurationOfBreak": {}}`, global: `{}`, wantGlobal: `{}`},
		{name: "global stays, so its group stays", kept: 2,
			route: `{"TimeoutValue": 1}`, global: `{"TimeoutValue": 2, "TimeoutValue": {}}`, wantRoute: `{"TimeoutValue": 1}`, wantGlobal: `{"TimeoutValue": 2, "TimeoutValue": {}}`},
		{name: "a plain object in values", renamed: 1, route: `{"x": [{"DurationOfBreak": 1}, "}"], "DurationOfBreak": 1}`,
			wantRoute: `{"x": [{"DurationOfBreak": 1}, "}"], "BreakDuration": 1}`, global: `{}`, wantGlobal: `{}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := fmt.Sprintf(inGateway, tt.route, tt.global)
			cfg := must(t, text)
			g := normalize.Resolve(cfg, profile.Profile{Version: "25.0"})
			r := normalize.Rewrite(g, normalize.RewriteOptions{})
			if got, want := apply(cfg, r.Edits), fmt.Sprintf(inGateway, tt.wantRoute, tt.wantGlobal); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if len(r.Outvoted) != tt.outvoted || len(r.Kept) != tt.kept || r.Renamed != tt.renamed {
				t.Errorf("got %d outvoted, %d kept, %d renamed, want %d, %d, %d",
					len(r.Outvoted), len(r.Kept), r.Renamed, tt.outvoted, tt.kept, tt.renamed)
			}
			if tt.preferred == "" {
				tt.preferred = tt.wantRoute
			}
			r = normalize.Rewrite(g, normalize.RewriteOptions{PreferDocumented: true})
			if got, want := apply(cfg, r.Edits), fmt.Sprintf(inGateway, tt.preferred, tt.wantGlobal); got != want {
				t.Errorf("documented: got  %s\nwant %s", got, want)
			}
		})
	}
}

// Rewriting never changes what Ocelot resolves, leaves no deprecated name in a
// plain file, and does nothing the second time; with PreferDocumented it keeps
// what the documentation says.
func TestRewriteKeepsTheResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		for _, tt := range []struct {
			opts normalize.RewriteOptions
			kept profile.Profile
		}{
			{normalize.RewriteOptions{}, profile.Profile{Version: "25.0"}},
			{normalize.RewriteOptions{PreferDocumented: true}, profile.Profile{}},
		} {
			before := normalize.Resolve(must(t, text), tt.kept)
			r := normalize.Rewrite(before, tt.opts)
			if len(r.Kept) > 0 {
				t.Fatalf("kept %v in a plain file\n%s", r.Kept, text)
			}
			edited := apply(before.Config, r.Edits)
			after := normalize.Resolve(must(t, edited), tt.kept)
			if !before.SameAs(after) {
				t.Fatalf("%+v changes the result\n%s\n%s", tt.opts, text, edited)
			}
			if again := normalize.Rewrite(after, tt.opts); len(again.Edits) > 0 {
				t.Fatalf("a second time edits again\n%s", edited)
			}
			for _, name := range []string{"DurationOfBreak", "ExceptionsAllowedBeforeBreaking", "TimeoutValue"} {
				if strings.Contains(edited, name) {
					t.Fatalf("%s is left\n%s", name, edited)
				}
			}
			if got, want := strings.Count(edited, "note"), strings.Count(text, "note"); got != want {
				t.Fatalf("got %d comments want %d\n%s\n%s", got, want, text, edited)
			}
		}
	})
}

// The same on real files.
func TestRewriteRealFiles(t *testing.T) {
	dir := oracletest.CorpusDir(t)
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in %s: %v", dir, err)
	}
	renamed, rewritten := 0, 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cfg, failure := compile(text)
		if failure != nil {
			continue
		}
		p := profile.Profile{Version: "25.0"}
		before := normalize.Resolve(cfg, p)
		r := normalize.Rewrite(before, normalize.RewriteOptions{})
		if len(r.Edits) == 0 {
			continue
		}
		file := cfg.Files()[0]
		after := normalize.Resolve(must(t, string(file.Encoding.Encode(diag.Apply(file, r.Edits)))), p)
		if !before.SameAs(after) || len(normalize.Rewrite(after, normalize.RewriteOptions{}).Edits) > 0 {
			t.Errorf("%s: rewriting changes the result", filepath.Base(name))
		}
		renamed, rewritten = renamed+r.Renamed, rewritten+1
	}
	t.Logf("%d names renamed in %d of %d files", renamed, rewritten, len(files))
	if renamed == 0 {
		t.Error("no file had a deprecated name")
	}
}

// drawText draws a file with comments, line ends and commas in all places.
func drawText(t *rapid.T) string {
	sections := make([]string, 3)
	for i := range sections {
		sections[i] = drawSection(t)
	}
	keys := rapid.SampledFrom([]string{`[]`, `["a"]`, `["b", "a"]`, `null`}).Draw(t, "RouteKeys")
	return fmt.Sprintf(`{"Routes": [{"UpstreamPathTemplate": "/a", "Key": "a", "QoSOptions": %s}, {"UpstreamPathTemplate": "/b", "QoSOptions": %s}],
		"GlobalConfiguration": {"RequestIdKey": "x", "QoSOptions": %s}}`,
		sections[0], sections[1], strings.Replace(sections[2], "{", `{"RouteKeys": `+keys+`,`, 1))
}

func drawSection(t *rapid.T) string {
	names := rapid.Permutation([]string{"DurationOfBreak", "BreakDuration", "ExceptionsAllowedBeforeBreaking", "MinimumThroughput",
		"TimeoutValue", "Timeout", "FailureRatio"}).Draw(t, "names")
	names = names[:rapid.IntRange(1, len(names)).Draw(t, "count")]
	gap := func() string {
		return rapid.SampledFrom([]string{"", " ", "\n    ", "\r\n", "\t", " /* note, */ ", " // note }\n", "\n// note\n\n"}).Draw(t, "gap")
	}
	var b strings.Builder
	b.WriteString("{" + gap())
	for i, name := range names {
		value := rapid.SampledFrom([]string{"0", "3", "700", "null", `"900"`, "-1", "{}"}).Draw(t, "value")
		// .NET takes no comment before a colon.
		blank := rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "blank")
		fmt.Fprintf(&b, `"%s"%s:%s%s%s`, name, blank, gap(), value, gap())
		if i < len(names)-1 || rapid.Bool().Draw(t, "trailing comma") {
			b.WriteString("," + gap())
		}
	}
	return b.String() + gap() + "}"
}
