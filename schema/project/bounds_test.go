package project_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/project"
)

const gateway = `<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Ocelot" Version="24.0.0" />
    <PackageReference Include="Ocelot.Provider.Polly" Version="24.0.0" />
  </ItemGroup>
</Project>
`

const program = `using Ocelot.DependencyInjection;
var builder = WebApplication.CreateBuilder(args);
builder.Configuration.AddJsonFile("ocelot.json");
builder.Services.AddOcelot(builder.Configuration).AddPolly();
`

func put(t testing.TB, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// usual writes a gateway as it stands in a repository: some dozens of sources,
// a solution, another service.
func usual(t testing.TB) string {
	root := t.TempDir()
	put(t, root, ".git/HEAD", "ref: refs/heads/main\n")
	put(t, root, "Shop.sln", `Project("{A}") = "Gateway", "src\Gateway\Gateway.csproj", "{B}"`)
	put(t, root, "src/Gateway/Gateway.csproj", gateway)
	put(t, root, "src/Gateway/Program.cs", program)
	put(t, root, "src/Gateway/ocelot.json", `{ "Routes": [] }`)
	for i := range 60 {
		body := strings.Repeat("        if (count > 0) { log.LogInformation($\"{count} of {total}\", \"text\"); /* why */ }\n", 60)
		put(t, root, fmt.Sprintf("src/Gateway/Handlers/Handler%d.cs", i), fmt.Sprintf(
			"namespace Shop.Gateway;\n\npublic class Handler%d : DelegatingHandler\n{\n    public void Handle(int count, int total)\n    {\n%s    }\n}\n", i, body))
	}
	return root
}

func TestRoot(t *testing.T) {
	repository := usual(t)
	lone := t.TempDir()
	put(t, lone, "app/Gateway.csproj", gateway)
	put(t, lone, "app/config/ocelot.json", "{}")
	for _, tt := range []struct{ path, root, dir string }{
		{filepath.Join(repository, "src", "Gateway"), repository, "src/Gateway"},
		{filepath.Join(repository, "src", "Gateway", "ocelot.json"), repository, "src/Gateway"},
		{filepath.Join(repository, "src", "Gateway", "*.json"), repository, "src/Gateway"},
		{repository, repository, "."},
		{filepath.Join(lone, "app", "config"), filepath.Join(lone, "app"), "config"},
	} {
		root, dir, err := project.Root(tt.path)
		if err != nil || root != tt.root || dir != tt.dir {
			t.Errorf("%s: got %s, %s, %v want %s, %s", tt.path, root, dir, err, tt.root, tt.dir)
		}
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	root := usual(t)
	dir := filepath.Join(root, "src", "Gateway")
	if err := os.Symlink(dir, filepath.Join(dir, "loop")); err != nil {
		t.Skip(err)
	}
	p := project.Detect(os.DirFS(root), project.Query{Dir: "src/Gateway"})
	if p.Provider.Value != "polly" || p.Discovery.Known {
		t.Errorf("got %s", describe(p))
	}
}

func TestLargeTreesAreBounded(t *testing.T) {
	files := fstest.MapFS{
		"Gateway.csproj": {Data: []byte(gateway)},
		"ZZ.cs":          {Data: []byte(program)},
	}
	for i := range 1000 {
		files[fmt.Sprintf("A%d.cs", i)] = &fstest.MapFile{Data: []byte("class A {}")}
	}
	p := project.Detect(files, project.Query{Dir: "."})
	if !p.Ocelot.Known || p.Schemes.Known || p.Discovery.Known || p.Provider.Known {
		t.Errorf("got %s", describe(p))
	}
}

// FuzzDetect puts anything in the place of the files of a project: nothing
// makes it fail, and the answer is always the same.
func FuzzDetect(f *testing.F) {
	f.Add(gateway, program, `{"version":1,"dependencies":{"net8.0":{"Ocelot":{"resolved":"24.0.0"}}}}`)
	f.Add("<Project/>", "", "{}")
	f.Fuzz(func(t *testing.T, proj, source, lock string) {
		files := fstest.MapFS{
			"Gateway.csproj": {Data: []byte(proj)}, "Program.cs": {Data: []byte(source)}, "packages.lock.json": {Data: []byte(lock)},
			"packages.config": {Data: []byte(proj)}, "Directory.Packages.props": {Data: []byte(proj)}, "bin/Gateway.deps.json": {Data: []byte(lock)},
		}
		first := describe(project.Detect(files, project.Query{Dir: "."}))
		if again := describe(project.Detect(files, project.Query{Dir: "."})); again != first {
			t.Errorf("got %s and %s", first, again)
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	root := usual(b)
	dir := filepath.Join(root, "src", "Gateway")
	b.ReportAllocs()
	for b.Loop() {
		at, rel, err := project.Root(dir)
		if err != nil {
			b.Fatal(err)
		}
		if p := project.Detect(os.DirFS(at), project.Query{Dir: rel}); !p.Provider.Known {
			b.Fatal(describe(p))
		}
	}
}
