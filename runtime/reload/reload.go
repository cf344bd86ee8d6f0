// Package reload runs a task again whenever files change or somebody asks for
// it, so that a program follows its configuration.
//
// A [Watcher] looks at folders, not at files: editors replace a file by
// renaming another one, Kubernetes turns a symbolic link, and new parts of a
// configuration appear. Changes that come close together count as one. What a
// change means is for the task to find out; the package reads no file.
package reload

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options say what is watched.
type Options struct {
	// Folders are watched for files whose name has the suffix Suffix, in any
	// case. Folders inside them are not.
	Folders []string
	// Suffix is that of files in Folders that count, such as ".json"; empty is
	// every file.
	Suffix string
	// Files are watched one by one, also while they do not exist.
	Files []string
	// Ask runs the task for every value, as SIGHUP does; nil never.
	Ask <-chan struct{}
	// Quiet is how long nothing must have changed before the task runs: 100 ms.
	// It runs after ten times as long even if the changes do not end.
	Quiet time.Duration
	// Trouble is told what goes wrong with watching; nil is nobody.
	Trouble func(error)
}

const (
	defaultQuiet = 100 * time.Millisecond
	patience     = 10 // times Quiet
)

// Watcher watches until it is closed. Make one with New.
type Watcher struct {
	options Options
	notify  *fsnotify.Watcher
	files   map[string]bool // by cleaned name
	folders map[string]bool
	// followed are the folders that are watched for the two.
	followed map[string]bool
	// targets are the files to which watched ones that are links lead, or led. (They
	// are not looked up for every event: a log beside them is written all the time.)
	targets map[string]string
	// lost is set while one of them is not there.
	lost bool
}

// New begins to watch. Changes from now on are not missed, although the task
// runs only in Run.
func New(o Options) (*Watcher, error) {
	if o.Quiet <= 0 {
		o.Quiet = defaultQuiet
	}
	w := &Watcher{options: o, notify: &fsnotify.Watcher{}, files: map[string]bool{}, folders: map[string]bool{}, followed: map[string]bool{}, targets: map[string]string{}}
	if len(o.Folders)+len(o.Files) == 0 {
		return w, nil // it waits for Ask, and takes nothing of the system
	}
	var err error
	if w.notify, err = fsnotify.NewWatcher(); err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	for _, name := range o.Folders {
		w.folders[filepath.Clean(name)] = true
	}
	for _, name := range o.Files {
		w.files[filepath.Clean(name)] = true
	}
	if err := w.follow(); err != nil {
		w.notify.Close()
		return nil, err
	}
	return w, nil
}

// follow watches the folders of everything, and those to which symbolic links
// lead at the moment.
func (w *Watcher) follow() error {
	var wanted []string
	for folder := range w.folders {
		wanted = append(wanted, folder)
		if real, err := filepath.EvalSymlinks(folder); err == nil {
			wanted = append(wanted, real)
		}
	}
	for file := range w.files {
		wanted = append(wanted, filepath.Dir(file))
		if real, err := filepath.EvalSymlinks(file); err == nil && real != file {
			wanted = append(wanted, filepath.Dir(real))
			w.targets[file] = real
		}
	}
	slices.Sort(wanted)
	for _, folder := range slices.Compact(wanted) {
		w.followed[folder] = true
		if err := w.notify.Add(folder); err != nil {
			return fmt.Errorf("watch %s: %w", folder, err)
		}
	}
	return nil
}

// Run runs the task after changes until ctx is done. It is not run at the
// start. Two runs never overlap.
func (w *Watcher) Run(ctx context.Context, task func(context.Context)) {
	var pending change
	defer pending.stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-pending.due():
			pending.stop()
			w.round(ctx, task, &pending)
		case <-w.options.Ask:
			pending.stop()
			w.lost = false
			w.round(ctx, task, &pending)
		case event, open := <-w.notify.Events:
			if !open {
				return
			}
			if w.counts(event) {
				pending.happened(w.options.Quiet)
			}
		case err, open := <-w.notify.Errors:
			if !open {
				return
			}
			// Events may be lost: what they were about has changed.
			w.trouble(err)
			pending.happened(w.options.Quiet)
		}
	}
}

// round runs the task, and watches what the change may have put in place of
// something watched. While a folder is away it looks for it, and runs the task
// only once.
func (w *Watcher) round(ctx context.Context, task func(context.Context), pending *change) {
	err := w.follow()
	if err == nil || !w.lost {
		task(ctx)
	}
	if err != nil {
		if !w.lost {
			w.trouble(err)
		}
		pending.happened(patience * w.options.Quiet)
	}
	w.lost = err != nil
}

func (w *Watcher) trouble(err error) {
	if w.options.Trouble != nil {
		w.options.Trouble(err)
	}
}

// counts says whether an event can be about something watched. Names that begin
// with two dots are those of Kubernetes: the link that is turned in place of
// all files of a volume.
func (w *Watcher) counts(event fsnotify.Event) bool {
	if event.Op == fsnotify.Chmod {
		return false
	}
	name := filepath.Clean(event.Name)
	base := filepath.Base(name)
	if w.files[name] || w.followed[name] || strings.HasPrefix(base, "..") {
		return true
	}
	suffix := w.options.Suffix
	if len(base) >= len(suffix) && strings.EqualFold(base[len(base)-len(suffix):], suffix) && len(w.folders) > 0 {
		return true
	}
	for _, target := range w.targets {
		if target == name {
			return true
		}
	}
	return false
}

// Close ends watching. Run returns.
func (w *Watcher) Close() error {
	if w.notify.Events == nil {
		return nil
	}
	return w.notify.Close()
}
