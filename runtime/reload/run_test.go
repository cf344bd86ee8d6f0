package reload

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

const quiet = 100 * time.Millisecond

// played runs a watcher of "a.json" on a clock of its own, while act tells it of
// changes, and returns when its task ran.
func played(t *testing.T, act func(events chan<- fsnotify.Event, ask chan<- struct{})) (at []time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		events, ask := make(chan fsnotify.Event), make(chan struct{})
		w := &Watcher{options: Options{Quiet: quiet, Ask: ask}, notify: &fsnotify.Watcher{Events: events}, followed: map[string]bool{"a.json": true}}
		start := time.Now()
		go w.Run(t.Context(), func(context.Context) { at = append(at, time.Since(start)) })
		act(events, ask)
		time.Sleep(time.Hour)
		close(events) // Run ends
		synctest.Wait()
	})
	return at
}

func TestTheTaskRunsOnce(t *testing.T) {
	written, other := fsnotify.Event{Name: "a.json", Op: fsnotify.Write}, fsnotify.Event{Name: "access.log", Op: fsnotify.Write}
	touched := fsnotify.Event{Name: "a.json", Op: fsnotify.Chmod}
	for name, tc := range map[string]struct {
		act  func(events chan<- fsnotify.Event, ask chan<- struct{})
		want []time.Duration
	}{
		"a change": {func(events chan<- fsnotify.Event, _ chan<- struct{}) { events <- written }, []time.Duration{quiet}},
		"in pieces": {func(events chan<- fsnotify.Event, _ chan<- struct{}) {
			for range 5 {
				events <- written
				time.Sleep(quiet / 2)
			}
		}, []time.Duration{3 * quiet}},
		"without end": {func(events chan<- fsnotify.Event, _ chan<- struct{}) {
			for range 39 {
				events <- written
				time.Sleep(quiet / 2)
			}
		}, []time.Duration{10 * quiet, 20 * quiet}},
		"other files": {func(events chan<- fsnotify.Event, _ chan<- struct{}) { events <- other; events <- touched }, nil},
		"asked":       {func(_ chan<- fsnotify.Event, ask chan<- struct{}) { ask <- struct{}{} }, []time.Duration{0}},
		"asked while changes come": {func(events chan<- fsnotify.Event, ask chan<- struct{}) {
			events <- written
			time.Sleep(quiet / 2)
			ask <- struct{}{}
		}, []time.Duration{quiet / 2}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := played(t, tc.act); !slices.Equal(got, tc.want) {
				t.Errorf("the task ran at %v, want %v", got, tc.want)
			}
		})
	}
}

// TestAFolderThatIsAwayIsLookedFor, and the task runs once until it is back.
func TestAFolderThatIsAwayIsLookedFor(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gateway")
	make := func() {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	make()
	w, err := New(Options{Folders: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	runs := 0
	round := func(want int, looks bool) {
		t.Helper()
		var pending change
		defer pending.stop()
		w.round(t.Context(), func(context.Context) { runs++ }, &pending)
		if runs != want || (pending.due() != nil) != looks {
			t.Errorf("got %d runs, looking on: %v; want %d, %v", runs, pending.due() != nil, want, looks)
		}
	}
	round(1, false)
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	round(2, true)
	round(2, true)
	make()
	round(3, false)
}
