package surprise_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/schema/profile"
)

func TestSurprisesAreComplete(t *testing.T) {
	all := surprise.Surprises()
	if len(all) != 50 {
		t.Errorf("got %d surprises want 50", len(all))
	}
	for i, s := range all {
		if want := fmt.Sprintf("U%02d", i+1); s.ID != want {
			t.Errorf("got %s want %s", s.ID, want)
		}
		if !strings.HasPrefix(s.Page, "# "+s.ID+"\n\n") || s.Danger.String() == "" {
			t.Errorf("%s: the page has another heading, or no danger is given", s.ID)
		}
		if n := utf8.RuneCountInString(s.Title); n == 0 || n > 58 || strings.HasSuffix(s.Title, ".") {
			t.Errorf("%s: the title has %d letters, or a full stop: %s", s.ID, n, s.Title)
		}
		from, known := profile.ParseRelease(s.From)
		to, also := profile.ParseRelease(s.To)
		if !known || !also || !from.Before(to) {
			t.Errorf("%s: from %s to %s", s.ID, s.From, s.To)
		}
		if before, _ := s.Files(); before == "" {
			t.Errorf("%s: the page has no file", s.ID)
		}
		for _, id := range s.Cases {
			if !strings.Contains(s.Page, "`"+id+"`") {
				t.Errorf("%s: the page does not name %s", s.ID, id)
			}
		}
		if found, ok := surprise.ByID(strings.ToLower(s.ID)); !ok || found.Title != s.Title {
			t.Errorf("%s is not found by its ID", s.ID)
		}
	}
	if _, ok := surprise.ByID("U51"); ok {
		t.Error("U51 is found")
	}
	files, err := filepath.Glob("*.md")
	if err != nil || len(files) != len(all) {
		t.Errorf("got %d pages, %v", len(files), err)
	}
	if _, err := os.Stat("u01.md"); err != nil {
		t.Error(err)
	}
}
