package pipeline_test

import (
	"os"
	"strings"
	"testing"
)

// TestPortingPageCompiles holds the page against the examples: every block of
// Go in it must stand in one of them, apart from white space within lines.
func TestPortingPageCompiles(t *testing.T) {
	page, err := os.ReadFile("../PORTING.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("porting_example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	code := squeeze(string(source))
	blocks := strings.Split(string(page), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("got no block of Go in the page")
	}
	for _, rest := range blocks {
		block, _, _ := strings.Cut(rest, "```")
		if !strings.Contains(code, squeeze(block)) {
			t.Errorf("this block of the page stands in no example:\n%s", block)
		}
	}
}

func squeeze(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}
