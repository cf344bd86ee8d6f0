package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	stdruntime "runtime"
	"slices"
	"strings"
	"testing"
)

const version = "1.2.3-test.1"

// built is a release of this platform alone.
func built(t *testing.T) (folder string, host target) {
	t.Helper()
	if testing.Short() {
		t.Skip("a release takes a minute to build")
	}
	host, err := hostTarget()
	if err != nil {
		t.Skip(err)
	}
	folder = t.TempDir()
	args := []string{"-root", "../..", "-output", filepath.Join(folder, "v"+version), "-version", "v" + version, "-only", host.String()}
	if err := run(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	return folder, host
}

func hostTarget() (target, error) {
	chosen, err := choose(stdruntime.GOOS + "/" + stdruntime.GOARCH)
	if err != nil {
		return target{}, err
	}
	return chosen[0], nil
}

func TestRelease(t *testing.T) {
	folder, host := built(t)
	release := filepath.Join(folder, "v"+version)

	t.Run("archive", func(t *testing.T) {
		names := tarNames(t, filepath.Join(release, host.archive(version)))
		want := []string{"margay", "LICENSE", "README.md", "CHANGELOG.md",
			"completions/margay.bash", "completions/_margay", "completions/margay.fish", "completions/margay.ps1"}
		if !slices.Equal(names, want) {
			t.Errorf("got %v want %v", names, want)
		}
	})
	t.Run("packages", func(t *testing.T) { checkPackages(t, release, host) })
	t.Run("bill of materials", func(t *testing.T) {
		list := read(t, filepath.Join(release, host.base(version)+".sbom.cdx.json"))
		for _, want := range []string{`"CycloneDX"`, "pkg:golang/github.com/urfave/cli/v2@", "v" + version} {
			if !strings.Contains(list, want) {
				t.Errorf("%s is missing", want)
			}
		}
	})
	t.Run("same bytes again", func(t *testing.T) {
		before := read(t, filepath.Join(release, checksums))
		again, _ := built(t)
		if after := read(t, filepath.Join(again, "v"+version, checksums)); after != before {
			t.Errorf("got\n%swant\n%s", after, before)
		}
	})
	t.Run("ways in", func(t *testing.T) { checkWaysIn(t, folder) })
}

func checkPackages(t *testing.T, release string, host target) {
	platform := unzip(t, filepath.Join(release, "margay."+host.rid+"."+version+".nupkg"))
	folder := "tools/any/" + host.rid + "/"
	want := []string{"[Content_Types].xml", "_rels/.rels", "margay." + host.rid + ".nuspec", folder + "DotnetToolSettings.xml", folder + "margay"}
	if got := names(platform); !slices.Equal(got, want) {
		t.Errorf("got %v want %v", got, want)
	}
	pointer := unzip(t, filepath.Join(release, "margay."+version+".nupkg"))
	var settings struct {
		Version  string `xml:"Version,attr"`
		Commands []struct {
			Name string `xml:"Name,attr"`
		} `xml:"Commands>Command"`
		Platforms []struct {
			Platform string `xml:"RuntimeIdentifier,attr"`
			ID       string `xml:"Id,attr"`
		} `xml:"RuntimeIdentifierPackages>RuntimeIdentifierPackage"`
	}
	decode(t, pointer, "tools/any/any/DotnetToolSettings.xml", &settings)
	if settings.Version != "2" || len(settings.Commands) != 1 || settings.Commands[0].Name != "margay" ||
		len(settings.Platforms) != 1 || settings.Platforms[0].ID != "margay."+host.rid {
		t.Errorf("got %+v", settings)
	}
	var described struct {
		ID      string `xml:"metadata>id"`
		Version string `xml:"metadata>version"`
		Types   []struct {
			Name string `xml:"name,attr"`
		} `xml:"metadata>packageTypes>packageType"`
	}
	decode(t, platform, "margay."+host.rid+".nuspec", &described)
	if described.ID != "margay."+host.rid || described.Version != version || len(described.Types) != 1 || described.Types[0].Name != "DotnetToolRidPackage" {
		t.Errorf("got %+v", described)
	}
	for _, f := range platform {
		if strings.HasSuffix(f.Name, "/margay") && f.Mode().Perm() != 0o755 {
			t.Errorf("the program has the mode %v", f.Mode())
		}
	}
}

func tarNames(t *testing.T, path string) []string {
	t.Helper()
	packed, err := gzip.NewReader(strings.NewReader(read(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for archive := tar.NewReader(packed); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
	}
}

func unzip(t *testing.T, path string) []*zip.File {
	t.Helper()
	data := read(t, path)
	archive, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return archive.File
}

func names(files []*zip.File) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}

func decode(t *testing.T, files []*zip.File, name string, into any) {
	t.Helper()
	at := slices.IndexFunc(files, func(f *zip.File) bool { return f.Name == name })
	if at < 0 {
		t.Fatalf("%s is missing in %v", name, names(files))
	}
	r, err := files[at].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := xml.NewDecoder(r).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
