package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"iter"
	"time"
)

// file is one entry of an archive.
type file struct {
	name       string
	data       []byte
	executable bool
}

func (f file) mode() int64 {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// completions yields the shells with the names under which their scripts are
// looked for.
func completions() iter.Seq2[string, string] {
	return func(yield func(shell, name string) bool) {
		for _, c := range [...][2]string{{"bash", "margay.bash"}, {"zsh", "_margay"}, {"fish", "margay.fish"}, {"powershell", "margay.ps1"}} {
			if !yield(c[0], c[1]) {
				return
			}
		}
	}
}

func (r *release) writeArchive(t target, files []file) error {
	pack := tarball
	if t.os == "windows" {
		pack = zipped
	}
	data, err := pack(files, r.commit)
	if err != nil {
		return fmt.Errorf("pack for %s: %w", t, err)
	}
	return r.write(t.archive(r.version), data)
}

func tarball(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	archive := tar.NewWriter(packed)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: f.mode(), Size: int64(len(f.data)), ModTime: at, Format: tar.FormatPAX}
		if err := archive.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	if err := packed.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func zipped(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		// The mode counts where a NuGet package is unpacked on Linux or macOS.
		header.SetMode(0o644)
		if f.executable {
			header.SetMode(0o755)
		}
		w, err := archive.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
