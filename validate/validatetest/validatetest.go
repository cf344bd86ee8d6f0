// Package validatetest proves rules against configurations with comments that
// say what is expected: a line that ends in
//
//	// want "regexp"
//
// must have a finding whose message matches, and no other line may have one.
// Findings without a place are written as // want-nowhere "regexp" anywhere.
// A comment may set the profile, and how several files are loaded:
//
//	// profile: ocelot=25.0 provider=polly schemes=A,B discovery=false
//	// load: layer
//
// Only tests use it.
package validatetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/normalize"
	"github.com/margay-dev/margay/schema"
	"github.com/margay-dev/margay/schema/diag"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate"
	"github.com/margay-dev/margay/validate/startup"
)

// Linter returns the findings about a gateway, in order.
type Linter func(testing.TB, Parts) []diag.Diagnostic

// With returns the linter that runs rules as the comments in a gateway say.
func With(all []*validate.Rule) Linter {
	return func(t testing.TB, parts Parts) []diag.Diagnostic { return Lint(t, parts, ProfileOf(t, parts), all) }
}

// Run checks every file of dir against the findings of one rule. Files whose
// name begins with ok_ must have none, those with bad_ at least one. A folder
// in dir is a gateway of several files, merged as Ocelot does it unless one of
// them says otherwise.
func Run(t *testing.T, dir string, rule *validate.Rule, lint Linter) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	good, bad := 0, 0
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".json")
		switch {
		case strings.HasPrefix(name, "ok_"):
			good++
		case strings.HasPrefix(name, "bad_"):
			bad++
		default:
			t.Errorf("%s: names begin with ok_ or bad_", e.Name())
		}
		t.Run(name, func(t *testing.T) {
			parts := read(t, filepath.Join(dir, e.Name()))
			found := of(rule.Name, lint(t, parts))
			if strings.HasPrefix(name, "ok_") && len(found) > 0 {
				t.Errorf("got %d findings in a file without any, the first: %s", len(found), found[0].Message)
			}
			if strings.HasPrefix(name, "bad_") && len(found) == 0 {
				t.Errorf("got no finding of %s", rule.Name)
			}
			compare(t, parts, found)
			answers(t, found)
		})
	}
	if good == 0 || bad == 0 {
		t.Errorf("%s holds %d files named ok_* and %d named bad_*, want at least one of each", dir, good, bad)
	}
}

// answers demands of every finding that it says what to do.
func answers(t *testing.T, found []diag.Diagnostic) {
	t.Helper()
	for _, d := range found {
		if d.Help == "" {
			t.Errorf("%s does not say what to do: %s", d.Rule, d.Message)
		}
	}
}

// Parts are the texts of a gateway by file name.
type Parts map[string]string

func read(t *testing.T, path string) Parts {
	t.Helper()
	names := []string{path}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		names, _ = filepath.Glob(filepath.Join(path, "*"))
	}
	parts := Parts{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parts[filepath.Base(name)] = string(text)
	}
	return parts
}

// Lint runs every stage and all rules over a gateway and returns the findings
// in order.
func Lint(t testing.TB, parts Parts, p profile.Profile, all []*validate.Rule) []diag.Diagnostic {
	t.Helper()
	in, reported := Input(t, parts, p)
	return validate.Run(in, all, reported, validate.Options{}).Sorted()
}

// Input runs every stage before the rules.
func Input(t testing.TB, parts Parts, p profile.Profile) (*validate.Input, *diag.List) {
	t.Helper()
	loaded, err := planOf(t, parts).Run(folderOf(parts))
	if err != nil {
		t.Fatal(err)
	}
	return InputOf(loaded, p)
}

// InputOf runs every stage between loading and the rules.
func InputOf(loaded *load.Result, p profile.Profile) (*validate.Input, *diag.List) {
	in := &validate.Input{Loaded: loaded, Profile: p}
	in.Config = schema.Decode(loaded.Tree, loaded.Bound, schema.DecodeOptions{Section: loaded.Section, Profile: p})
	reported, _ := schema.Check(loaded, in.Config, schema.CheckOptions{Profile: p})
	if loaded.Failure == nil && in.Config.Failure == nil {
		in.Gateway = normalize.Resolve(in.Config, p)
		in.Startup = startup.Check(in.Config, p)
	}
	return in, reported
}

