package reload_test

import (
	"context"
	"fmt"
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

func once(t *testing.T, ran <-chan struct{}) {
	t.Helper()
	select {
	case <-ran:
	case <-time.After(20 * time.Second):
		t.Fatal("the task was not run")
	}
	never(t, ran)
}

func never(t *testing.T, ran <-chan struct{}) {
	t.Helper()
	select {
	case <-ran:
		t.Fatal("the task was run once more")
	case <-time.After(200 * time.Millisecond):
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

func TestChangesThatCount(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write(t, in("ocelot.a.json"), "{}")
	ran := watch(t, reload.Options{Folders: []string{dir}, Suffix: ".json"})

	t.Run("written", func(t *testing.T) { write(t, in("ocelot.a.json"), "{ }"); once(t, ran) })
	t.Run("a new part", func(t *testing.T) { write(t, in("ocelot.B.JSON"), "{}"); once(t, ran) })
	t.Run("renamed over, as editors do", func(t *testing.T) {
		write(t, in(".ocelot.a.json.swp"), "{  }")
		do(t, os.Rename(in(".ocelot.a.json.swp"), in("ocelot.a.json")))
		once(t, ran)
	})
	t.Run("in pieces", func(t *testing.T) {
		file, err := os.OpenFile(in("ocelot.a.json"), os.O_WRONLY|os.O_TRUNC, 0)
		do(t, err)
		for range 20 {
			fmt.Fprint(file, " ")
			time.Sleep(5 * time.Millisecond)
		}
		do(t, file.Close())
		once(t, ran)
	})
	t.Run("removed", func(t *testing.T) { do(t, os.Remove(in("ocelot.B.JSON"))); once(t, ran) })
	t.Run("other files", func(t *testing.T) { write(t, in("access.log"), "GET /"); never(t, ran) })
}

func TestSingleFiles(t *testing.T) {
	dir := t.TempDir()
	key, settings := filepath.Join(dir, "tls.key"), filepath.Join(dir, ".margay.json")
	write(t, key, "1")
	ran := watch(t, reload.Options{Files: []string{key, settings}})
	write(t, settings, "{}")
	once(t, ran)
	write(t, key, "2")
	once(t, ran)
	write(t, filepath.Join(dir, "ocelot.json"), "{}")
	never(t, ran)
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
	once(t, ran)
	write(t, in("..2/ocelot.json"), "{  }")
	once(t, ran)
}

func TestALinkToAnotherFolder(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(other, "real.json"), "{}")
	link := filepath.Join(dir, "ocelot.json")
	do(t, os.Symlink(filepath.Join(other, "real.json"), link))
	ran := watch(t, reload.Options{Files: []string{link}})
	write(t, filepath.Join(other, "real.json"), "{ }")
	once(t, ran)
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
			once(t, ran)
			do(t, os.Mkdir(dir, 0o755))
			write(t, file, "{ }")
			select {
			case <-ran:
			case <-time.After(20 * time.Second):
				t.Fatal("the folder is not looked for")
			}
			write(t, file, "{  }")
			select {
			case <-ran:
			case <-time.After(20 * time.Second):
				t.Fatal("the folder is not followed")
			}
		})
	}
}

func TestAsking(t *testing.T) {
	ask := make(chan struct{})
	ran := watch(t, reload.Options{Ask: ask})
	ask <- struct{}{}
	once(t, ran)
}

func TestChangesWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	ran := watch(t, reload.Options{Folders: []string{dir}})
	stop := time.After(20 * time.Second)
	for i := 0; ; i++ {
		select {
		case <-ran:
			return
		case <-stop:
			t.Fatal("the task waits for the changes to end")
		default:
			write(t, filepath.Join(dir, "a.json"), fmt.Sprint(i))
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func TestAFolderThatIsNotThere(t *testing.T) {
	_, err := reload.New(reload.Options{Folders: []string{filepath.Join(t.TempDir(), "none")}})
	if err == nil || !strings.Contains(err.Error(), "none: no such file or directory") {
		t.Errorf("got %v", err)
	}
}
