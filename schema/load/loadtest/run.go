package loadtest

import (
	"io/fs"
	"slices"
	"testing/fstest"

	"github.com/margay-dev/margay/schema/load"
)

// FS returns the files of the recording.
func (r *Recording) FS() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range r.Files {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, raw := range r.FileBase64 {
		files[name] = &fstest.MapFile{Data: raw}
	}
	return files
}

// Run loads what the recorded program loaded, as often as it was started: what
// it writes is there the next time.
func Run(r *Recording) (*load.Result, error) {
	files := r.FS()
	var result *load.Result
	for range max(r.Opts.Repeat, 1) {
		var err error
		if result, err = start(r, files); err != nil {
			return nil, err
		}
		for _, m := range result.Merges {
			if m.WrittenTo != "" {
				files[m.WrittenTo] = &fstest.MapFile{Data: m.Text()}
			}
		}
	}
	return result, nil
}

// start loads once, in the order in which the recorded file system enumerated
// the files.
func start(r *Recording, files fstest.MapFS) (*load.Result, error) {
	folder := load.Folder{FS: files, Name: "<dir>"}
	if base := r.Opts.BasePath; base != "" {
		sub, err := fs.Sub(files, base)
		if err != nil {
			return nil, err
		}
		folder = load.Folder{FS: sub, Name: "<dir>/" + base}
	}
	var answer struct{ Enumerated []string }
	if err := r.Answer(&answer); err != nil {
		return nil, err
	}
	order := func(names []string) []string {
		slices.SortStableFunc(names, func(a, b string) int {
			return slices.Index(answer.Enumerated, a) - slices.Index(answer.Enumerated, b)
		})
		return names
	}
	return load.Run(folder, r.Providers(), load.Options{Section: r.Section(), Host: r.Host(), Order: order})
}
