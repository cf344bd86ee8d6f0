package emit_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/schema/profile"
)

// TestVersionsMarkdownIsATable with every case in a line of its own, and each
// aspect named once.
func TestVersionsMarkdownIsATable(t *testing.T) {
	var b strings.Builder
	if err := emit.VersionsMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")[2:]
	for _, aspect := range profile.Matrix() {
		for i, c := range aspect.Cases {
			if len(lines) == 0 {
				t.Fatalf("no line for %s, %s", aspect.Name, c.Span())
			}
			cells := strings.Split(strings.ReplaceAll(lines[0], `\|`, "\x00"), "|")
			name := ""
			if i == 0 {
				name = aspect.Name
			}
			if len(cells) != 5 || strings.TrimSpace(cells[1]) != name || strings.TrimSpace(cells[2]) != c.Span() ||
				strings.ReplaceAll(strings.TrimSpace(cells[3]), "\x00", "|") != c.Text {
				t.Errorf("got %q for %s, %s", lines[0], aspect.Name, c.Span())
			}
			lines = lines[1:]
		}
	}
	if len(lines) > 0 {
		t.Errorf("nothing is known of %q", lines)
	}
}
