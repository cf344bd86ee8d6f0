package emit_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/load"
	"github.com/margay-dev/margay/schema/profile"
	"github.com/margay-dev/margay/validate/rules"
)

const views = "../testdata/views"

// screens are what people look at, each with the profiles that change it.
var screens = []struct {
	name  string
	input string
	by    profile.Profile
}{
	{"example", "../testdata/gateways/example", profile.Profile{}},
	{"odd", views + "/odd.json", profile.Profile{}},
	{"odd-polly-25.0", views + "/odd.json", profile.Profile{Version: "25.0", Provider: profile.Polly}},
	{"services", views + "/services.json", profile.Profile{}},
	{"services-25.0", views + "/services.json", profile.Profile{Version: "25.0"}},
	{"older-22.0", views + "/older.json", profile.Profile{Version: "22.0", Asked: "18.0", Provider: profile.Polly}},
	{"older-23.2", views + "/older.json", profile.Profile{Version: "23.2", Provider: profile.Polly}},
	{"older-24.0", views + "/older.json", profile.Profile{Version: "24.0", Provider: profile.Polly}},
	{"older-24.1", views + "/older.json", profile.Profile{Version: "24.1", Provider: profile.Polly}},
}

// TestViews holds every screen against its golden file at two widths; UPDATE=1
// writes them anew.
func TestViews(t *testing.T) {
	written := map[string]bool{}
	for _, s := range screens {
		r := compilePath(t, s.input, s.by)
		for _, width := range []int{80, 120} {
			view := emit.View{Width: width}
			name := fmt.Sprintf("%s.%d.txt", s.name, width)
			written[name] = true
			golden(t, name, screen(t, r, view))
		}
		name := s.name + ".md"
		written[name] = true
		golden(t, name, output(t, func(w io.Writer) error { return emit.Markdown(w, []*emit.Result{r}, emit.View{}) }))
	}
	files, err := os.ReadDir(views)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if filepath.Ext(f.Name()) != ".json" && !written[f.Name()] {
			t.Errorf("golden file %s belongs to no screen", f.Name())
		}
	}
}

// screen returns the table and the explanation of every route. Neither is
// wider than the terminal, and no secret or control character gets through.
func screen(t *testing.T, r *emit.Result, view emit.View) string {
	t.Helper()
	text := output(t, func(w io.Writer) error { return emit.Table(w, []*emit.Result{r}, view) })
	for _, route := range emit.Select(r, "") {
		text += "\n--------\n" + output(t, func(w io.Writer) error { return emit.Explain(w, r, route, view) })
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > view.Width {
			t.Errorf("%s: a line has %d of %d columns: %s", r.Input.Name, n, view.Width, line)
		}
		if strings.ContainsAny(line, "\x1b\t\r") || strings.Contains(line, "s3cr3t") {
			t.Errorf("%s: a control character or a secret gets through: %q", r.Input.Name, line)
		}
	}
	return text
}

func output(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join(views, name)
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

func compilePath(t *testing.T, path string, by profile.Profile) *emit.Result {
	t.Helper()
	inputs, problems := load.Paths{}.Resolve([]string{path})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	r, err := emit.Compile(t.Context(), inputs[0], emit.Options{Profile: by, Rules: rules.All(), Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOutputIsTheSameEveryTime compiles and writes everything ten times.
func TestOutputIsTheSameEveryTime(t *testing.T) {
	for _, s := range screens {
		first := everything(t, s.input, s.by)
		for range 9 {
			if again := everything(t, s.input, s.by); again != first {
				t.Fatalf("%s: got\n%s\nthe first time, then\n%s", s.name, first, again)
			}
		}
	}
}

func everything(t *testing.T, path string, by profile.Profile) string {
	t.Helper()
	r := compilePath(t, path, by)
	all := []*emit.Result{r}
	text := screen(t, r, emit.View{Width: 80})
	for _, write := range []func(w io.Writer) error{
		func(w io.Writer) error { return emit.JSON(w, all, emit.View{}) },
		func(w io.Writer) error { return emit.YAML(w, all, emit.View{}) },
		func(w io.Writer) error { return emit.Markdown(w, all, emit.View{}) },
		func(w io.Writer) error { _, err := emit.WritePlan(w, r); return err },
	} {
		text += output(t, write)
	}
	for _, d := range r.Findings {
		text += fmt.Sprintf("%s:%d:%d %s %s %s\n", d.Span.File.Name, d.Span.Start, d.Span.End, d.Severity, d.Rule, d.Message)
	}
	return text
}
