package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// build compiles margay for a platform and returns the program.
func (r *release) build(ctx context.Context, t target) ([]byte, error) {
	folder, err := os.MkdirTemp("", "margay-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, t.binary())
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w -X main.version="+r.version, "-o", path, "./cmd/margay")
	build.Dir = r.root
	build.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build for %s: %w\n%s", t, err, out)
	}
	return os.ReadFile(path)
}

// extras are the files that stand beside the program in every archive: licence,
// words, and the completion of each shell, which the program itself prints.
func (r *release) extras(ctx context.Context) ([]file, error) {
	var files []file
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, data: data})
	}
	for shell, name := range completions() {
		script, err := command(ctx, r.root, "go", "run", "./cmd/margay", "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "completions/" + name, data: []byte(script + "\n")})
	}
	return files, nil
}

// writeBillOfMaterials lists the modules in the program of a platform, in the
// CycloneDX form. It reads the program itself, so it names what was built and
// nothing that was not.
func (r *release) writeBillOfMaterials(ctx context.Context, t target, binary []byte) error {
	const tool = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"
	folder, err := os.MkdirTemp("", "margay-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, t.binary())
	if err := os.WriteFile(program, binary, 0o755); err != nil {
		return err
	}
	list, err := command(ctx, r.root, "go", "run", tool, "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", "v"+r.version, program)
	if err != nil {
		return err
	}
	return r.write(t.base(r.version)+".sbom.cdx.json", []byte(list+"\n"))
}

// command runs a program in a folder and returns what it printed, without the
// last line end.
func command(ctx context.Context, folder, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = folder
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, trouble.Bytes())
	}
	return strings.TrimRight(out.String(), "\n"), nil
}
