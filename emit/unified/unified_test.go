package unified

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDiff(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"equal", "a\n", "a\n", ""},
		{"changed", "a\nb\nc\n", "a\nx\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
		{"from nothing", "", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"to nothing", "a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		{"no line end", "a", "a\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"line ends", "a\r\nb\r\n", "a\nb\r\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\r\n"},
		{"near changes are one hunk", "a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
			"@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n"},
		{"far changes are two", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
			"@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
	} {
		want := tt.want
		if want != "" {
			want = "--- old\n+++ new\n" + want
		}
		if got := Diff("old", "new", tt.old, tt.new); got != want {
			t.Errorf("%s:\ngot\n%swant\n%s", tt.name, got, want)
		}
	}
}

// TestLongTexts holds that nothing is lost of texts too long for the library.
func TestLongTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		block := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\n"}), 1, 40)
		times := rapid.IntRange(1, 200)
		old := strings.Repeat(strings.Join(block.Draw(t, "old"), ""), times.Draw(t, "times"))
		changed := strings.Repeat(strings.Join(block.Draw(t, "new"), ""), times.Draw(t, "times"))
		holdBoth(t, old, changed)
	})
}

// TestBothTextsAreInIt puts the old text together from what is left and what goes,
// and the new one from what is left and what comes.
func TestBothTextsAreInIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringMatching("[a-h]{1,2}\r?\n"), 0, 60)
		end := rapid.SampledFrom([]string{"", "a", "}"})
		old, changed := strings.Join(texts.Draw(t, "old"), "")+end.Draw(t, "end"), strings.Join(texts.Draw(t, "new"), "")+end.Draw(t, "end")
		holdBoth(t, old, changed)
	})
}

func holdBoth(t *rapid.T, old, changed string) {
	var left, right strings.Builder
	for _, l := range compare(old, changed) {
		if l.mark != '+' {
			left.WriteString(l.text)
		}
		if l.mark != '-' {
			right.WriteString(l.text)
		}
	}
	if left.String() != old || right.String() != changed {
		t.Errorf("got %q and %q want %q and %q", left.String(), right.String(), old, changed)
	}
}

// TestEqualRoutes: a file without a line of its own keeps small hunks, however
// long it is.
func TestEqualRoutes(t *testing.T) {
	const route = "{\n\"Path\": \"/a\",\n\"Host\": \"h\",\n\"Old\": 1,\n\"Port\": 80,\n\"Last\": true\n},\n"
	old := strings.Repeat(route, 2000)
	for name, changed := range map[string]string{
		"changed": strings.ReplaceAll(old, "Old", "New"),
		"removed": strings.ReplaceAll(old, "\"Old\": 1,\n", ""),
		"added":   strings.ReplaceAll(old, "\"Old\": 1,\n", "\"Old\": 1,\n\"New\": 1,\n"),
	} {
		t.Run(name, func(t *testing.T) {
			other := 0
			for _, l := range compare(old, changed) {
				if l.mark != ' ' {
					other++
				}
			}
			if other > 2*2000 {
				t.Errorf("got %d changed lines", other)
			}
		})
	}
}

// BenchmarkDiff changes two lines in every route of a file, whose routes differ in
// their paths or not at all.
func BenchmarkDiff(b *testing.B) {
	for _, shape := range []string{"unique", "alike"} {
		for _, routes := range []int{10, 1_000, 10_000} {
			var old strings.Builder
			for i := range routes {
				if shape == "alike" {
					i = 0
				}
				fmt.Fprintf(&old, "    {\n      \"UpstreamPathTemplate\": \"/a/%d\",\n      \"Timeout\": 5,\n      \"TimeoutValue\": 5000\n    },\n", i)
			}
			changed := strings.NewReplacer("TimeoutValue", "Timeout", "5,", "6,").Replace(old.String())
			b.Run(fmt.Sprintf("%s/%d", shape, routes), func(b *testing.B) {
				b.SetBytes(int64(old.Len()))
				b.ReportAllocs()
				for b.Loop() {
					Diff("old", "new", old.String(), changed)
				}
			})
		}
	}
}

// TestPatchTakesIt applies differences with the real patch program.
func TestPatchTakesIt(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("patch is not installed; TestDiff holds the form")
	}
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "d\r\n"}), 0, 40)
		old, changed := strings.Join(texts.Draw(t, "old"), ""), strings.Join(texts.Draw(t, "new"), "")
		if old == changed {
			return
		}
		name := filepath.Join(dir, "text")
		if err := os.WriteFile(name, []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
		command := exec.Command(patch, "--binary", "-s", "-F0", name)
		command.Stdin = strings.NewReader(Diff("text", "text", old, changed))
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("patch: %v\n%s", err, out)
		}
		got, err := os.ReadFile(name)
		if err != nil && changed != "" {
			t.Fatal(err)
		}
		if string(got) != changed {
			t.Errorf("got %q want %q", got, changed)
		}
	})
}