func folderOf(parts Parts) load.Folder {
	files := fstest.MapFS{}
	for name, text := range parts {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return load.Folder{FS: files}
}

var loadLine = regexp.MustCompile(`(?m)// load:(.*)$`)

// planOf loads a single file as it is, and files that are named like parts by
// Ocelot's merge, unless a comment in one of them says otherwise.
func planOf(t testing.TB, parts Parts) load.Plan {
	t.Helper()
	choice := load.Choice{Way: "merge"}
	for name, text := range parts {
		if m := loadLine.FindStringSubmatch(text); m != nil {
			choice.Way = strings.TrimSpace(m[1])
			break
		}
		if part := strings.HasPrefix(name, "ocelot.") && name != "ocelot.json"; len(parts) == 1 && !part {
			return load.Plan{Providers: []load.Provider{load.File{Name: name}}}
		}
	}
	plan, err := load.Detect(folderOf(parts), choice)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

var profileLine = regexp.MustCompile(`(?m)^// profile:(.*)$`)

// ProfileOf returns the profile that a comment in one of the parts asks for.
func ProfileOf(t testing.TB, parts Parts) profile.Profile {
	t.Helper()
	var p profile.Profile
	for _, text := range parts {
		m := profileLine.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		for _, setting := range strings.Fields(m[1]) {
			name, value, _ := strings.Cut(setting, "=")
			set(t, &p, name, value)
		}
	}
	return p
}

func set(t testing.TB, p *profile.Profile, name, value string) {
	t.Helper()
	ok := true
	switch name {
	case "ocelot":
		var found profile.Profile
		found, ok = profile.Find(value)
		p.Version, p.Asked = found.Version, found.Asked
	case "provider":
		p.Provider, ok = profile.ParseProvider(value)
	case "schemes":
		p.Schemes = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		if p.Schemes == nil {
			p.Schemes = []string{}
		}
	case "discovery":
		p.NoDiscovery = value == "false"
	default:
		ok = false
	}
	if !ok {
		t.Fatalf("the profile %s=%s is not known", name, value)
	}
}

func of(rule string, all []diag.Diagnostic) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, d := range all {
		if d.Rule == rule {
			found = append(found, d)
		}
	}
	return found
}

var want = regexp.MustCompile(`// want(-nowhere)? ((?:"(?:[^"\\]|\\.)*"\s*)+)`)

// compare holds findings against the comments in the texts.
func compare(t *testing.T, parts Parts, found []diag.Diagnostic) {
	t.Helper()
	type place struct {
		file string
		line int
	}
	expected := map[place][]string{}
	for file, text := range parts {
		for i, line := range strings.Split(text, "\n") {
			if m := want.FindStringSubmatch(line); m != nil {
				at := place{file, i + 1}
				if m[1] != "" {
					at = place{}
				}
				expected[at] = append(expected[at], patterns(t, m[2])...)
			}
		}
	}
	for _, d := range found {
		at := place{}
		if d.Span.File != nil {
			at = place{filepath.Base(d.Span.File.Name), d.Span.Position().Line}
		}
		rest, ok := match(expected[at], d.Message)
		if !ok {
			t.Errorf("%s:%d: unexpected finding: %s", at.file, at.line, d.Message)
		}
		expected[at] = rest
	}
	for at, missing := range expected {
		for _, pattern := range missing {
			t.Errorf("%s:%d: no finding matches %q", at.file, at.line, pattern)
		}
	}
}

func patterns(t *testing.T, quoted string) []string {
	t.Helper()
	var all []string
	for quoted = strings.TrimSpace(quoted); quoted != ""; quoted = strings.TrimSpace(quoted) {
		prefix, err := strconv.QuotedPrefix(quoted)
		if err != nil {
			t.Fatalf("want %s: %v", quoted, err)
		}
		pattern, _ := strconv.Unquote(prefix)
		all = append(all, pattern)
		quoted = quoted[len(prefix):]
	}
	return all
}

// match removes the first pattern that matches.
func match(patterns []string, message string) (rest []string, ok bool) {
	for i, p := range patterns {
		if regexp.MustCompile(p).MatchString(message) {
			return append(append(rest, patterns[:i]...), patterns[i+1:]...), true
		}
	}
	return patterns, false
}
