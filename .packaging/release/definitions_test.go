package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// The names that begin with MARGAY_ are those that a definition hands to its
// scripts.
var (
	variable   = regexp.MustCompile(`MARGAY_[A-Z]+`)
	expression = regexp.MustCompile(`\$\{\{\s*(\w+)\.(\w+)\s*\}\}`)
)

// TestActionHandsOverItsInputs: what a step reads it is given, and what is given
// exists.
func TestActionHandsOverItsInputs(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Description string }
		Runs   struct {
			Using string
			Steps []struct {
				Name, Shell, Run string
				Env              map[string]string
			}
		}
	}
	readYAML(t, "../../.github/actions/lint/action.yml", &action)
	if action.Runs.Using != "composite" {
		t.Errorf("got %q", action.Runs.Using)
	}
	used := map[string]bool{}
	for _, step := range action.Runs.Steps {
		if step.Shell == "" {
			t.Errorf("%s: a step of a composite action names its shell", step.Name)
		}
		checkVariables(t, step.Name, step.Run, step.Env)
		if strings.Contains(step.Run, "${{") {
			t.Errorf("%s: an input in the text of a script is code", step.Name)
		}
		for _, value := range step.Env {
			for _, m := range expression.FindAllStringSubmatch(value, -1) {
				switch _, declared := action.Inputs[m[2]]; {
				case m[1] == "inputs" && !declared:
					t.Errorf("%s: there is no input %q", step.Name, m[2])
				case m[1] == "inputs":
					used[m[2]] = true
				case m[1] != "runner" || !slices.Contains([]string{"os", "arch", "temp"}, m[2]):
					t.Errorf("%s: %s is not known in a composite action", step.Name, value)
				}
			}
		}
	}
	for name, input := range action.Inputs {
		if !used[name] || input.Description == "" {
			t.Errorf("the input %q is not used, or says nothing of itself", name)
		}
	}
}

func checkVariables(t *testing.T, step, script string, env map[string]string) {
	t.Helper()
	for _, name := range variable.FindAllString(script, -1) {
		if _, given := env[name]; !given {
			t.Errorf("%s reads %s and is not given it", step, name)
		}
	}
	for name := range env {
		if !strings.Contains(script, name) {
			t.Errorf("%s is given %s and does not read it", step, name)
		}
	}
}

// TestAzureHandsOverItsParameters: as for the action.
func TestAzureHandsOverItsParameters(t *testing.T) {
	var template struct {
		Parameters []struct{ Name, Type string }
		Steps      []struct {
			Bash, Task string
			Env        map[string]string
			Inputs     map[string]string
		}
	}
	readYAML(t, "../azure/margay.yml", &template)
	step := template.Steps[0]
	checkVariables(t, "the step", step.Bash, step.Env)
	for _, p := range template.Parameters {
		if p.Type != "string" || !slices.ContainsFunc(values(step.Env), func(v string) bool { return v == "${{ parameters."+p.Name+" }}" }) {
			t.Errorf("the parameter %s is not handed over", p.Name)
		}
	}
	if published := template.Steps[1]; published.Task != "PublishTestResults@2" || published.Inputs["testResultsFiles"] != step.Env["MARGAY_REPORT"] {
		t.Errorf("%s is written, and this is published: %v", step.Env["MARGAY_REPORT"], published)
	}
}

