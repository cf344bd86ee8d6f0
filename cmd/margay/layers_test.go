package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/margay-dev/margay/"

// layers is the architecture: a package may import only packages that stand
// before it. A new package has to be put in here, so layering is decided, not
// found out.
var layers = []string{
	"testdata/oracletest",
	"testdata/gatewaygen",
	"testdata/gatewaygen/cmd",

	"runtime/plan",
	"runtime/telemetry",
	"runtime/window",
	"runtime/expr",
	"runtime/breaker",
	"runtime/health",
	"runtime/budget",
	"runtime/pollytest",
	"runtime/timeout",
	"runtime/retry",
	"runtime/limiter",
	"runtime/chaos",
	"runtime/fallback",
	"runtime/pipeline",
	"runtime/route",
	"runtime/framing",
	"runtime/socket",
	"runtime/listen/pipetest",
	"runtime/wire",
	"runtime/balance",
	"runtime/proxy",
	"runtime/guard/claims",
	"runtime/guard/guardtest",
	"runtime/guard/clientip",
	"runtime/guard/ratelimit",
	"runtime/guard/bearer",
	"runtime/guard/headers",
	"runtime/guard/cache",
	"runtime/guard/aggregate",
	"runtime/guard",
	"runtime/demo",
	"runtime/listen",
	"runtime/reload",
	"runtime/access",
	"runtime/telemetry/slog",
	"runtime/telemetry/prometheus",
	"runtime/telemetry/otel",
	"runtime/admin",

	"testdata/proxybench",

	"schema/prose",
	"schema/source",
	"schema/profile",
	"schema/template",
	"schema/diag",
	"schema/diag/report",
	"schema/load/ordinal",
	"schema/syntax",
	"schema/convert",
	"schema/known",
	"schema/config",
	"schema/model",
	"schema/load/newtonsoft",
	"schema/load",
	"schema/load/loadtest",
	"schema/settings",
	"schema/project/csharp",
	"schema/project/msbuild",
	"schema/project",
	"schema/git",
	"schema/bind",
	"schema",
	"normalize",
	"validate/startup",
	"validate/reach",
	"validate",
	"validate/baseline",
	"validate/validatetest",
	"validate/rules",
	"emit/surprise",
	"emit/unified",
	"emit",
	"emit/change",
	"emit/upgrade",
	"cmd/margay",
}

// core packages of the runtime import the standard library and each other
// only, so that embedding a breaker brings nothing else along.
var core = []string{
	"runtime/plan", "runtime/breaker", "runtime/health", "runtime/window", "runtime/budget", "runtime/retry", "runtime/limiter",
	"runtime/timeout", "runtime/expr", "runtime/chaos", "runtime/telemetry", "runtime/pipeline", "runtime/route",
}

func TestEveryImportPointsDown(t *testing.T) {
	seen := map[string]bool{}
	walkImports(t, func(dir, file, imported string) {
		at := slices.Index(layers, dir)
		if at < 0 {
			t.Errorf("%s: package %s is not in the list of layers", file, dir)
			return
		}
		seen[dir] = true
		name, ours := strings.CutPrefix(imported, module)
		switch {
		case ours && name == dir:
			return // an external test package imports the package it tests
		case ours && strings.HasSuffix(file, "_test.go") && strings.HasPrefix(name, "testdata/"):
			return
		case ours && slices.Index(layers, name) < 0:
			t.Errorf("%s imports %s, which is not in the list of layers", file, name)
		case ours && slices.Index(layers, name) > at && !strings.HasSuffix(file, "_test.go"):
			t.Errorf("%s: %s imports %s, which stands above it", file, dir, name)
		}
	})
	for _, dir := range layers {
		if !seen[dir] {
			t.Errorf("the list of layers names %s, which does not exist", dir)
		}
	}
}

func TestRuntimeCoreImportsOnlyTheStandardLibrary(t *testing.T) {
	walkImports(t, func(dir, file, imported string) {
		if !slices.Contains(core, dir) || strings.HasSuffix(file, "_test.go") {
			return
		}
		name, ours := strings.CutPrefix(imported, module)
		switch first, _, _ := strings.Cut(imported, "/"); {
		case ours && strings.HasPrefix(name, "runtime/"):
		case ours:
			t.Errorf("%s imports %s: the runtime does not know the compiler", file, name)
		case strings.Contains(first, "."):
			t.Errorf("%s imports %s, which is not in the standard library", file, imported)
		}
	})
}

// walkImports calls f for every import of every Go file of the project.
func walkImports(t *testing.T, f func(dir, file, imported string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		rel = filepath.ToSlash(rel)
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && rel != "." {
			return filepath.SkipDir
		}
		if d.IsDir() || path.Ext(rel) != ".go" {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		f(path.Dir(rel), rel, "")
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f(path.Dir(rel), rel, imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
