package upgrade_test

import (
	"slices"
	"testing"

	"github.com/margay-dev/margay/emit/surprise"
	"github.com/margay-dev/margay/emit/upgrade"
	"github.com/margay-dev/margay/schema/profile"
)

// TestPagesAreReported compares the first file of every page as the page says:
// the report has its number; the second file, where it keeps today's behaviour,
// changes nothing against the first.
func TestPagesAreReported(t *testing.T) {
	for _, s := range surprise.Surprises() {
		from, ok := profile.Find(s.From)
		to, ok2 := profile.Find(s.To)
		if !ok || !ok2 {
			t.Fatalf("%s: no releases %s, %s", s.ID, s.From, s.To)
		}
		from.Provider, to.Provider = s.Providers.From, s.Providers.To
		before, _ := s.Files()
		if before == "" {
			continue
		}
		r := compare(t, []byte(before), from, to)
		if !slices.Contains(numbersOf(r), s.ID) {
			t.Errorf("%s is not reported of its page:\n%s\n%s", s.ID, before, textOf(t, r))
		}
		if s.Hidden == "" && !s.Unchanged && s.Danger != surprise.Names && !r.Changed && s.ID != "U30" {
			t.Errorf("%s: nothing changes:\n%s", s.ID, textOf(t, r))
		}
	}
}

// TestPagesAreKept makes the edits for the file of every page that has a second
// one which keeps today's behaviour: then nothing is lost.
func TestPagesAreKept(t *testing.T) {
	for _, s := range surprise.Surprises() {
		// The pages U21 and U22 give the session cookie another name, and U49
		// another template: only the people who run the gateway can decide that.
		if s.After != surprise.Keeps || s.ID == "U21" || s.ID == "U22" || s.ID == "U49" {
			continue
		}
		from, _ := profile.Find(s.From)
		to, _ := profile.Find(s.To)
		from.Provider, to.Provider = s.Providers.From, s.Providers.To
		before, _ := s.Files()
		k, err := upgrade.Keep(t.Context(), compile(t, []byte(before), from), compile(t, []byte(before), to))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range k.Losses {
			t.Errorf("%s: %s of %q is not kept: %s\n%s", s.ID, l.Cause, l.Route, l.Text, before)
		}
	}
}
