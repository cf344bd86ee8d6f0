package reload_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/margay-dev/margay/runtime/reload"
)

// watch runs a watcher until the test ends and tells of each run of its task.
func watch(t *testing.T, o reload.Options) <-chan struct{} {
	t.Helper()
	o.Quiet = 50 * time.Millisecond
	w, err := reload.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan struct{}, 100)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Run(ctx, func(context.Context) { ran <- struct{}{} })
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		w.Close()
	})
	return ran
}

// again waits until the task is run. How often it is depends on when the system
// tells of what: TestTheTaskRunsOnce counts.
func again(t *testing.T, ran <-chan struct{}) {
	t.Helper()
	select {
	case <-ran:
	case <-time.After(time.Minute):
		t.Fatal("the task was not run")
	}
}

// settle passes over the runs of changes that were made already.
func settle(ran <-chan struct{}) {
	for {
		select {
		case <-ran:
		case <-time.After(200 * time.Millisecond):
			return
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// do calls functions of package os.
func do(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestChangesThatCount has a watcher of its own for each.
func TestChangesThatCount(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, in func(name string) string){
		"written":    func(t *testing.T, in func(string) string) { write(t, in("ocelot.a.json"), "{ }") },
		"a new part": func(t *testing.T, in func(string) string) { write(t, in("ocelot.B.JSON"), "{}") },
		"renamed over, as editors do": func(t *testing.T, in func(string) string) {
			do(t, os.Rename(in(".ocelot.a.json.swp"), in("ocelot.a.json")))
		},
		"removed": func(t *testing.T, in func(string) string) { do(t, os.Remove(in("ocelot.a.json"))) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			in := func(name string) string { return filepath.Join(dir, name) }
			write(t, in("ocelot.a.json"), "{}")
			write(t, in(".ocelot.a.json.swp"), "{  }")
			ran := watch(t, reload.Options{Folders: []string{dir}, Suffix: ".json"})
			change(t, in)
			again(t, ran)
		})
	}
}

// TestOtherFiles do not count; what does afterwards is one that does.
func TestOtherFiles(t *testing.T) {
	for name, o := range map[string]func(dir string) reload.Options{
		"in a folder": func(dir string) reload.Options { return reload.Options{Folders: []string{dir}, Suffix: ".json"} },
		"beside a file": func(dir string) reload.Options {
			return reload.Options{Files: []string{filepath.Join(dir, "ocelot.json")}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			ran := watch(t, o(dir))
			write(t, filepath.Join(dir, "access.log"), "GET /")
			select {
			case <-ran:
				t.Error("the task was run")
			case <-time.After(200 * time.Millisecond):
			}
			write(t, filepath.Join(dir, "ocelot.json"), "{}")
			again(t, ran)
		})
	}
}

func TestSingleFiles(t *testing.T) {
	dir := t.TempDir()
	key, settings := filepath.Join(dir, "tls.key"), filepath.Join(dir, ".margay.json")
	write(t, key, "1")
	for _, name := range []string{settings, key} {
		ran := watch(t, reload.Options{Files: []string{key, settings}})
		write(t, name, "{}")
		again(t, ran)
	}
}

// TestKubernetes turns the link by which a volume changes all its files.
func TestKubernetes(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	do(t, os.Mkdir(in("..1"), 0o755), os.Mkdir(in("..2"), 0o755))
	write(t, in("..1/ocelot.json"), "{}")
	write(t, in("..2/ocelot.json"), "{ }")
	do(t, os.Symlink("..1", in("..data")), os.Symlink("..data/ocelot.json", in("ocelot.json")))
	ran := watch(t, reload.Options{Files: []string{in("ocelot.json")}})
	do(t, os.Symlink("..2", in("..data_tmp")), os.Rename(in("..data_tmp"), in("..data")))
	again(t, ran)
	settle(ran)
	write(t, in("..2/ocelot.json"), "{  }")
	again(t, ran)
}

func TestALinkToAnotherFolder(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(other, "real.json"), "{}")
	link := filepath.Join(dir, "ocelot.json")
	do(t, os.Symlink(filepath.Join(other, "real.json"), link))
	ran := watch(t, reload.Options{Files: []string{link}})
	write(t, filepath.Join(other, "real.json"), "{ }")
	again(t, ran)
	do(t, os.Remove(filepath.Join(other, "real.json")))
	again(t, ran)
	write(t, filepath.Join(other, "real.json"), "{  }")
	again(t, ran)
}

// TestAFolderThatGoesAway is followed again when it is back.
func TestAFolderThatGoesAway(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gateway")
	file := filepath.Join(dir, "ocelot.json")
	for name, o := range map[string]reload.Options{
		"folder": {Folders: []string{dir}, Suffix: ".json"},
		"file":   {Files: []string{file}},
	} {
		t.Run(name, func(t *testing.T) {
			do(t, os.MkdirAll(dir, 0o755))
			write(t, file, "{}")
			ran := watch(t, o)
			do(t, os.RemoveAll(dir))
			again(t, ran)
			settle(ran)
			do(t, os.Mkdir(dir, 0o755))
			write(t, file, "{ }")
			again(t, ran) // it was looked for
			settle(ran)
			write(t, file, "{  }")
			again(t, ran) // it is followed
		})
	}
}

func TestAFolderThatIsNotThere(t *testing.T) {
	_, err := reload.New(reload.Options{Folders: []string{filepath.Join(t.TempDir(), "none")}})
	if err == nil || !strings.Contains(err.Error(), "none: no such file or directory") {
		t.Errorf("got %v", err)
	}
}
