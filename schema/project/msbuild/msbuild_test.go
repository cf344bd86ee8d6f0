package msbuild

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

func tree(files ...string) fstest.MapFS {
	fs := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		fs[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fs
}

func showReferences(all []Reference) string {
	var lines []string
	for _, r := range all {
		line := fmt.Sprintf("%s %s %s:%d", r.Name, r.Version, r.At.File, r.At.Line)
		if !r.Known {
			line += " unknown"
		}
		if r.Maybe != "" {
			line += " if " + r.Maybe
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestPackages(t *testing.T) {
	for _, tt := range []struct{ name, project, props, want string }{
		{"attribute", `<Project><ItemGroup>
<PackageReference Include="A" Version="1" /></ItemGroup></Project>`, "", "A 1 a/p.csproj:2"},
		{"element", `<Project><ItemGroup><PackageReference Include="A">
<Version> 1 </Version></PackageReference></ItemGroup></Project>`, "", "A 1 a/p.csproj:2"},
		{"property", `<Project><ItemGroup><PackageReference Include="A" Version="$(V).0" /></ItemGroup></Project>`,
			`<Project><PropertyGroup><V>2</V></PropertyGroup></Project>`, "A 2.0 a/p.csproj:1"},
		{"property in other case", `<Project><ItemGroup><PackageReference Include="A" Version="$(v)" /></ItemGroup></Project>`,
			`<Project><PropertyGroup><V>2</V></PropertyGroup></Project>`, "A 2 a/p.csproj:1"},
		{"unknown property", `<Project><ItemGroup><PackageReference Include="A" Version="$(V)" /></ItemGroup></Project>`, "", "A $(V) a/p.csproj:1 unknown"},
		{"condition that fails", `<Project><PropertyGroup><X>1</X></PropertyGroup><ItemGroup Condition="'$(X)' == '2'"><PackageReference Include="A" Version="1" /></ItemGroup></Project>`, "", ""},
		{"condition that holds", `<Project><PropertyGroup><X>1</X></PropertyGroup><ItemGroup><PackageReference Condition="'$(X)' != '2'" Include="A" Version="1" /></ItemGroup></Project>`, "", "A 1 a/p.csproj:1"},
		{"condition that is open", `<Project><ItemGroup Condition="'$(Configuration)' == 'Debug'"><PackageReference Include="A" Version="1" /></ItemGroup></Project>`, "", "A 1 a/p.csproj:1 if '$(Configuration)' == 'Debug'"},
		{"target framework", `<Project><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup><PackageReference Condition="'$(TargetFramework)'=='net8.0'" Include="A" Version="1" /><PackageReference Condition="'$(TargetFramework)'=='net9.0'" Include="A" Version="2" /></ItemGroup></Project>`, "", "A 1 a/p.csproj:1"},
		{"and, or", `<Project><PropertyGroup><X>1</X><Y>2</Y></PropertyGroup><ItemGroup><PackageReference Condition="'$(X)'=='1' and '$(Y)'=='2'" Include="A" Version="1" /><PackageReference Condition="'$(X)'=='3' or '$(Y)'=='3'" Include="B" Version="1" /></ItemGroup></Project>`, "", "A 1 a/p.csproj:1"},
		{"default", `<Project><PropertyGroup><V Condition="'$(V)' == ''">3</V></PropertyGroup><ItemGroup><PackageReference Include="A" Version="$(V)" /></ItemGroup></Project>`,
			`<Project><PropertyGroup><V>2</V></PropertyGroup></Project>`, "A 2 a/p.csproj:1"},
		{"default that counts", `<Project><PropertyGroup><V Condition="'$(V)' == ''">3</V></PropertyGroup><ItemGroup><PackageReference Include="A" Version="$(V)" /></ItemGroup></Project>`, "", "A 3 a/p.csproj:1"},
		{"two values", `<Project><PropertyGroup><V>1</V><V Condition="'$(CI)' == 'true'">2</V></PropertyGroup><ItemGroup><PackageReference Include="A" Version="$(V)" /></ItemGroup></Project>`, "", "A $(V) a/p.csproj:1 unknown"},
		{"properties before items", `<Project><ItemGroup Condition="'$(X)' == '2'"><PackageReference Include="A" Version="$(V)" /></ItemGroup><PropertyGroup><V>3</V><X>2</X></PropertyGroup></Project>`, "", "A 3 a/p.csproj:1"},
		{"update", `<Project><ItemGroup><PackageReference Include="A" Version="1" /><PackageReference Update="a" Version="2" /></ItemGroup></Project>`, "", "a 2 a/p.csproj:1"},
		{"remove", `<Project><ItemGroup><PackageReference Include="A;B" Version="1" /><PackageReference Remove="A" /></ItemGroup></Project>`, "", "B 1 a/p.csproj:1"},
		{"from props", `<Project />`, `<Project><ItemGroup><PackageReference Include="A" Version="1" /></ItemGroup></Project>`, "A 1 Directory.Build.props:1"},
		{"choose", `<Project><PropertyGroup><X>1</X></PropertyGroup><Choose><When Condition="'$(X)'=='1'"><ItemGroup><PackageReference Include="A" Version="1" /></ItemGroup></When><Otherwise><ItemGroup><PackageReference Include="A" Version="2" /></ItemGroup></Otherwise></Choose></Project>`, "", "A 1 a/p.csproj:1"},
		{"choose that is open", `<Project><Choose><When Condition="'$(CI)'=='1'"><ItemGroup><PackageReference Include="A" Version="1" /></ItemGroup></When><Otherwise><ItemGroup><PackageReference Include="A" Version="2" /></ItemGroup></Otherwise></Choose></Project>`, "",
			"A 1 a/p.csproj:1 if '$(CI)'=='1'\nA 2 a/p.csproj:1 if not '$(CI)'=='1'"},
		{"comment", `<Project><ItemGroup><!-- <PackageReference Include="A" Version="1" /> --></ItemGroup></Project>`, "", ""},
		{"target", `<Project><Target Name="X"><ItemGroup><PackageReference Include="A" Version="1" /></ItemGroup></Target></Project>`, "", ""},
		{"namespace", `<Project xmlns="http://schemas.microsoft.com/developer/msbuild/2003"><ItemGroup><PackageReference Include="A"><Version>1</Version></PackageReference></ItemGroup></Project>`, "", "A 1 a/p.csproj:1"},
		{"two version elements", `<Project><ItemGroup><PackageReference Include="A"><Version Condition="'$(CI)'=='1'">1</Version><Version>2</Version></PackageReference></ItemGroup></Project>`, "", "A $(Version by condition) a/p.csproj:1 unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := tree("a/p.csproj", tt.project)
			if tt.props != "" {
				files["Directory.Build.props"] = tree("x", tt.props)["x"]
			}
			p, err := Read(files, "a/p.csproj")
			if err != nil {
				t.Fatal(err)
			}
			if got := showReferences(p.Packages); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestImports(t *testing.T) {
	files := tree(
		"src/a/p.csproj", `<Project><Import Project="..\..\build\versions.props" /><Import Project="$(Unknown)/x.props" /><Import Project="gone.props" Condition="Exists('gone.props')" /><Import Project="lost.props" />
<ItemGroup><PackageReference Include="A" Version="$(V)" /><ProjectReference Include="..\b\b.csproj" /></ItemGroup></Project>`,
		"build/versions.props", `<Project><PropertyGroup><V>7</V></PropertyGroup><Import Project="$(MSBuildThisFileDirectory)versions.props" /></Project>`,
		"src/Directory.Packages.props", `<Project><Import Project="$([MSBuild]::GetPathOfFileAbove(Directory.Packages.props, $(MSBuildThisFileDirectory)..))" /></Project>`,
		"Directory.Packages.props", `<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup><ItemGroup><PackageVersion Include="A" Version="9" /></ItemGroup></Project>`,
	)
	p, err := Read(files, "src/a/p.csproj")
	if err != nil {
		t.Fatal(err)
	}
	got := showReferences(p.Packages) + "\n" + showReferences(p.Central) + "\n" + showReferences(p.Projects) + "\n" + showReferences(p.Missing) + fmt.Sprint("\n", p.CentralOn)
	want := `A 7 src/a/p.csproj:2
A 9 Directory.Packages.props:1
src/b/b.csproj  src/a/p.csproj:2
$(Unknown)/x.props  src/a/p.csproj:1 unknown
src/a/lost.props  src/a/p.csproj:1 unknown
true`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBroken(t *testing.T) {
	for _, text := range []string{"", "<Project>", "not xml", `<Project><a b=></Project>`} {
		if _, err := Read(tree("p.csproj", text), "p.csproj"); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	p, err := Read(tree("p.csproj", "<Project />", "Directory.Build.props", "<"), "p.csproj")
	if err != nil || len(p.Broken) != 1 {
		t.Errorf("got %+v, %v", p, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`<Project Sdk="a"><PropertyGroup><V Condition="'$(V)' == ''">$(V)</V></PropertyGroup><Import Project="p.csproj"/><ItemGroup><PackageReference Update="A;B" Version="$(V)"/></ItemGroup></Project>`))
	f.Add([]byte(`<Project><Choose><When Condition="a and b or 'c'=='d'"><ItemGroup/></When></Choose></Project>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		files := fstest.MapFS{"p.csproj": &fstest.MapFile{Data: text}, "Directory.Build.props": &fstest.MapFile{Data: text}}
		p, err := Read(files, "p.csproj")
		if (p == nil) == (err == nil) {
			t.Fatalf("got %v and %v", p, err)
		}
	})
}
