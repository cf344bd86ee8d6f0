package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

// release is one version of margay on its way into a folder.
type release struct {
	root, output string
	version      string
	// commit is when the source was committed, which every time in an archive
	// is set to.
	commit time.Time
}

// newRelease finds out what is to be released. The folder of the project has to
// be a clone.
func newRelease(ctx context.Context, root, output, version string) (*release, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	output, err = filepath.Abs(output)
	if err != nil {
		return nil, err
	}
	if version == "" {
		if version, err = describe(ctx, root); err != nil {
			return nil, err
		}
	}
	version = strings.TrimPrefix(version, "v")
	if !semver.IsValid("v"+version) || strings.Count(version, ".") < 2 {
		return nil, fmt.Errorf("%q is no version: write one such as 1.2.3 or 1.2.3-rc.1", version)
	}
	seconds, err := command(ctx, root, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("read the time of the commit: %w", err)
	}
	return &release{root: root, output: output, version: version, commit: time.Unix(unix, 0).UTC()}, nil
}

// describe returns the version of the tag that the source stands on, or a
// version of its own before the first one.
func describe(ctx context.Context, root string) (string, error) {
	if tag, err := command(ctx, root, "git", "describe", "--tags", "--exact-match", "--match", "v*"); err == nil {
		return tag, nil
	}
	commit, err := command(ctx, root, "git", "rev-parse", "--short=12", "HEAD")
	if err != nil {
		return "", err
	}
	return "0.0.0-dev.g" + commit, nil
}

// make builds everything. The folder is new or was made by an earlier run.
func (r *release) make(ctx context.Context, chosen []target) error {
	if err := r.clear(); err != nil {
		return err
	}
	extras, err := r.extras(ctx)
	if err != nil {
		return err
	}
	for _, t := range chosen {
		if err := r.makeTarget(ctx, t, extras); err != nil {
			return err
		}
		fmt.Println("built", t)
	}
	if err := r.writePointerPackage(chosen); err != nil {
		return err
	}
	if err := r.writeChecksums(); err != nil {
		return err
	}
	if len(chosen) < len(targets()) {
		return nil // a trial: the manifests name every platform
	}
	return r.writeManifests()
}

// makeTarget builds what belongs to one platform.
func (r *release) makeTarget(ctx context.Context, t target, extras []file) error {
	binary, err := r.build(ctx, t)
	if err != nil {
		return err
	}
	files := append([]file{{name: t.binary(), data: binary, executable: true}}, extras...)
	if err := r.writeArchive(t, files); err != nil {
		return err
	}
	if err := r.writePlatformPackage(t, binary); err != nil {
		return err
	}
	return r.writeBillOfMaterials(ctx, t, binary)
}

// clear makes the folder of the release empty. It removes nothing that a
// release did not write.
func (r *release) clear() error {
	entries, err := os.ReadDir(r.output)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, "margay") && name != checksums && name != manifests {
			return fmt.Errorf("%s holds %s, which no release wrote: name another folder with -output", r.output, name)
		}
	}
	if err := os.RemoveAll(r.output); err != nil {
		return err
	}
	return os.MkdirAll(r.output, 0o755)
}

func (r *release) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(r.output, name), data, 0o644)
}
