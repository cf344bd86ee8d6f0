package load_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/load"
)

func TestResolve(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "ocelot.json", `{}`)
	write(t, "other.json", `{}`)
	write(t, filepath.Join("gw", "ocelot.a.json"), `{"Routes":[{}]}`)
	write(t, filepath.Join("empty", "readme.md"), ``)
	large := filepath.Join("large", "ocelot.json")
	write(t, large, strings.Repeat(" ", 200))

	paths := load.Paths{MaxSize: 100, Stdin: strings.NewReader("{}"), StdinName: "piped.json"}
	inputs, problems := paths.Resolve([]string{"ocelot.json", "missing.json", "gw", "empty", "*.json", "no*such", large, "-"})

	var names []string
	for _, in := range inputs {
		names = append(names, in.Name)
	}
	if got, want := strings.Join(names, " "), "ocelot.json gw ocelot.json other.json piped.json"; got != want {
		t.Errorf("inputs %s, want %s", got, want)
	}
	var texts []string
	for _, p := range problems {
		texts = append(texts, p.Error())
	}
	want := []string{
		"read missing.json: no such file or directory",
		"read folder empty: it holds neither ocelot.json nor parts named ocelot.*.json",
		"read no*such: no file matches",
		"read " + large + ": file is larger than 100 bytes",
	}
	if got := strings.Join(texts, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("problems\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	if inputs[0].Globbed || !inputs[2].Globbed {
		t.Error("only what a pattern finds is globbed")
	}
}

// A folder that cannot be read is no folder without files.
func TestFoldersThatCannotBeRead(t *testing.T) {
	long := strings.Repeat("x", 300)
	_, problems := load.Paths{}.Resolve([]string{long + "/*.json", "nowhere/*.json"})
	if len(problems) != 2 || !strings.HasPrefix(problems[0].Error(), "read folder "+long+": ") || problems[1].Error() != "read nowhere/*.json: no file matches" {
		t.Errorf("got %v", problems)
	}
	_, err := load.Detect(load.Folder{FS: closed{}, Name: "gw"}, load.Choice{})
	if want := "read folder gw: permission denied"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// closed is a file system that lets nobody in.
type closed struct{}

func (closed) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestResolveRefusesWhatIsNoFile(t *testing.T) {
	if _, err := os.Stat("/dev/null"); err != nil {
		t.Skip("no devices here")
	}
	inputs, problems := load.Paths{}.Resolve([]string{"/dev/null"})
	if len(inputs) != 0 || len(problems) != 1 || problems[0].Error() != "read /dev/null: is not a regular file" {
		t.Errorf("got %v, %v", inputs, problems)
	}
}

func TestShownPathsHaveTheSeparatorOfThePlatform(t *testing.T) {
	folder := load.Folder{Name: `C:\gw`, Separator: '\\'}
	if got, want := folder.Path("sub/ocelot.json"), `C:\gw\sub\ocelot.json`; got != want {
		t.Errorf("Path = %s, want %s", got, want)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