func values(m map[string]string) (all []string) {
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// TestGitLabKeepsItsReports: every variable has a value or is asked for, and the
// reports that the job keeps are those that it writes.
func TestGitLabKeepsItsReports(t *testing.T) {
	var template struct {
		Variables map[string]string
		Margay    struct {
			Script    []string
			Artifacts struct {
				When    string
				Reports map[string]string
			}
		}
	}
	readYAML(t, "../gitlab/margay.yml", &template)
	script := strings.Join(template.Margay.Script, "\n")
	for _, name := range variable.FindAllString(script, -1) {
		if _, set := template.Variables[name]; !set && !strings.Contains(script, "${"+name+":?") {
			t.Errorf("%s has no value", name)
		}
	}
	reports := template.Margay.Artifacts.Reports
	for form, report := range map[string]string{"gitlab": reports["codequality"], "junit": reports["junit"]} {
		if report == "" || !strings.Contains(script, "--output "+form+"="+report+" ") {
			t.Errorf("the job keeps %q, and does not write it as %s", report, form)
		}
	}
	if template.Margay.Artifacts.When != "always" {
		t.Error("the reports of a failed job are not kept")
	}
}

// TestHooksTakeTheFilesOfGateways holds the definitions of pre-commit against
// the names that gateways have.
func TestHooksTakeTheFilesOfGateways(t *testing.T) {
	var hooks []struct {
		ID, Name, Language, Entry, Files string
		PassFilenames                    *bool `yaml:"pass_filenames"`
	}
	readYAML(t, "../../.pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 2 {
		t.Fatalf("got %d hooks", len(hooks))
	}
	for _, hook := range hooks {
		if hook.ID == "" || hook.Name == "" || hook.Language != "golang" || hook.Entry != "margay lint" {
			t.Errorf("got %+v", hook)
		}
		files := regexp.MustCompile(hook.Files)
		whole := hook.PassFilenames != nil && !*hook.PassFilenames
		for name, want := range map[string]bool{
			"ocelot.json": true, "gateway/ocelot.json": true,
			"ocelot.orders.json": whole, "gateway/ocelot.Production.json": whole, "gateway/.margay.json": whole,
			"notocelot.json": false, "ocelot.json.bak": false, "package.json": false, "ocelot/readme.md": false,
		} {
			if got := files.MatchString(name); got != want {
				t.Errorf("%s: %s: got %v want %v", hook.ID, name, got, want)
			}
		}
	}
}

// TestContainersTakeTheArchives: the files that the definitions add are those
// that a release makes.
func TestContainersTakeTheArchives(t *testing.T) {
	linux := target{"linux", "amd64", "linux-x64"}
	for _, name := range []string{"Containerfile", "Containerfile.shell"} {
		text := read(t, "../container/"+name)
		added := regexp.MustCompile(`(?m)^ADD (\S+) (\S+)$`).FindStringSubmatch(text)
		if added == nil {
			t.Fatalf("%s adds nothing", name)
		}
		if got := strings.NewReplacer("${VERSION}", version, "${TARGETARCH}", "amd64").Replace(added[1]); got != linux.archive(version) {
			t.Errorf("%s adds %s, a release makes %s", name, got, linux.archive(version))
		}
		if !strings.Contains(text, `ENTRYPOINT ["`+added[2]+`margay"]`) && !strings.Contains(text, "ENV PATH="+strings.TrimSuffix(added[2], "/")+":$PATH") {
			t.Errorf("%s does not find the program in %s", name, added[2])
		}
		if !regexp.MustCompile(`(?m)^USER [1-9]\d*:[1-9]\d*$`).MatchString(text) {
			t.Errorf("%s runs as root", name)
		}
	}
}

// TestManifests fills the manifests as a whole release does.
func TestManifests(t *testing.T) {
	m := manifest{Version: version, Date: time.Unix(0, 0).UTC().Format("2006-01-02"), Sums: map[string]string{}}
	for i, target := range targets() {
		m.Sums[target.String()] = strings.Repeat(string(rune('a'+i)), 64)
	}
	formula := filled(t, "homebrew.rb", m)
	for _, target := range targets() {
		pair := `releases/download/v` + version + `/` + target.archive(version) + `"` + "\n      sha256 \"" + m.Sums[target.String()] + `"`
		if target.os != "windows" && !strings.Contains(formula, pair) {
			t.Errorf("the formula does not have %s with its digest\n%s", target, formula)
		}
	}
	var installer struct {
		PackageIdentifier, PackageVersion, ReleaseDate, InstallerType, NestedInstallerType, ManifestType, ManifestVersion string
		NestedInstallerFiles                                                                                              []struct{ RelativeFilePath, PortableCommandAlias string }
		Installers                                                                                                        []struct{ Architecture, InstallerUrl, InstallerSha256 string }
	}
	winget(t, "winget-installer.yaml", m, &installer)
	if installer.InstallerType != "zip" || installer.NestedInstallerType != "portable" || len(installer.NestedInstallerFiles) != 1 ||
		installer.NestedInstallerFiles[0].RelativeFilePath != (target{os: "windows"}).binary() || installer.ManifestType != "installer" || len(installer.Installers) != 2 {
		t.Errorf("got %+v", installer)
	}
	for _, i := range installer.Installers {
		arch := map[string]string{"x64": "amd64", "arm64": "arm64"}[i.Architecture]
		if windows := (target{os: "windows", arch: arch}); !strings.HasSuffix(i.InstallerUrl, "/v"+version+"/"+windows.archive(version)) || i.InstallerSha256 != m.Sums[windows.String()] {
			t.Errorf("got %+v", i)
		}
	}
	var locale struct {
		PackageIdentifier, PackageVersion, PackageLocale, Publisher, PackageName, License, ShortDescription, ManifestType, ManifestVersion string
	}
	winget(t, "winget-locale.yaml", m, &locale)
	var of struct{ PackageIdentifier, PackageVersion, DefaultLocale, ManifestType, ManifestVersion string }
	winget(t, "winget-version.yaml", m, &of)
	if locale.PackageLocale != of.DefaultLocale || locale.ManifestType != "defaultLocale" || of.ManifestType != "version" || locale.Publisher == "" ||
		locale.PackageName == "" || locale.License == "" || len(locale.ShortDescription) < 3 || len(locale.ShortDescription) > 256 {
		t.Errorf("got %+v and %+v", locale, of)
	}
	for _, same := range [][3]string{
		{installer.PackageIdentifier, locale.PackageIdentifier, of.PackageIdentifier},
		{installer.PackageVersion, locale.PackageVersion, of.PackageVersion},
		{installer.ManifestVersion, locale.ManifestVersion, of.ManifestVersion},
	} {
		if same[0] == "" || same[0] != same[1] || same[0] != same[2] {
			t.Errorf("the three manifests differ: %v", same)
		}
	}
}

func filled(t *testing.T, name string, m manifest) string {
	t.Helper()
	data, err := fill(name, m)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// winget reads a manifest, of which the keys are written with capitals.
func winget(t *testing.T, name string, m manifest, into any) {
	t.Helper()
	var all map[string]any
	if err := yaml.Unmarshal([]byte(filled(t, name, m)), &all); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := remarshal(lower(all), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// remarshal reads a value again into another type.
func remarshal(from, into any) error {
	text, err := yaml.Marshal(from)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(text, into)
}

// lower writes all keys in small letters, as the library reads fields.
func lower(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, member := range v {
			out[strings.ToLower(key)] = lower(member)
		}
		return out
	case []any:
		for i := range v {
			v[i] = lower(v[i])
		}
	}
	return value
}
