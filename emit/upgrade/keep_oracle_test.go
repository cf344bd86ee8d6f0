package upgrade_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/margay-dev/margay/emit"
	"github.com/margay-dev/margay/emit/upgrade"
)

// TestOracleKeeps edits every recorded configuration for every upgrade: what is
// not as today then has a cause, and the report on the edited file says nothing
// but that. The numbers of each cause are counted.
func TestOracleKeeps(t *testing.T) {
	counts := map[string]map[upgrade.Cause]int{}
	changed, kept := map[string]int{}, map[string]int{}
	eachRecording(t, func(rec recording) {
		for _, way := range ways {
			name := way[0] + " to " + way[1]
			if counts[name] == nil {
				counts[name] = map[upgrade.Cause]int{}
			}
			from, to := compile(t, rec.Config, profileOf(t, way[0])), compile(t, rec.Config, profileOf(t, way[1]))
			k, err := upgrade.Keep(t.Context(), from, to)
			if errors.Is(err, emit.ErrNotJSON) {
				continue
			}
			if err != nil {
				t.Fatalf("%s %s: %v", rec.ID, name, err)
			}
			if k.Changing == 0 && len(k.Losses) == 0 {
				continue
			}
			changed[name]++
			checkKept(t, rec.ID+" "+name, k)
			if len(k.Losses) == 0 {
				kept[name]++
			}
			seen := map[upgrade.Cause]bool{}
			for _, l := range k.Losses {
				if !seen[l.Cause] {
					counts[name][l.Cause]++
				}
				seen[l.Cause] = true
			}
		}
	})
	// Nine of ten are; a few recordings may well be the other ones.
	if name := "24.0.1 to 24.1.0"; kept[name]*3 < changed[name]*2 {
		t.Errorf("%s: only %d of %d are kept whole", name, kept[name], changed[name])
	}
	for _, way := range ways {
		name := way[0] + " to " + way[1]
		line := fmt.Sprintf("%s: %d change, %d are kept whole", name, changed[name], kept[name])
		for _, cause := range slices.Sorted(maps.Keys(counts[name])) {
			line += fmt.Sprintf("; %s %d", cause, counts[name][cause])
		}
		t.Log(line)
	}
}

// checkKept looks at the form of what Keep returns.
func checkKept(t *testing.T, id string, k *upgrade.Kept) {
	t.Helper()
	for _, l := range k.Losses {
		if l.Text == "" || l.Cause == "" {
			t.Errorf("%s: a loss without a reason: %+v", id, l)
		}
	}
	for i := range k.Result.Loaded.Texts {
		if defects := k.Result.Loaded.Texts[i].Defects; len(defects) > 0 {
			t.Errorf("%s: the edited text is no JSON: %s", id, k.Result.Loaded.Texts[i].File.Text)
		}
	}
	again, err := upgrade.Keep(t.Context(), k.Result, k.Result)
	if err != nil || len(again.Files) > 0 || len(again.Losses) > 0 {
		t.Errorf("%s: keeping what is there already edits %d files and loses %v, %v", id, len(again.Files), again.Losses, err)
	}
}
