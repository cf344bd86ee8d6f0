package prose_test

import (
	"strings"
	"testing"

	"github.com/margay-dev/margay/schema/prose"
)

func TestEntryFitsNarrowScreens(t *testing.T) {
	e := prose.Entry{Label: "- /orders/{id}", Text: "removed; its requests now reach /{everything}", Where: "line 41", LabelColumn: 26, PlaceColumn: 16}
	for width, want := range map[int]string{
		40: "- /orders/{id}\n    removed; its requests now reach\n    /{everything}, line 41",
		50: "- /orders/{id}            removed; its requests\n                          now reach /{everything},\n                          line 41",
	} {
		lines := e.Lines(width)
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%d columns: got\n%s\nwant\n%s", width, got, want)
		}
		for _, line := range lines {
			if prose.Wide(line) > width {
				t.Errorf("%q has %d columns of %d", line, prose.Wide(line), width)
			}
		}
	}
	e.Label = ""
	if got := e.Lines(40)[0]; !strings.HasPrefix(got, "    removed") {
		t.Errorf("without a label: got %q", got)
	}
}
