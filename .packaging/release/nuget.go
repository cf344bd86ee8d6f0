package main

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"text/template"
)

// A native program is a .NET tool since SDK 10: a pointer package that names
// one package per platform, of which the SDK takes the right one. No .NET code
// is in either; earlier SDKs say that they do not know the form. The layout is
// that of the SDK's own pointer packages since the summer of 2026, with
// tools/any/any, and was installed with `dotnet tool install`, a local manifest
// and `dotnet tool exec`.

//go:embed templates
var texts embed.FS

// nuget is what the templates of a package know.
type nuget struct {
	ID, Version string
	// PackageType is DotnetTool or DotnetToolRidPackage.
	PackageType string
	// EntryPoint is the program, in a platform's package.
	EntryPoint string
	// Platforms are the names of the platforms, in the pointer package.
	Platforms []string
	// WithoutExtension is the file that needs a content type of its own.
	WithoutExtension string
}

func (r *release) writePointerPackage(targets []target) error {
	n := nuget{ID: "margay", Version: r.version, PackageType: "DotnetTool"}
	for _, t := range targets {
		n.Platforms = append(n.Platforms, t.rid)
	}
	return r.writePackage(n, "pointer-settings.xml", "tools/any/any", nil)
}

func (r *release) writePlatformPackage(t target, binary []byte) error {
	n := nuget{ID: "margay." + t.rid, Version: r.version, PackageType: "DotnetToolRidPackage", EntryPoint: t.binary()}
	folder := "tools/any/" + t.rid
	program := file{name: path.Join(folder, t.binary()), data: binary, executable: true}
	if path.Ext(program.name) == "" {
		n.WithoutExtension = program.name
	}
	return r.writePackage(n, "platform-settings.xml", folder, []file{program})
}

// writePackage writes a package: a zip whose first entries describe it.
func (r *release) writePackage(n nuget, settings, folder string, files []file) error {
	described := []file{}
	for _, part := range [...]struct{ name, template string }{
		{"[Content_Types].xml", "content-types.xml"},
		{"_rels/.rels", "rels.xml"},
		{n.ID + ".nuspec", "nuspec.xml"},
		{path.Join(folder, "DotnetToolSettings.xml"), settings},
	} {
		data, err := fill(part.template, n)
		if err != nil {
			return err
		}
		described = append(described, file{name: part.name, data: data})
	}
	data, err := zipped(append(described, files...), r.commit)
	if err != nil {
		return fmt.Errorf("pack %s: %w", n.ID, err)
	}
	return r.write(n.ID+"."+n.Version+".nupkg", data)
}

// fill executes an embedded template. Versions and names of platforms are the
// only values, and neither holds a character that XML or YAML would read.
func fill(name string, data any) ([]byte, error) {
	t, err := template.ParseFS(texts, "templates/"+name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, data); err != nil {
		return nil, fmt.Errorf("fill %s: %w", name, err)
	}
	return out.Bytes(), nil
}
