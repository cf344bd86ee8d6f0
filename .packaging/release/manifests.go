package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	checksums = "SHA256SUMS"
	// manifests is the folder of what package managers want to have submitted.
	manifests = "manifests"
)

// writeChecksums lists the digest of every file of the release in the form that
// `sha256sum --check` reads.
func (r *release) writeChecksums() error {
	entries, err := os.ReadDir(r.output)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, e := range entries {
		sum, err := digest(filepath.Join(r.output, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", sum, e.Name())
	}
	return r.write(checksums, []byte(list.String()))
}

func digest(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// manifest is what the manifests of package managers know.
type manifest struct {
	Version, Date string
	// Sums are the digests of the archives by platform, such as "linux/amd64".
	Sums map[string]string
}

// writeManifests fills the formula for Homebrew and the manifests for winget,
// which name archives of every platform.
func (r *release) writeManifests() error {
	m := manifest{Version: r.version, Date: r.commit.Format("2006-01-02"), Sums: map[string]string{}}
	for _, t := range targets() {
		sum, err := digest(filepath.Join(r.output, t.archive(r.version)))
		if err != nil {
			return err
		}
		m.Sums[t.String()] = sum
	}
	for name, to := range map[string]string{
		"homebrew.rb":           "homebrew/margay.rb",
		"winget-version.yaml":   "winget/Margay.Margay.yaml",
		"winget-installer.yaml": "winget/Margay.Margay.installer.yaml",
		"winget-locale.yaml":    "winget/Margay.Margay.locale.en-US.yaml",
	} {
		data, err := fill(name, m)
		if err != nil {
			return err
		}
		path := filepath.Join(manifests, to)
		if err := os.MkdirAll(filepath.Join(r.output, filepath.Dir(path)), 0o755); err != nil {
			return err
		}
		if err := r.write(path, data); err != nil {
			return err
		}
	}
	return nil
}
