package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/margay-dev/margay/testdata/oracletest"
)

// TestCorpusDifferencesApply prints the fixes of real files as a difference and
// has git and patch apply it: each gives what --fix and --write write.
func TestCorpusDifferencesApply(t *testing.T) {
	programs := map[string][]string{"git": {"apply"}, "patch": {"-s", "--binary", "-p1"}}
	for program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Logf("%s IS NOT INSTALLED: its part is not checked", program)
			delete(programs, program)
		}
	}
	files, _ := filepath.Glob(filepath.Join(oracletest.CorpusDir(t), "*.json"))
	work := t.TempDir()
	t.Chdir(work)
	applied, masked := 0, 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for variant, text := range variants(raw) {
			for _, commands := range [][2]string{{"lint --diff", "lint --fix"}, {"normalize --diff --ocelot 25.0", "normalize --write --ocelot 25.0"}} {
				difference, hidden := differenceOf(t, text, commands[0])
				if masked += hidden; difference == "" || hidden > 0 {
					continue
				}
				want := rewrittenBy(t, text, commands[1])
				for program, args := range programs {
					put(t, text)
					command := exec.Command(program, args...)
					command.Stdin = strings.NewReader(difference)
					if out, err := command.CombinedOutput(); err != nil {
						t.Errorf("%s %s, %s: %s: %v\n%s", filepath.Base(file), variant, commands[0], program, err, out)
					}
					if got := get(t); !bytes.Equal(got, want) {
						t.Errorf("%s %s, %s: %s gives another file than %s", filepath.Base(file), variant, commands[0], program, commands[1])
					}
					applied++
				}
			}
		}
	}
	t.Logf("%d differences applied, %d with secrets left out", applied, masked)
	if applied == 0 && len(programs) > 0 {
		t.Error("no difference was applied")
	}
}

// target has a blank in its name, which both programs treat in their own ways.
const target = "a gateway.json"

// variants are a text with other line ends and marks.
func variants(raw []byte) map[string][]byte {
	plain := bytes.TrimPrefix(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), []byte("\xEF\xBB\xBF"))
	crlf := bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n"))
	return map[string][]byte{
		"as it is":                  raw,
		"CRLF":                      crlf,
		"BOM, CRLF and no line end": append([]byte("\xEF\xBB\xBF"), bytes.TrimRight(crlf, "\r\n")...),
	}
}

func put(t *testing.T, text []byte) {
	t.Helper()
	if err := os.WriteFile(target, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// differenceOf returns what a command prints, and 1 if it leaves out secrets.
func differenceOf(t *testing.T, text []byte, command string) (string, int) {
	t.Helper()
	put(t, text)
	var out, problems bytes.Buffer
	if status := run(append(strings.Fields(command), target), nil, &out, &problems); status == exitTrouble {
		t.Fatalf("%s: %s", command, problems.String())
	}
	if !bytes.Equal(get(t), text) {
		t.Fatalf("%s has changed the file", command)
	}
	if strings.Contains(problems.String(), "secrets are left out") {
		return out.String(), 1
	}
	return out.String(), 0
}

func rewrittenBy(t *testing.T, text []byte, command string) []byte {
	t.Helper()
	put(t, text)
	var out, problems bytes.Buffer
	if status := run(append(strings.Fields(command), target), nil, &out, &problems); status == exitTrouble {
		t.Fatalf("%s: %s", command, problems.String())
	}
	return get(t)
}

// TestDifferencesOfOddNames: git and patch find the file whatever its name is.
func TestDifferencesOfOddNames(t *testing.T) {
	const text = "{\n  \"Routes\": [ { \"QoSOptions\": { \"DurationOfBreak\": 1000, \"ExceptionsAllowedBeforeBreaking\": 3 } } ]\n}"
	t.Chdir(t.TempDir())
	for _, name := range []string{"a b.json", "a\tb.json", "ünï/ö.json", "q\"uote.json", "a\"\t\\b.json", "\u202egateway.json"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		for program, args := range map[string][]string{"git": {"apply"}, "patch": {"-s", "--binary", "-p1"}} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Skipf("this file system does not take the name: %v", err)
			}
			var out, problems bytes.Buffer
			if status := run([]string{"normalize", "--diff", "--ocelot", "25.0", name}, nil, &out, &problems); status != 0 {
				t.Fatalf("%q: status %d: %s", name, status, problems.String())
			}
			if _, err := exec.LookPath(program); err != nil {
				t.Logf("%s IS NOT INSTALLED: its part is not checked", program)
				continue
			}
			command := exec.Command(program, args...)
			command.Stdin = &out
			if message, err := command.CombinedOutput(); err != nil {
				t.Errorf("%s %q: %v\n%s", program, name, err, message)
				continue
			}
			if got, _ := os.ReadFile(name); !bytes.Contains(got, []byte("BreakDuration")) {
				t.Errorf("%s %q: the file is as before", program, name)
			}
		}
	}
}
