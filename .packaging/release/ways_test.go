package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	stdruntime "runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// way is a CI definition with the scripts that the CI would run.
type way struct {
	name, shell string
	// downloads is the program that the scripts download with.
	downloads string
	scripts   []string
}

func waysIn(t *testing.T) []way {
	var action struct {
		Runs struct {
			Steps []struct{ Run string }
		}
	}
	readYAML(t, "../../.github/actions/lint/action.yml", &action)
	var gitlab struct {
		Margay struct{ Script []string }
	}
	readYAML(t, "../gitlab/margay.yml", &gitlab)
	var azure struct {
		Steps []struct{ Bash string }
	}
	readYAML(t, "../azure/margay.yml", &azure)
	github := way{name: "github", shell: "bash", downloads: "curl"}
	for _, step := range action.Runs.Steps {
		github.scripts = append(github.scripts, step.Run)
	}
	return []way{
		github,
		{"gitlab", "sh", "wget", []string{strings.Join(gitlab.Margay.Script, "\n")}},
		{"azure", "bash", "curl", []string{azure.Steps[0].Bash}},
	}
}

func readYAML(t *testing.T, path string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(read(t, path)), into); err != nil {
		t.Fatal(err)
	}
}

// checkWaysIn runs the CI definitions against a server with the release: on a
// gateway with a mistake, on one without, and with an archive that is not the
// one of the checksums.
func checkWaysIn(t *testing.T, folder string) {
	if stdruntime.GOOS != "linux" || stdruntime.GOARCH != "amd64" {
		t.Skip("the definitions are tried on linux/amd64")
	}
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer server.Close()
	for _, way := range waysIn(t) {
		t.Run(way.name, func(t *testing.T) {
			if _, err := exec.LookPath(way.downloads); err != nil {
				t.Skipf("MISSING %s: the definition was not tried", way.downloads)
			}
			if out, err := way.lint(t, server.URL, `{ "Routes": [ { "UpstreamPathTemplate": "/", "QoSOptions": { "Timeout": "5s" } } ] }`); err == nil || !strings.Contains(out, "type-mismatch") {
				t.Errorf("a gateway with a mistake passes: %v\n%s", err, out)
			}
			if out, err := way.lint(t, server.URL, `{ "Routes": [] }`); err != nil {
				t.Errorf("a clean gateway fails: %v\n%s", err, out)
			}
			sums := filepath.Join(folder, "v"+version, checksums)
			right := read(t, sums)
			replace(t, sums, strings.Repeat("0", 64)+"  margay_"+version+"_linux_amd64.tar.gz\n")
			defer replace(t, sums, right)
			if out, err := way.lint(t, server.URL, `{ "Routes": [] }`); err == nil {
				t.Errorf("an archive with a wrong digest is used\n%s", out)
			}
		})
	}
}

// lint runs the scripts one after the other, as the CI does, on a gateway with
// the given text.
func (w way) lint(t *testing.T, releases, gateway string) (string, error) {
	t.Helper()
	work := t.TempDir()
	replace(t, filepath.Join(work, "ocelot.json"), gateway)
	tools, report := filepath.Join(work, "tools"), filepath.Join(work, "report")
	env := append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "MARGAY_RELEASES="+releases, "MARGAY_VERSION="+version,
		"MARGAY_PATH=ocelot.json", "MARGAY_ARGS=", "MARGAY_OS=Linux", "MARGAY_ARCH=X64", "MARGAY_FOLDER="+tools,
		"GITHUB_PATH="+filepath.Join(work, "path"), "MARGAY_REPORT="+report, "MARGAY_SARIF="+report)
	var all strings.Builder
	for _, text := range w.scripts {
		script := exec.CommandContext(t.Context(), w.shell, "-e", "-c", text)
		script.Dir, script.Env = work, env
		out, err := script.CombinedOutput()
		all.Write(out)
		if err != nil {
			return all.String(), err
		}
	}
	return all.String(), nil
}

func replace(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
